import { type Caller, hasScope, type Scope } from '../access/caller.ts';
import { isAbort } from '../errors/abort.ts';
import { classifyError } from '../errors/classify-error.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { App, Notice } from './app.ts';
import { OPERATIONS } from './operations.ts';

/** The inputs of the facade. */
export interface FacadeInit {
  /** The use case of an operation, created on first use. */
  readonly open: (name: OperationName) => Promise<UseCase>;
  readonly notices: () => readonly Notice[];
  readonly openedFiles: App['openedFiles'];
  readonly readonly: boolean;
  /** Whose App it is; absent for the user of this machine, who may do everything. */
  readonly caller?: Caller | undefined;
  /** Is called when an operation has ended, with what it returned, or each value of its stream. */
  readonly onEnd?: ((end: OperationEnd) => void) | undefined;
  /** Whether `onEnd` gets the values of streams, which may have no end. */
  readonly keepsItems?: boolean | undefined;
  readonly as: App['as'];
  readonly close: () => Promise<void>;
}

/** An operation that has ended. */
export interface OperationEnd {
  readonly name: OperationName;
  readonly ms: number;
  /** Empty when it failed at once. */
  readonly results: readonly unknown[];
  /** Undefined when it succeeded. */
  readonly error?: KebabError | undefined;
}

/** The names in the table of operations. */
export type OperationName = keyof typeof OPERATIONS;

/** A use case with its ports bound. */
export type UseCase = (...args: readonly unknown[]) => unknown;

/**
 * Creates the facade for all operations. Whatever they throw becomes a `KebabError`, an abort becomes `cancelled`; in read-only mode
 * operations that write are rejected before anything happens.
 */
export function createFacade(init: FacadeInit): App {
  const { open, notices, openedFiles, readonly, caller, onEnd, keepsItems = false, as, close } = init;
  const methodOf = (name: OperationName): UseCase => {
    const { label } = OPERATIONS[name];
    const run = async (args: readonly unknown[]): Promise<unknown> => {
      if (caller !== undefined) requireScope(caller, name);
      if (readonly) refuseWriting(name, args);
      return (await open(name))(...args);
    };
    const method: UseCase = isStream(name)
      ? (...args) => guardedItems(label, () => run(args) as Promise<AsyncIterable<unknown>>)
      : (...args) => guarded(label, () => run(args));
    return onEnd === undefined ? method : reported(method, { name, onEnd, keepsItems });
  };
  const methods = Object.fromEntries(Object.keys(OPERATIONS).map((name) => [name, methodOf(name as OperationName)]));
  const app = { ...methods, openedFiles, as, close };
  return Object.defineProperty(app, 'notices', { get: notices, enumerable: true }) as unknown as App;
}

/** The scope that a caller needs for an operation. */
export function scopeOf(name: OperationName): Scope {
  return OPERATIONS[name].scope;
}

/** Whether an operation returns a stream of values. */
export function isStream(name: OperationName): boolean {
  return 'streams' in OPERATIONS[name];
}

/** Whether an operation runs until its caller ends it. */
export function isLasting(name: OperationName): boolean {
  return 'lasts' in OPERATIONS[name];
}

/** The command that writes with these arguments, as named in the error of read-only mode; null when the operation does not write. */
export function writtenBy(name: OperationName, args: readonly unknown[]): string | null {
  const { label, writes } = OPERATIONS[name] as {
    readonly label: string;
    readonly writes: boolean | ((...args: readonly unknown[]) => string | null);
  };
  return typeof writes === 'function' ? writes(...args) : writes ? label : null;
}

/** Throws `invalid_input`, with the field `scope`, when a caller lacks the scope that an operation needs. */
function requireScope(caller: Caller, name: OperationName): void {
  const { label, scope } = OPERATIONS[name];
  if (hasScope(caller, scope)) return;
  const { scopes } = caller;
  throw invalidInput(`${label} needs a token with the scope ${scope}; this one has ${scopes.join(', ') || 'none'}`, {
    field: 'scope',
    value: scope,
    allowed: [...scopes],
    hint: `ask an administrator for a token with the scope ${scope}`,
  });
}

function refuseWriting(name: OperationName, args: readonly unknown[]): void {
  const command = writtenBy(name, args);
  if (command === null) return;
  throw new KebabError('readonly_mode', `kebab ${command} writes, which read-only mode does not allow`, {
    details: { command },
  });
}

/** Reports the end of each call, whether or not its stream is read to its end. */
function reported(
  method: UseCase,
  { name, onEnd, keepsItems }: { readonly name: OperationName } & Required<Pick<FacadeInit, 'onEnd' | 'keepsItems'>>,
): UseCase {
  return (...args) => {
    const started = performance.now();
    const end = (results: readonly unknown[], error?: unknown): void =>
      onEnd?.({ name, ms: performance.now() - started, results, ...(isKebabError(error) ? { error } : {}) });
    if (isStream(name)) return reportedItems(method(...args) as AsyncIterable<unknown>, keepsItems === true, end);
    const result = method(...args) as Promise<unknown>;
    result.then(
      (value) => end([value]),
      (error: unknown) => end([], error),
    );
    return result;
  };
}

async function* reportedItems(
  items: AsyncIterable<unknown>,
  keepsItems: boolean,
  end: (results: readonly unknown[], error?: unknown) => void,
): AsyncGenerator {
  const seen: unknown[] = [];
  let failure: unknown;
  try {
    for await (const item of items) {
      if (keepsItems) seen.push(item);
      yield item;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    end(seen, failure);
  }
}

async function guarded(operation: string, run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    throw asKebabError(error, operation);
  }
}

async function* guardedItems(operation: string, open: () => Promise<AsyncIterable<unknown>>): AsyncGenerator {
  try {
    yield* await open();
  } catch (error) {
    throw asKebabError(error, operation);
  }
}

function asKebabError(error: unknown, operation: string): KebabError {
  if (isKebabError(error)) return error;
  return isAbort(error)
    ? new KebabError('cancelled', `${operation} was cancelled`, { details: { operation, reason: null }, cause: error })
    : classifyError(error, { operation });
}
