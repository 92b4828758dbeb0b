import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, invalidInput, nearestName, shownValue } from '../../src/errors/invalid-input.ts';

const FLAGS = ['--mode', '--max-tokens', '--snippet-chars', '--cursor', '--explain', '--media'];

describe('a long text in an error', () => {
  const LONG = `${'x'.repeat(198)}😀😀😀`;

  it('is cut between characters, never inside one', () => {
    expect(clipped(LONG)).toBe(`${'x'.repeat(198)}😀…`);
    expect(clipped(LONG, 199)).toBe(`${'x'.repeat(198)}…`);
    expect(shownValue(LONG)).toBe(`"${'x'.repeat(198)}…`);
  });

  it('stays whole when it is short enough', () => {
    expect(clipped('😀', 2)).toBe('😀');
  });
});

describe('the nearest name in an error', () => {
  it.each([
    ['there is no a', undefined, 'did you mean b?'],
    ['there is no a', 'see the list', 'did you mean b? see the list'],
    ['there is no a', 'did you mean "b"?', 'did you mean "b"?'],
    ['there is no a; did you mean b?', undefined, 'use b'],
    ['there is no a; did you mean b?', 'see the list', 'see the list'],
  ])('is shown once: %j with the hint %j', (message, hint, shown) => {
    expect(invalidInput(message, { suggestion: 'b', hint }).hint).toBe(shown);
  });
});

describe('nearestName', () => {
  it.each([
    ['--mdoe', '--mode'],
    ['--max-token', '--max-tokens'],
    ['--max_tokens', '--max-tokens'],
    ['--SNIPPET-CHARS', '--snippet-chars'],
    ['--cusror', '--cursor'],
    ['--medai', '--media'],
  ])('corrects %s to %s', (typed, meant) => {
    expect(nearestName(typed, FLAGS)).toBe(meant);
  });

  it.each(['--verbose-logging', 'xyzzy', '한국어'])('suggests nothing for %s', (typed) => {
    expect(nearestName(typed, FLAGS)).toBeUndefined();
  });

  it('suggests nothing when no names are known', () => {
    expect(nearestName('x', [])).toBeUndefined();
  });

  it('requires at least two letters in common', () => {
    expect(nearestName('-i', ['-C'])).toBeUndefined();
    expect(nearestName('x', ['k'])).toBeUndefined();
    expect(nearestName('', ['k'])).toBeUndefined();
  });

  it('prefers the first of equally near names', () => {
    expect(nearestName('bat', ['cat', 'hat'])).toBe('cat');
  });

  it('maps every known name to itself', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, selector: (name) => name.toLowerCase() }),
        (known) => {
          for (const name of known) expect(nearestName(name, known)).toBe(name);
        },
      ),
    );
  });

  it('tolerates one swap of neighbours in any name of six letters or more', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      minLength: 6,
      maxLength: 20,
    });
    fc.assert(
      fc.property(letters, fc.nat(), (name, seed) => {
        const at = seed % (name.length - 1);
        const swapped = name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
        expect(nearestName(swapped, [name])).toBe(name);
      }),
    );
  });
});
