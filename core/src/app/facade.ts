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
  readonly as: App['as'];
  readonly close: () => Promise<void>;
}

/** The names in the table of operations. */
export type OperationName = keyof typeof OPERATIONS;

/** A use case with its ports bound. */
export type UseCase = (...args: readonly unknown[]) => unknown;

/**
 * Creates the facade for all operations. Whatever they throw becomes a `KebabError`, an abort becomes `cancelled`; in read-only mode
 * operations that write are rejected before anything happens.
 */
export function createFacade({ open, notices, openedFiles, readonly, caller, as, close }: FacadeInit): App {
  const methodOf = (name: OperationName): UseCase => {
    const { label } = OPERATIONS[name];
    const run = async (args: readonly unknown[]): Promise<unknown> => {
      if (caller !== undefined) requireScope(caller, name);
      if (readonly) refuseWriting(name, args);
      return (await open(name))(...args);
    };
    if (isStream(name)) return (...args) => guardedItems(label, () => run(args) as Promise<AsyncIterable<unknown>>);
    return (...args) => guarded(label, () => run(args));
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

function requireScope(caller: Caller, name: OperationName): void {
  const { label, scope } = OPERATIONS[name];
  if (hasScope(caller, scope)) return;
  const allowed = [...caller.scopes];
  throw invalidInput(`${label} needs a token with the scope ${scope}; this one has ${allowed.join(', ') || 'none'}`, {
    field: 'scope',
    value: scope,
    allowed,
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
