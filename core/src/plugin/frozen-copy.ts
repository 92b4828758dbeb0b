import type { DeepReadonly } from '../contracts/hook.ts';
import { deepFreeze } from '../domain/deep-freeze.ts';

/** A copy of a plain value that nobody can change, all the way down; the value itself is left alone. */
export function frozenCopy<T>(value: T): DeepReadonly<T> {
  return deepFreeze(structuredClone(value)) as DeepReadonly<T>;
}
