import type { Access } from '../components.ts';
import type { GivenSettings } from '../define-plugin.ts';
import type { PluginManifest } from '../read-manifest.ts';
import { type SentError, isKebabError, receiveError, sendError } from '../../errors/kebab-error.ts';
import type { RemoteKind } from './contract-members.ts';
import { isAbort } from '../../errors/abort.ts';
import { deniedAccess } from '../plugin-failure.ts';

/** What the process of a plugin starts with. */
export interface PluginStart {
  /** How the plugin is named where there is no manifest. */
  readonly specifier: string;
  /** What its package.json says; null for a single file, which says it in its code. */
  readonly manifest: PluginManifest | null;
  readonly moduleUrl: string;
  /** Its configuration as written. */
  readonly config: unknown;
  readonly tmpDir: string;
  /** Where it may keep files of its own; undefined where it may not. */
  readonly dataDir: string | undefined;
  /** Where its remembered derivations lie; they are only read there. */
  readonly cacheDir: string;
  /** The hosts that the global `fetch` reaches. */
  readonly hosts: readonly string[];
  readonly memoryMb: number;
}

/** Which context a contribution is made with: one for each access, and for each language model of another name. */
export interface ContextKey {
  readonly access: Access;
  readonly model: string | null;
}

/** A contribution as it is asked for. */
export interface RemoteWish extends ContextKey {
  readonly kind: RemoteKind;
  readonly id: string;
}

/** A method that is called, and the contribution that has it. */
export interface RemoteCall {
  readonly handle: number;
  readonly method: string;
  readonly args: readonly SentArgument[];
}

/** An argument: what of it is data, and what is there besides, which is made again in the other process. */
export interface SentArgument {
  readonly data: unknown;
  readonly signal?: true | undefined;
  readonly log?: true | undefined;
  /** Members that are called to report something. */
  readonly listeners?: readonly string[] | undefined;
}

/** What the process of a plugin is asked. Each has one answer. */
export type Question =
  | { readonly kind: 'ping' }
  | { readonly kind: 'load' }
  | { readonly kind: 'configure'; readonly context: ContextKey; readonly settings: GivenSettings }
  | { readonly kind: 'create'; readonly wish: RemoteWish }
  | { readonly kind: 'call'; readonly call: RemoteCall }
  | { readonly kind: 'open'; readonly call: RemoteCall }
  | { readonly kind: 'next'; readonly stream: number };

/** What the process of a plugin is sent. */
export type PluginMessage =
  | { readonly kind: 'start'; readonly start: PluginStart }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  /** The signal of a question has fired: of a call, or of a stream that it opened. */
  | { readonly kind: 'abort'; readonly id: number }
  /** A stream is not read on. */
  | { readonly kind: 'stop'; readonly stream: number }
  /** The answer to what it looked up. */
  | { readonly kind: 'found'; readonly id: number; readonly outcome: Outcome };

/** What came of a call in another process. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: SentFailure };

/** What was thrown, as plain data. */
export type SentFailure =
  | { readonly kind: 'kebab'; readonly error: SentError }
  | { readonly kind: 'abort'; readonly message: string }
  | { readonly kind: 'other'; readonly message: string; readonly stack: string | undefined };

/** What a plugin is, as its code says it. */
export type LoadedFacts = Pick<PluginManifest, 'name' | 'version' | 'apiVersion' | 'contributes' | 'permissions'>;

/** A contribution that was made. */
export interface MadeContribution {
  readonly handle: number;
  /** The methods that it has. */
  readonly methods: readonly string[];
  readonly state: RemoteState;
  /** What it answers to each medium, by method; empty for all but extractors. */
  readonly ofMedia: Readonly<Record<string, ReadonlyMap<string, Outcome>>>;
}

/** The data of a contribution. */
export type RemoteState = Readonly<Record<string, unknown>>;

/** What a call gave, and the data of its contribution where that has changed. */
export interface CallAnswer {
  readonly value: unknown;
  readonly state?: RemoteState | undefined;
}

/** Some items of a stream, in order. */
export interface StreamAnswer {
  readonly items: readonly unknown[];
  readonly isOver: boolean;
  readonly state?: RemoteState | undefined;
}

/** What the process of a plugin sends. */
export type PluginReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>> | undefined;
    }
  /** A member of an argument was called. */
  | { readonly kind: 'told'; readonly id: number; readonly listener: string; readonly args: readonly unknown[] }
  /** Something is to be remembered across runs. */
  | { readonly kind: 'cached'; readonly key: string; readonly payload: Uint8Array }
  /** It looks something up in the knowledge base. */
  | { readonly kind: 'look-up'; readonly id: number; readonly method: string; readonly args: readonly unknown[] };

/** What came of some work, as plain data; what it threw included. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'value', value: await work() };
  } catch (error) {
    return { kind: 'failed', error: sentFailure(error) };
  }
}

/** Like {@link outcomeOf}, for work that is done at once. */
export function outcomeAtOnce(work: () => unknown): Outcome {
  try {
    return { kind: 'value', value: work() };
  } catch (error) {
    return { kind: 'failed', error: sentFailure(error) };
  }
}

/** What work gave in another process. Throws what it threw there. */
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

/** What was thrown, as plain data. */
export function sentFailure(error: unknown): SentFailure {
  if (isKebabError(error)) return { kind: 'kebab', error: sendError(error) };
  if (isAbort(error)) return { kind: 'abort', message: (error as Error).message };
  if (!(error instanceof Error)) return { kind: 'other', message: String(error), stack: undefined };
  return { kind: 'other', message: deniedAccess(error) ?? error.message, stack: error.stack };
}
