import { blake3 } from '@noble/hashes/blake3.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { blake3Hex, blake3Id, blake3Ids } from '../../src/domain/blake3.ts';
import { blake3Short } from '@kebab/core';

const reference = (bytes: Uint8Array): string => Buffer.from(blake3(bytes)).toString('hex');

it('blake3Hex agrees with an independent implementation at sizes around the block and chunk limits of the hash', () => {
  for (const size of [0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 4097, 65_537, 300_001]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31 + size) % 251);
    expect(blake3Hex(bytes), `${size} bytes`).toBe(reference(bytes));
  }
});

it('blake3Hex, blake3Id and blake3Short return 64, 32 and 16 digits of the hash of the UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const whole = reference(new TextEncoder().encode(text));
      expect(blake3Hex(text)).toBe(whole);
      expect(blake3Id(text)).toBe(whole.slice(0, 32));
      expect(blake3Short(text)).toBe(whole.slice(0, 16));
    }),
  );
});

it('blake3Hex hashes texts longer than its reused buffer', () => {
  for (const length of [5_000, 70_000]) {
    const text = '한'.repeat(length);
    expect(blake3Hex(text)).toBe(reference(new TextEncoder().encode(text)));
  }
});

it('blake3Ids returns the blake3Id of each text, whatever its characters and length', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', 'é', '한', '😀', '\n'), maxLength: 300 });
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(blake3Ids(texts)).toEqual(texts.map(blake3Id));
    }),
  );
  const long = Array.from({ length: 3 }, (_, i) => `${i}${'é한'.repeat(30_000)}`);
  expect(blake3Ids(long)).toEqual(long.map(blake3Id));
});
