import { describe, expect, it } from 'vitest';
import { blake3Short } from '../../src/domain/blake3.ts';
import { hashPolicy } from '../../src/domain/policy-hash.ts';
import { DEFAULT_POLICY } from '../../src/testing/chunker-suite.ts';

describe('hashPolicy', () => {
  it('hashes the canonical JSON of the settings read, named as in the configuration', () => {
    expect(hashPolicy(DEFAULT_POLICY, ['targetTokens', 'maxChunkTokens'])).toBe(
      blake3Short('{"max_chunk_tokens":4000,"target_tokens":500}'),
    );
  });

  it('does not depend on the order in which they are named, nor on the others', () => {
    const hash = hashPolicy(DEFAULT_POLICY, ['targetTokens', 'overlapTokens']);
    expect(hashPolicy({ ...DEFAULT_POLICY, windowLines: 1 }, ['overlapTokens', 'targetTokens'])).toBe(hash);
  });
});
