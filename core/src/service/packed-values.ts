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
const NO_FUNCTIONS: Packing = { callback: () => -1, signal: () => {} };
/** The unpacking of such values. */
const NO_CALLBACKS: Unpacking = { callback: () => () => {}, signal: () => new AbortController().signal };

/** The member that marks values without a JSON form. */
const MARK = '$';

/**
 * Converts an argument or a result of an operation to JSON so that {@link unpacked} restores it, with dates, bytes and undefined.
 * Functions and signals are handled by the packing.
 */
export function packed(value: unknown, packing: Packing = NO_FUNCTIONS): unknown {
  if (value === undefined) return { [MARK]: 'undefined' };
  if (typeof value === 'function')
    return { [MARK]: 'function', value: packing.callback(value as (...args: readonly unknown[]) => unknown) };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => packed(one, packing));
  if (value instanceof Date) return { [MARK]: 'date', value: value.getTime() };
  if (value instanceof Uint8Array) return { [MARK]: 'bytes', value: Buffer.from(value).toString('base64') };
  if (value instanceof AbortSignal) {
    packing.signal(value);
    return { [MARK]: 'signal' };
  }
  const object = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, packed(member, packing)]));
  return Object.hasOwn(value, MARK) ? { [MARK]: 'object', value: object } : object;
}

/** Restores the value that was {@link packed}. */
export function unpacked(value: unknown, unpacking: Unpacking = NO_CALLBACKS): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => unpacked(one, unpacking));
  const object = value as Readonly<Record<string, unknown>>;
  return Object.hasOwn(object, MARK) ? unmarked(object, unpacking) : withMembers(object, unpacking);
}

function withMembers(object: Readonly<Record<string, unknown>>, unpacking: Unpacking): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, unpacked(member, unpacking)]));
}

function unmarked({ [MARK]: kind, value }: Readonly<Record<string, unknown>>, unpacking: Unpacking): unknown {
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'date':
      return new Date((value as number | null) ?? Number.NaN);
    case 'bytes':
      return new Uint8Array(Buffer.from(value as string, 'base64'));
    case 'object':
      return withMembers(value as Readonly<Record<string, unknown>>, unpacking);
    case 'function':
      return unpacking.callback(value as number);
    case 'signal':
      return unpacking.signal();
    default:
      throw new TypeError(`a service sent a value of the unknown kind ${String(kind)}`);
  }
}
