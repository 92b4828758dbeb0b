import { describe, expect, it } from 'vitest';
import { plainQuery, vectorRelevance } from '../../../src/ask/retrieval/retrieve-evidence.ts';
import { scoreGate } from '../../../src/ask/retrieval/score-gate.ts';
import { openForTests } from '../../kb/open-for-tests.ts';

const open = openForTests();

describe('vectorRelevance', () => {
  it.each([
    [0.7, 0],
    [0.6, 0],
    [0.9, 1],
    [0.95, 1],
    [0.8, 0.5],
    [-1, 0],
  ])('places the cosine %d between floor 0.7 and ceil 0.9 at %d', (cosine, expected) => {
    expect(vectorRelevance(cosine, { floor: 0.7, ceil: 0.9 })).toBeCloseTo(expected, 10);
  });

  it('divides nothing by nothing when floor and ceil are one', () => {
    expect(vectorRelevance(0.5, { floor: 0.5, ceil: 0.5 })).toBe(1);
    expect(vectorRelevance(0.4, { floor: 0.5, ceil: 0.5 })).toBe(0);
  });
});

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
    ['"', ''],
    ['-', '-'],
  ])('makes of %j the words %j', (text, expected) => {
    expect(plainQuery(text)).toBe(expected);
  });
});
