import type { SourceConnector, SourceEntry } from '../../contracts/source-connector.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { ComponentName } from '../components.ts';
import type { PluginKind } from '../contributions.ts';
import { faultInAnswer } from './fault-in-answer.ts';
import { faultInItem } from './fault-in-item.ts';
import { guardedObject } from './guarded-object.ts';
import { strangerFailure } from './stranger-failure.ts';

/** Told of each failure of a contribution, under the name of its plugin. */
export type OnStrangerFailure = (name: ComponentName, error: Error) => void;

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

/** Kinds that are watched on every call. Of the others interceptors and retrievers are watched by their callers. */
const GUARDED: ReadonlySet<PluginKind> = new Set([
  'source',
  'extractor',
  'chunker',
  'embedder',
  'reranker',
  'llm',
  'ocr',
  'captioner',
  'groundedness',
  'vector_store',
  'hook',
]);

const MINUTE_MS = 60_000;
const A_TEXT_MS = 10_000;

/**
 * Wraps what a plugin that did not come with kebab contributes: whatever its calls throw, answer against their promise, or never
 * answer, is a failure that names the plugin and its version and says what to do.
 */
export function guardContribution<T extends object>(made: T, name: ComponentName, onFailure: OnStrangerFailure): T {
  const { kind } = name;
  if (!GUARDED.has(kind)) return made;
  const isNamedByCaller = (method: string): boolean => NAMED_BY_CALLER[kind]?.includes(method) === true;
  const guarded = guardedObject(made, {
    failure: (error, method) => {
      if (isNamedByCaller(method) && !isKebabError(error)) return error as Error;
      const failure = strangerFailure(error, name, method);
      if (failure !== error) onFailure(name, failure);
      return failure;
    },
    fault: (method, answer, args) => faultInAnswer({ kind, method, answer }, { args, made }),
    faultInItem: (_method, item, index) => faultInItem(kind, item, index),
    limitMs: (method, args) => (isNamedByCaller(method) ? null : limitOf(method, args)),
  });
  return kind === 'source' ? (softSource(guarded as unknown as SourceConnector) as unknown as T) : guarded;
}

/** A minute and ten seconds a text, where it is known how many there are; else five minutes. */
function limitOf(method: string, args: readonly unknown[]): number {
  const texts = method === 'embed' ? args[0] : method === 'rerank' ? args[1] : undefined;
  return Array.isArray(texts) ? MINUTE_MS + texts.length * A_TEXT_MS : 5 * MINUTE_MS;
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
