import assert from 'node:assert/strict';
import { withDeadline } from '../errors/with-deadline.ts';

/** What some work gives, or its failure; it fails as still running when it has not ended after `limitMs`. */
export function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = (): Error => new assert.AssertionError({ message: `still running after ${limitMs / 1000} s` });
  return withDeadline(() => work, { operation: 'the work', timeoutMs: limitMs, late });
}
