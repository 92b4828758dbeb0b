import { fingerprintOf } from '../../domain/policy-hash.ts';
import type { Extractor } from '../../contracts/extractor.ts';
import type { SourceConnector, SourceEntry } from '../../contracts/source-connector.ts';
import type { MediaType } from '../../domain/media.ts';
import { isKebabError, KebabError } from '../../errors/kebab-error.ts';
import type { ComponentName } from '../components.ts';
import type { PluginKind } from '../contributions.ts';
import { type FailureSite, pluginFailure, withoutSecrets } from '../plugin-failure.ts';
import { failureAtStart, faultInAnswer, faultInItem, hasChecks, isListOfTexts } from './faults.ts';
import { guardedObject } from './guarded-object.ts';
import type { Contribution } from '../../contracts/contribution.ts';
import { isAbort } from '../../errors/abort.ts';

/** Receives the failures of a contribution, with the name of its plugin. */
export type OnFailure = (name: ComponentName, error: Error) => void;

/** Callbacks for failures. */
export interface GuardListeners {
  /** Called when a component turns out to be unusable. */
  readonly onFailure: OnFailure;
  /** Called for each failed call that is attributed to its plugin; the call throws as well. */
  readonly onCallFailure: OnFailure;
}

/**
 * Holds a contribution to its contract: answers that violate it are failures of the plugin, and the trust policy decides how errors are
 * reported. Time limits are those of its process. Extraction checks what extractors and chunkers return. Throws when a required member is
 * missing.
 */
export function guardContribution(
  made: object,
  name: ComponentName,
  { onFailure, onCallFailure }: GuardListeners,
): object {
  const missing = missingMember(name.kind, name.id, made);
  if (missing !== null) throw new Error(missing);
  const { kind, policy } = name;
  if (kind === 'chunker') return made;
  if (kind === 'extractor') {
    if (policy.isolation !== 'sandboxed') return made;
    return heldExtractor(made as Extractor, (error) => onFailure(name, attributedFailure(error, name, 'supports')));
  }
  const guarded = watched(made, name, onCallFailure);
  return kind === 'source' && policy.failures === 'attributed' ? softSource(guarded as SourceConnector) : guarded;
}

/**
 * Calls whose caller attributes their failures, because it knows the file: only errors of kebab's own list, which pass through the caller
 * unchanged, are attributed here.
 */
const NAMED_BY_CALLER: { readonly [K in PluginKind]?: readonly string[] } = {
  ocr: ['recognize'],
  captioner: ['caption'],
};

function watched(made: object, name: ComponentName, onCallFailure: OnFailure): object {
  const { kind, policy } = name;
  if (policy.failures === 'plain' && !hasChecks(kind)) return made;
  const isNamedByCaller = (method: string): boolean => NAMED_BY_CALLER[kind]?.includes(method) === true;
  const attributed = (error: unknown, method: string): Error => {
    const failure = attributedFailure(error, name, method);
    if (failure !== error) onCallFailure(name, failure);
    return failure;
  };
  const plugin = { name: name.plugin, version: name.pluginVersion };
  return guardedObject(made, {
    failure: (error, method) => {
      const shown = withoutSecrets(error, name.secrets?.() ?? []);
      if (policy.failures === 'plain') return shown as Error;
      return isNamedByCaller(method) && !isKebabError(shown) ? (shown as Error) : attributed(shown, method);
    },
    broken: (fault, method) =>
      policy.failures === 'plain'
        ? pluginFailure(new Error(fault), { plugin, kind, stage: method })
        : attributed(new Error(fault), method),
    fault: (method, answer, args) => faultInAnswer({ kind, method, answer }, { args, made }),
    faultInItem: (_method, item, index) =>
      faultInItem(kind, item) ??
      (kind === 'llm' && policy.failures === 'attributed' ? failureAtStart(item, index) : null),
  });
}

/**
 * Wraps an extractor so that it runs in a process. What it answers on the calling thread (what it supports, its labels) stays its own; where
 * it fails to answer, it does not take the file, and `onUnsure` receives the reason.
 */
function heldExtractor(extractor: Extractor, onUnsure: (error: unknown) => void): Extractor {
  const { id, version, match, spans } = extractor;
  return {
    id,
    version,
    match,
    isolation: 'worker',
    spans,
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

/** Throws unless the labels for a medium are strings. */
function isLabelled(extractor: Extractor, media: MediaType): true {
  for (const label of ['parserVersion', 'chunkerId'] as const)
    if (typeof extractor[label](media) !== 'string')
      throw new TypeError(`its ${label} of ${media.kind} is not a string`);
  return true;
}

/**
 * A source that cannot be walked is reported as one with an unreadable root: the other sources continue, and none of its documents are
 * purged.
 */
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

/** The required type of a member. */
type Shape = 'text' | 'number' | 'function' | 'object';

const METHODS = (...names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map((name) => [name, 'function' as const]));

/** The required members, by kind. For interceptors and hooks all members are optional. */
const MEMBERS: { readonly [K in PluginKind]?: Readonly<Record<string, Shape>> } = {
  source: METHODS('scan', 'read'),
  extractor: { match: 'object', ...METHODS('supports', 'parserVersion', 'chunkerId', 'extract') },
  chunker: { needs: 'object', reads: 'object', chunk: 'function' },
  embedder: {
    modelId: 'text',
    modelVersion: 'text',
    dimensions: 'number',
    maxInputTokens: 'number',
    relevance: 'object',
    embed: 'function',
  },
  reranker: METHODS('rerank'),
  llm: { model: 'object', contextTokens: 'number', ...METHODS('generate') },
  ocr: METHODS('recognize'),
  captioner: METHODS('caption'),
  vector_store: METHODS('ensureCollection', 'upsert', 'delete', 'search', 'listCollections', 'count', 'dropCollection'),
};

/** Checks of members beyond their type; the messages are phrased to follow "has". */
const FAULTS: { readonly [K in PluginKind]?: (given: Readonly<Record<string, unknown>>) => string | null } = {
  extractor: ({ spans }) => (spans === undefined || isListOfTexts(spans) ? null : 'no spans: a list of kinds of span'),
  chunker: ({ reads }) => (isListOfTexts(reads) ? null : 'no reads: a list of settings'),
  embedder: ({ relevance, languages }) => {
    if (languages !== null && !isListOfTexts(languages))
      return 'no languages: a list of codes, or null for most of them';
    const { floor, ceil } = relevance as { readonly floor?: unknown; readonly ceil?: unknown };
    return Number.isFinite(floor) && Number.isFinite(ceil) && (floor as number) < (ceil as number)
      ? null
      : 'no relevance: numbers floor and ceil, the lower one first';
  },
  groundedness: ({ check, judge }) =>
    [check, judge].some((method) => isOf('function', method)) ? null : 'neither check() nor judge()',
  llm: ({ model }) => {
    const { id, provider } = model as { readonly id?: unknown; readonly provider?: unknown };
    return isOf('text', id) && isOf('text', provider) ? null : 'no model with an id and a provider';
  },
};

const COMMON: Readonly<Record<string, Shape>> = { version: 'text' };

/** Describes what is wrong with a contribution, as one line; null when all required members are present. */
export function missingMember(kind: PluginKind, id: string, made: unknown): string | null {
  if (typeof made !== 'object' || made === null)
    return `its ${kind} "${id}" is not an object: its factory must return one`;
  const members = MEMBERS[kind];
  if (members === undefined && FAULTS[kind] === undefined) return null;
  const contribution = made as Readonly<Record<string, unknown>>;
  if (contribution['id'] !== id) return `its ${kind} "${id}" has ${idText(contribution['id'])}`;
  for (const [name, shape] of Object.entries({ ...COMMON, ...members }))
    if (!isOf(shape, contribution[name]))
      return `its ${kind} "${id}" has no ${name}${shape === 'function' ? '()' : ''}`;
  const fault = FAULTS[kind]?.(contribution) ?? null;
  if (fault !== null) return `its ${kind} "${id}" has ${fault}`;
  const { fingerprint } = made as Pick<Contribution, 'fingerprint'>;
  if (fingerprint !== undefined && (typeof fingerprint !== 'function' || !isOf('text', fingerprint.call(made))))
    return `the fingerprint of its ${kind} "${id}" is not a string`;
  return null;
}

function idText(id: unknown): string {
  return id === undefined ? 'no id' : `another id: ${JSON.stringify(id)}`;
}

function isOf(shape: Shape, value: unknown): boolean {
  switch (shape) {
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'number':
      return typeof value === 'number' && value > 0;
    case 'function':
      return typeof value === 'function';
    case 'object':
      return typeof value === 'object' && value !== null;
    default:
      return shape satisfies never;
  }
}

/** The alternative to a plugin's contribution, by kind; for other kinds the plugin can only be removed. */
const ALTERNATIVES: { readonly [K in PluginKind]?: string } = {
  source: 'give that source of workspace.sources another connector',
  embedder: 'name another embedder in models.embedding.provider',
  reranker: 'set models.rerank.provider to none',
  llm: 'name another model in models.llm.provider',
  ocr: 'name another engine in ocr.engine',
  captioner: 'name another model in caption.provider',
  groundedness: 'name another checker in models.nli.provider and rag.answer_checker',
  vector_store: 'name another store in storage.vector_store',
};

/** Kinds whose failure does not stop a search or an ingest, which then reports only the hint. */
const REPORTED_BY_HINT: ReadonlySet<PluginKind> = new Set(['embedder', 'vector_store', 'ocr', 'captioner']);

/**
 * The failure of a contribution, with the name and version of its plugin and a remedy. Aborts pass through untouched; an error of kebab's
 * own list keeps its code.
 */
export function attributedFailure(error: unknown, name: ComponentName, stage: string): Error {
  if (isAbort(error) || isKebabError(error, 'cancelled')) return error as Error;
  const plugin = { name: name.plugin, version: name.pluginVersion };
  const shown = withoutSecrets(error, name.secrets?.() ?? []);
  const failure = pluginFailure(shown, { plugin, kind: name.kind, stage });
  if (!isKebabError(failure)) return failure;
  const { code, message, details } = failure;
  const agent = `${plugin.name}@${plugin.version}`;
  const hint = isKebabError(failure, 'plugin_failed') ? hintFor(name.kind, agent, failure.details) : failure.hint;
  return new KebabError(code, prefixed(message, agent, plugin.name), {
    details,
    cause: failure.cause ?? failure,
    hint: prefixed(hint, agent, plugin.name),
  });
}

/** The failure of an extractor or a chunker on a file; an error of kebab's own list keeps its code, and bears the name of a third-party plugin. */
export function failureOnFile(error: unknown, site: FailureSite, name: ComponentName | undefined): Error {
  const shown = withoutSecrets(error, name?.secrets?.() ?? []);
  return name?.policy.failures === 'attributed' && isKebabError(shown)
    ? attributedFailure(shown, name, site.stage)
    : pluginFailure(shown, site);
}

function prefixed(text: string, agent: string, name: string): string {
  return text.includes(name) ? text : `${agent}: ${text}`;
}

function hintFor(
  kind: PluginKind,
  agent: string,
  { stage, cause }: { readonly stage: string; readonly cause: string },
): string {
  const instead = ALTERNATIVES[kind] ?? 'take it out of `plugins`';
  const remedy = `${firstRemedy(stage, agent)}, or ${instead}; \`kebab plugin doctor\` looks closer`;
  return REPORTED_BY_HINT.has(kind) ? `${agent} failed: ${cause}; ${remedy}` : remedy;
}

function firstRemedy(stage: string, agent: string): string {
  if (stage === 'configure') return `correct the config of ${agent} where \`plugins\` names it`;
  return stage === 'load' ? `install ${agent} again` : `update ${agent}`;
}
