import { describe, expect, it } from 'vitest';
import { blake3Short } from '../../src/domain/blake3.ts';
import { hashPolicy, fingerprintOf } from '../../src/domain/policy-hash.ts';
import { DEFAULT_POLICY } from '@kebab/testing';

describe('hashPolicy', () => {
  it('hashes the canonical JSON of the settings read, named as in the configuration', () => {
    expect(hashPolicy(DEFAULT_POLICY, ['targetTokens', 'maxChunkTokens'])).toBe(
      blake3Short('{"max_chunk_tokens":4000,"target_tokens":500}'),
    );
  });

  it('depends neither on the order of the names nor on other settings', () => {
    const hash = hashPolicy(DEFAULT_POLICY, ['targetTokens', 'overlapTokens']);
    expect(hashPolicy({ ...DEFAULT_POLICY, windowLines: 1 }, ['overlapTokens', 'targetTokens'])).toBe(hash);
  });
});

const of = (version: string, own?: string): string =>
  fingerprintOf({ id: 'pdf', version, ...(own === undefined ? {} : { fingerprint: () => own }) });

describe('the fingerprint of a contribution', () => {
  it.each<[string, string | undefined, string]>([
    ['is id and version by default', undefined, 'pdf@1'],
    ['appends what the contribution declares', 'ocr=off', 'pdf@1+ocr=off'],
    ['is used unchanged when it already contains the version', 'pdf@1:abc', 'pdf@1:abc'],
    ['may contain the version under another name', 'ollama-caption@1:llava', 'ollama-caption@1:llava'],
    ['adds the version to a model revision', 'tiny@f00d', 'pdf@1+tiny@f00d'],
    ['adds the version to a longer one with the same beginning', 'pdf@12', 'pdf@1+pdf@12'],
  ])('%s', (_what, own, expected) => {
    expect(of('1', own)).toBe(expected);
  });

  it.each([undefined, '', 'ocr=off', 'pdf@1', 'pdf@1:abc', 'pdf@1+2', 'a@1.5', 'm@2'])(
    'changes when only the version is raised, whatever the fingerprint it declares: %s',
    (own) => {
      const prints = ['1', '1.5', '2', '12'].map((version) => of(version, own));
      expect(new Set(prints).size).toBe(prints.length);
    },
  );
});
