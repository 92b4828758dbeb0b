import { describe, expect, it } from 'vitest';
import { letterPattern } from '../../src/analysis/letter-pattern.ts';

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

describe('letterPattern', () => {
  it.each(['L', 'Lu', 'Ll', 'Lo', 'M', 'N'])(
    'finds the ASCII characters that have the property %s, and no other',
    (name) => {
      const source = String.raw`[\p{${name}}]`;
      const pattern = letterPattern(source, 'u');
      const whole = new RegExp(source, 'u');
      expect(ASCII.filter((character) => pattern(character).test(character))).toEqual(
        ASCII.filter((character) => whole.test(character)),
      );
    },
  );

  it('finds letters of any script in a text that is not all ASCII', () => {
    const pattern = letterPattern(String.raw`[\p{Lu}][\p{Ll}]+`, 'gu');
    const text = 'Öl und Zürich, Київ and Rust';
    expect(text.match(pattern(text))).toEqual(['Öl', 'Zürich', 'Київ', 'Rust']);
    expect('Rust and Go'.match(pattern('Rust and Go'))).toEqual(['Rust', 'Go']);
  });

  it('refuses a property that it does not know the ASCII characters of', () => {
    expect(() => letterPattern(String.raw`[\p{Sc}]`, 'u')('$')).toThrow(String.raw`\p{Sc}`);
  });
});
