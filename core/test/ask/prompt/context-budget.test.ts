import { describe, expect, it } from 'vitest';
import { contextBudget } from '../../../src/ask/prompt/context-budget.ts';
import type { ResolvedConfig } from '../../../src/config/resolved-config.ts';

const rag = { maxContextTokens: 8000 } as ResolvedConfig['rag'];

describe('contextBudget', () => {
  it.each([
    [32_768, { promptTokens: 8000, completionTokens: 2048 }],
    [8192, { promptTokens: 6144, completionTokens: 2048 }],
    [2048, { promptTokens: 1536, completionTokens: 512 }],
    [1, { promptTokens: 0, completionTokens: 1 }],
  ])('shares a context of %i tokens', (contextTokens, expected) => {
    expect(contextBudget(contextTokens, rag)).toEqual(expected);
  });
});
