import { describe, expect, it } from 'vitest';
import { packed, unpacked } from '../../src/service/packed-values.ts';

/** A value after conversion to one line of text and back. */
function sent(value: unknown): unknown {
  return unpacked(JSON.parse(JSON.stringify(packed(value))));
}

describe('values sent to a service and back', () => {
  it.each([
    ['texts with line breaks', 'a\nb\u2028'],
    ['undefined', undefined],
    ['null', null],
    ['members that are undefined', { a: undefined, b: [undefined, null] }],
    ['dates', { at: new Date('2026-03-01T10:00:00.123Z'), wrong: new Date(Number.NaN) }],
    ['bytes', new Uint8Array([0, 255, 10, 13])],
    ['members named like the mark', { $: 'undefined', inner: { $: { $: 1 } } }],
    ['members named like the prototype', JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')],
  ])('keep %s', (_what, value) => expect(sent(value)).toStrictEqual(value));

  it('keep a view of bytes that is part of a larger buffer', () => {
    const whole = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(sent(whole.subarray(3, 5))).toStrictEqual(new Uint8Array([4, 5]));
  });

  it('replace functions by numbers, and a signal by a signal', () => {
    const calls: unknown[] = [];
    const signals: AbortSignal[] = [];
    const { signal } = new AbortController();
    const given = { onProgress: (...args: readonly unknown[]) => calls.push(args), signal };
    const text = JSON.stringify(packed(given, { callback: () => 7, signal: (one) => void signals.push(one) }));
    expect(signals).toEqual([signal]);
    const other = new AbortController();
    const got = unpacked(JSON.parse(text), {
      callback:
        (number) =>
        (...args) =>
          calls.push([number, ...args]),
      signal: () => other.signal,
    }) as typeof given;
    got.onProgress('a', 1);
    expect(calls).toEqual([[7, 'a', 1]]);
    expect(got.signal).toBe(other.signal);
  });
});
