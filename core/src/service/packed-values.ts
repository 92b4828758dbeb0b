import { receiveError, sendError, type SentError } from '../errors/kebab-error.ts';

/** The replacement of functions and signals, which cannot be sent. */
export interface Packing {
  /** Registers a function that the other side may call and returns its number; return values are not sent back. */
  readonly callback: (call: (...args: readonly unknown[]) => unknown) => number;
  /** Registers a signal, which is sent with the call as a whole. */
  readonly signal: (signal: AbortSignal) => void;
}

/** The replacements of functions and signals on the other side. */
export interface Unpacking {
  readonly callback: (number: number) => (...args: readonly unknown[]) => void;
  readonly signal: () => AbortSignal;
}

/** The packing of values that contain neither functions nor signals. */
export const NO_FUNCTIONS: Packing = { callback: () => -1, signal: () => {} };

/** The unpacking of such values. */
export const NO_CALLBACKS: Unpacking = { callback: () => () => {}, signal: () => new AbortController().signal };

/** The member that marks values without a JSON form. */
const MARK = '$';

/**
 * Converts an argument or a result of an operation to JSON so that {@link unpacked} restores it: including undefined, bigint, NaN and
 * infinities, −0, dates, bytes and errors. Functions and signals are handled by the packing. Throws a TypeError for a symbol.
 */
export function packed(value: unknown, packing: Packing): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : marked('number', Object.is(value, -0) ? '-0' : String(value));
    case 'undefined':
      return marked('undefined');
    case 'bigint':
      return marked('bigint', String(value));
    case 'function':
      return marked('function', packing.callback(value as (...args: readonly unknown[]) => unknown));
    case 'object':
      return value === null ? null : packedObject(value, packing);
    default:
      throw new TypeError(`a ${typeof value} cannot be sent to a service`);
  }
}

function packedObject(value: object, packing: Packing): unknown {
  if (Array.isArray(value)) return value.map((one) => packed(one, packing));
  if (value instanceof Date) return marked('date', value.getTime());
  if (value instanceof Uint8Array) return marked('bytes', base64(value));
  if (value instanceof Error) return marked('error', packed(sendError(value), packing));
  if (value instanceof AbortSignal) {
    packing.signal(value);
    return marked('signal');
  }
  const members = Object.entries(value).map(([name, member]) => [name, packed(member, packing)] as const);
  const object = Object.fromEntries(members);
  return Object.hasOwn(value, MARK) ? marked('object', object) : object;
}

function marked(kind: string, value?: unknown): unknown {
  return value === undefined ? { [MARK]: kind } : { [MARK]: kind, value };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Restores the value that was {@link packed}. */
export function unpacked(value: unknown, unpacking: Unpacking): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => unpacked(one, unpacking));
  const object = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(object, MARK)) return unmarked(object, unpacking);
  return membersOf(object, unpacking);
}

function membersOf(object: Readonly<Record<string, unknown>>, unpacking: Unpacking): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, unpacked(member, unpacking)]));
}

function unmarked({ [MARK]: kind, value }: Readonly<Record<string, unknown>>, unpacking: Unpacking): unknown {
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(value);
    case 'bigint':
      return BigInt(value as string);
    case 'date':
      return new Date(value === null ? Number.NaN : (value as number));
    case 'bytes':
      return new Uint8Array(Buffer.from(value as string, 'base64'));
    case 'object':
      return membersOf(value as Readonly<Record<string, unknown>>, unpacking);
    case 'error':
      return receiveError(unpacked(value, unpacking) as SentError);
    case 'function':
      return unpacking.callback(value as number);
    case 'signal':
      return unpacking.signal();
    default:
      throw new TypeError(`a service sent a value of the unknown kind ${String(kind)}`);
  }
}
