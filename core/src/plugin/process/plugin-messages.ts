import type { Access } from '../components.ts';
import type { GivenSettings } from '../define-plugin.ts';
import type { PluginManifest } from '../read-manifest.ts';
import { type SentError, isKebabError, receiveError, sendError } from '../../errors/kebab-error.ts';
import type { RemoteKind } from './contract-members.ts';
import { isAbort } from '../../errors/abort.ts';
import { isMistake } from '../mistakes.ts';
import { deniedAccess, described } from '../plugin-failure.ts';

/** The start parameters of a plugin process. */
export interface PluginStart {
  /** The name of the plugin when there is no manifest. */
  readonly specifier: string;
  /** The declarations in its package.json; null for a single file, which declares them in its code. */
  readonly manifest: PluginManifest | null;
  readonly moduleUrl: string;
  /** Its raw configuration. */
  readonly config: unknown;
  readonly tmpDir: string;
  /** The folder in which it may keep files of its own; undefined where it may not. */
  readonly dataDir: string | undefined;
  /** The folder of its derivation cache, which the process only reads. */
  readonly cacheDir: string;
  /** The hosts that the global `fetch` may reach. */
  readonly hosts: readonly string[];
  readonly memoryMb: number;
}

/** Identifies the context of a contribution: one per access, and one per language model with another model name. */
export interface ContextKey {
  readonly access: Access;
  readonly model: string | null;
}

/** A requested contribution. */
export interface RemoteWish extends ContextKey {
  readonly kind: RemoteKind;
  readonly id: string;
}

/** A method call on a contribution. */
export interface RemoteCall {
  readonly handle: number;
  readonly method: string;
  readonly args: readonly SentArgument[];
}

/** A serialised argument: its data, and its non-data members, which the other process recreates. */
export interface SentArgument {
  readonly data: unknown;
  readonly signal?: true | undefined;
  readonly log?: true | undefined;
  /** Names of callbacks in the argument that report something. */
  readonly listeners?: readonly string[] | undefined;
}

/** A request to a plugin process. Each has one answer. */
export type Question =
  | { readonly kind: 'ping' }
  | { readonly kind: 'load' }
  | { readonly kind: 'configure'; readonly context: ContextKey; readonly settings: GivenSettings }
  | { readonly kind: 'create'; readonly wish: RemoteWish }
  | { readonly kind: 'call'; readonly call: RemoteCall }
  | { readonly kind: 'open'; readonly call: RemoteCall }
  | { readonly kind: 'next'; readonly stream: number };

/** A message to a plugin process. */
export type PluginMessage =
  | { readonly kind: 'start'; readonly start: PluginStart }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  /** The signal of a request has fired: of a call, or of a stream that it opened. */
  | { readonly kind: 'abort'; readonly id: number }
  /** A stream is no longer read. */
  | { readonly kind: 'stop'; readonly stream: number }
  /** The answer to a lookup. */
  | { readonly kind: 'found'; readonly id: number; readonly outcome: Outcome };

/** The result of a call in another process. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: SentFailure };

/** A thrown value, as plain data. */
export type SentFailure =
  | { readonly kind: 'kebab'; readonly error: SentError }
  | { readonly kind: 'abort'; readonly message: string }
  | { readonly kind: 'other'; readonly message: string; readonly stack: string | undefined };

/** The declarations that the code of a plugin makes. */
export type LoadedFacts = Pick<PluginManifest, 'name' | 'version' | 'apiVersion' | 'contributes' | 'permissions'>;

/** A contribution that was created in the plugin process. */
export interface MadeContribution {
  readonly handle: number;
  /** The names of its methods. */
  readonly methods: readonly string[];
  readonly state: RemoteState;
  /** Its answers for each medium, by method; empty for all kinds but extractors. */
  readonly ofMedia: Readonly<Record<string, ReadonlyMap<string, Outcome>>>;
}

/** The data members of a contribution. */
export type RemoteState = Readonly<Record<string, unknown>>;

/** The result of a call, and the data members of its contribution if they have changed. */
export interface CallAnswer {
  readonly value: unknown;
  readonly state?: RemoteState | undefined;
}

/** Consecutive items of a stream. */
export interface StreamAnswer {
  readonly items: readonly unknown[];
  readonly isOver: boolean;
  readonly state?: RemoteState | undefined;
}

/** A message from a plugin process. */
export type PluginReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>> | undefined;
    }
  /** A callback in an argument was called. */
  | { readonly kind: 'callback'; readonly id: number; readonly listener: string; readonly args: readonly unknown[] }
  /** An entry for the derivation cache. */
  | { readonly kind: 'cached'; readonly key: string; readonly payload: Uint8Array }
  /** A lookup in the knowledge base. */
  | { readonly kind: 'look-up'; readonly id: number; readonly method: string; readonly args: readonly unknown[] };

/** Runs some work and returns its result or error as plain data. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'value', value: await work() };
  } catch (error) {
    return { kind: 'failed', error: sentFailure(error) };
  }
}

/** Like {@link outcomeOf}, for synchronous work. */
export function outcomeAtOnce(work: () => unknown): Outcome {
  try {
    return { kind: 'value', value: work() };
  } catch (error) {
    return { kind: 'failed', error: sentFailure(error) };
  }
}

/** Unpacks an outcome from another process: returns its value, or throws its error. */
export function receivedFrom(outcome: Outcome): unknown {
  if (outcome.kind === 'value') return outcome.value;
  const { error } = outcome;
  switch (error.kind) {
    case 'kebab':
      throw receiveError(error.error);
    case 'abort':
      throw new DOMException(error.message, 'AbortError');
    case 'other':
      throw Object.assign(new Error(error.message), error.stack === undefined ? {} : { stack: error.stack });
    default:
      return error satisfies never;
  }
}

/** Serialises a thrown value to plain data. */
export function sentFailure(error: unknown): SentFailure {
  if (isKebabError(error)) return { kind: 'kebab', error: sendError(error) };
  if (isAbort(error)) return { kind: 'abort', message: (error as Error).message };
  if (!(error instanceof Error)) return { kind: 'other', message: String(error), stack: undefined };
  const message = deniedAccess(error) ?? (isMistake(error) ? described(error) : error.message);
  return { kind: 'other', message, stack: error.stack };
}
