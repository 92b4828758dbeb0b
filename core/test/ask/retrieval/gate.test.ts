import { describe, expect, it } from 'vitest';
import { plainQuery, scoreGate } from '../../../src/ask/retrieval/retrieve-evidence.ts';
import { openForTests } from '../../kb/open-for-tests.ts';

const open = openForTests();

describe('scoreGate', () => {
  it('is one for all modes until a mode has its own', async () => {
    const { config } = await open();
    expect([scoreGate(config.rag, 'lexical'), scoreGate(config.rag, 'hybrid')]).toEqual([0.3, 0.3]);
    const { config: other } = await open({
      env: { KEBAB_RAG_SCORE_GATE: '0.2', KEBAB_RAG_SCORE_GATE_LEXICAL: '0', KEBAB_RAG_SCORE_GATE_VECTOR: '0.6' },
    });
    expect(['lexical', 'vector', 'hybrid'].map((mode) => scoreGate(other.rag, mode as 'lexical'))).toEqual([
      0, 0.6, 0.2,
    ]);
  });
});

describe('plainQuery', () => {
  it.each([
    ['a "b c" -d --e f-g', 'a b c d e f-g'],
    ['+a +"b" C++ 1+1', 'a b C++ 1+1'],
    ['"', ''],
    ['-', '-'],
  ])('converts %j to the words %j', (text, expected) => {
    expect(plainQuery(text)).toBe(expected);
  });
});
