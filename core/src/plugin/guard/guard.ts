import { fingerprintOf } from '../../domain/policy-hash.ts';
import type { Extractor } from '../../contracts/extractor.ts';
import type { SourceConnector, SourceEntry } from '../../contracts/source-connector.ts';
import type { MediaType } from '../../domain/media.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { ComponentName } from '../components.ts';
import type { PluginKind } from '../contributions.ts';
import { pluginFailure } from '../plugin-failure.ts';
import { callLimit } from '../trust-policy.ts';
import { attributedFailure } from './attributed-failure.ts';
import { failureAtStart, faultInAnswer, faultInItem, hasChecks } from './faults.ts';
import { guardedObject } from './guarded-object.ts';
import { missingMember } from './required-members.ts';

/** Receives the failures of a contribution, under the name of its plugin. */
export type OnFailure = (name: ComponentName, error: Error) => void;

/** Who hears of failures. */
export interface GuardListeners {
  /** Called when a component turns out to be broken as a whole. */
  readonly onFailure: OnFailure;
  /** Called for each call that fails and is attributed to its plugin; the call throws as well. */
  readonly onCallFailure: OnFailure;
}

/**
 * What a plugin made, held to its contract: answers against the promises of its kind are failures of the plugin, and its trust
 * policy decides on limits and on what becomes of errors. Throws when it lacks what kebab relies on.
 */
export function guardContribution(
  made: object,
  name: ComponentName,
  { onFailure, onCallFailure }: GuardListeners,
): object {
  const missing = missingMember(name.kind, name.id, made);
  if (missing !== null) throw new Error(missing);
  const { kind, policy } = name;
  const held =
    kind === 'extractor'
      ? heldExtractor(made as Extractor, name, (error) => onFailure(name, attributedFailure(error, name, 'supports')))
      : made;
  const guarded = watched(held, name, onCallFailure);
  return kind === 'source' && policy.failures === 'attributed' ? softSource(guarded as SourceConnector) : guarded;
}

/**
 * Calls whose failures are named where they are made, with the file at hand, and which are given their time there: only errors of
 * kebab's own list, which pass there untouched, are named here.
 */
const NAMED_BY_CALLER: { readonly [K in PluginKind]?: readonly string[] } = {
  extractor: ['extract', 'render'],
  chunker: ['chunk'],
  ocr: ['recognize'],
  captioner: ['caption'],
};

function watched(made: object, name: ComponentName, onCallFailure: OnFailure): object {
  const { kind, policy } = name;
  if (policy.failures === 'plain' && !hasChecks(kind)) return made; // a wrapper that changes nothing costs two per cent of an ingest
  const isNamedByCaller = (method: string): boolean => NAMED_BY_CALLER[kind]?.includes(method) === true;
  const attributed = (error: unknown, method: string): Error => {
    const failure = attributedFailure(error, name, method);
    if (failure !== error) onCallFailure(name, failure);
    return failure;
  };
  const plugin = { name: name.plugin, version: name.pluginVersion };
  return guardedObject(made, {
    failure: (error, method) => {
      if (policy.failures === 'plain') return error as Error;
      return isNamedByCaller(method) && !isKebabError(error) ? (error as Error) : attributed(error, method);
    },
    broken: (fault, method) =>
      policy.failures === 'plain'
        ? pluginFailure(new Error(fault), { plugin, kind, stage: method })
        : attributed(new Error(fault), method),
    fault: (method, answer, args) => faultInAnswer({ kind, method, answer }, { args, made }),
    faultInItem: (_method, item, index) =>
      faultInItem(kind, item) ??
      (kind === 'llm' && policy.failures === 'attributed' ? failureAtStart(item, index) : null),
    isBounded: policy.limits.callMs !== null,
    limitMs: (method, args) => (isNamedByCaller(method) ? null : callLimit(policy.limits, method, args)),
  });
}

/**
 * The same extractor, run where its policy allows. What it is asked for on the calling thread (what it takes, how it is labelled)
 * stays its own; where it has no answer to that, it does not take the file, and `onUnsure` hears why.
 */
function heldExtractor(extractor: Extractor, { policy }: ComponentName, onUnsure: (error: unknown) => void): Extractor {
  const { id, version, match, isolation } = extractor;
  return {
    id,
    version,
    match,
    isolation: policy.isolation === 'fenced' ? 'worker' : isolation,
    fingerprint: () => fingerprintOf(extractor),
    supports: (media) => {
      try {
        return extractor.supports(media) && isLabelled(extractor, media);
      } catch (error) {
        onUnsure(error);
        return false;
      }
    },
    parserVersion: (media) => extractor.parserVersion(media),
    chunkerId: (media) => extractor.chunkerId(media),
    extract: (input, context) => extractor.extract(input, context),
    ...(extractor.render !== undefined && { render: extractor.render.bind(extractor) }),
    ...(extractor.health !== undefined && { health: extractor.health.bind(extractor) }),
  };
}

/** Throws unless the labels of a medium are there. */
function isLabelled(extractor: Extractor, media: MediaType): true {
  for (const label of ['parserVersion', 'chunkerId'] as const)
    if (typeof extractor[label](media) !== 'string') throw new TypeError(`its ${label} of ${media.kind} is no text`);
  return true;
}

/** A source that cannot be walked is one with an unreadable root: the others go on, and nothing of it is purged. */
function softSource(source: SourceConnector): SourceConnector {
  return new Proxy(source, {
    get: (target, key) => (key === 'scan' ? softScan(target) : target[key as keyof SourceConnector]),
  });
}

function softScan(source: SourceConnector): SourceConnector['scan'] {
  return async function* (scope, context): AsyncGenerator<SourceEntry> {
    try {
      yield* source.scan(scope, context);
    } catch (error) {
      if (!isKebabError(error) || error.code === 'cancelled') throw error;
      yield { kind: 'error', workspacePath: '.', message: error.message, code: error.code };
    }
  };
}
