/** How the calls of an object are checked. */
export interface CallWatch {
  /** The error thrown instead of what a call threw; called once per failure. */
  readonly failure: (error: unknown, method: string) => Error;
  /** The error thrown for an answer or an item that violates the contract. */
  readonly broken: (fault: string, method: string) => Error;
  /** Describes what is wrong with the answer of a method, as one line; null when it meets the contract. */
  readonly fault: (method: string, answer: unknown, args: readonly unknown[]) => string | null;
  /** Describes what is wrong with one item that a method yields. */
  readonly faultInItem: (method: string, item: unknown, index: number) => string | null;
}

type Method = (...args: readonly unknown[]) => unknown;

/**
 * Wraps an object so that its methods are checked: what they throw, return and yield, synchronously or later. Members are read on each
 * access, so that getters remain getters; methods are called on the object itself, which may be frozen or have private members.
 */
export function guardedObject<T extends object>(object: T, watch: CallWatch): T {
  const wrappers = new Map<string, { readonly of: unknown; readonly wrapper: Method }>();
  return new Proxy(Object.create(null) as T, {
    has: (_, key) => key in object,
    get: (_, key) => {
      const value = read(object, key, watch);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      let known = wrappers.get(key);
      if (known?.of !== value) {
        known = { of: value, wrapper: watched(object, { key, method: value as Method }, watch) };
        wrappers.set(key, known);
      }
      return known.wrapper;
    },
  });
}

function read(object: object, key: PropertyKey, watch: CallWatch): unknown {
  try {
    return Reflect.get(object, key);
  } catch (error) {
    throw watch.failure(error, String(key));
  }
}

function watched(
  object: object,
  { key, method }: { readonly key: string; readonly method: Method },
  watch: CallWatch,
): Method {
  return (...args) => {
    let answer: unknown;
    try {
      answer = method.apply(object, args as unknown[]);
    } catch (error) {
      throw watch.failure(error, key);
    }
    if (isThenable(answer)) return settled(answer, { key, args }, watch);
    if (isIterable(answer)) return items(answer, { key, args }, watch);
    return checked(answer, { key, args }, watch);
  };
}

interface Call {
  readonly key: string;
  readonly args: readonly unknown[];
}

async function settled(answer: PromiseLike<unknown>, call: Call, watch: CallWatch): Promise<unknown> {
  let value: unknown;
  try {
    value = await answer;
  } catch (error) {
    throw watch.failure(error, call.key);
  }
  return checked(value, call, watch);
}

function checked(answer: unknown, { key, args }: Call, watch: CallWatch): unknown {
  const fault = watch.fault(key, answer, args);
  if (fault !== null) throw watch.broken(fault, key);
  return answer;
}

async function* items(answer: AsyncIterable<unknown>, call: Call, watch: CallWatch): AsyncGenerator {
  let iterator: AsyncIterator<unknown> | undefined;
  try {
    for (let index = 0; ; index++) {
      let next: IteratorResult<unknown>;
      try {
        iterator ??= answer[Symbol.asyncIterator]();
        next = await iterator.next();
      } catch (error) {
        throw watch.failure(error, call.key);
      }
      if (next.done === true) return;
      const fault = watch.faultInItem(call.key, next.value, index);
      if (fault !== null) throw watch.broken(fault, call.key);
      yield next.value;
    }
  } finally {
    void stop(iterator);
  }
}

/** Closes an abandoned stream without waiting for it. */
async function stop(iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await iterator?.return?.();
  } catch {
    // It was closed already.
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
