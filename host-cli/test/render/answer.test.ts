import { describe, expect, it } from 'vitest';
import { renderAnswer } from '../../src/render/answer.ts';
import { renderExplainedAnswer } from '../../src/render/explained-answer.ts';
import { answer, cited, explained, gated, judged } from '../examples/answers.ts';
import { plain } from '../fakes/screens.ts';

const QUESTION = 'What are the Markdown chunking rules?';

describe('renderAnswer', () => {
  it('shows an answer with what it cites', () => {
    expect(renderAnswer(answer, plain)).toBe(
      [
        'Heading boundaries come first [1]. Code blocks are never cut in the middle [2].',
        'Tables stay in one chunk where possible [2]. Long sections are split by paragraph [1].',
        '',
        '─────────────────────────────────────────────────────────',
        '[1] notes/kebab-architecture.md#L661-L672',
        '    §14 Chunking policy',
        '[2] notes/kebab-architecture.md#L665-L668',
        '    §14 Chunking policy',
        '',
        'grounded ✓  qwen2.5:14b-instruct  rag-v2  3 chunks',
        '',
      ].join('\n'),
    );
  });

  it('flags quotations that were not found and numbers that stand nowhere', () => {
    const quotes = [{ text: 'x', verified: false }];
    const flagged = {
      ...answer,
      citations: [cited('[1]', 1, 2, { quotes, verified: false })],
      unsupported: ['12', '3.5'],
    };
    const lines = renderAnswer(flagged, plain).split('\n');
    expect(lines).toContain('[1] notes/kebab-architecture.md#L1-L2  ✗ quote not found');
    expect(lines.slice(-3)).toEqual(['unsupported: 12, 3.5', 'grounded ✓  qwen2.5:14b-instruct  rag-v2  3 chunks', '']);
  });

  it('shows a refusal at the gate with the closest candidates', () => {
    expect(renderAnswer(gated, plain)).toBe(
      [
        'Not enough evidence. The knowledge base has nothing on this.',
        'closest candidates (all below the threshold 0.30):',
        '  · notes/finance/personal-budget.md#L1-L8  (score 0.21)',
        '',
        'grounded ✗  qwen2.5:14b-instruct  rag-v2  0 chunks used',
        '',
      ].join('\n'),
    );
  });

  it('shows a refusal of the model with where it looked', () => {
    expect(renderAnswer(judged, plain)).toBe(
      [
        'Not enough evidence. The retrieved chunks do not contain the answer.',
        'searched, but the model found no answer in:',
        '  · papers/book.pdf#p=23  (score 0.61)',
        '  · papers/book.pdf#p=24  (score 0.58)',
        '',
        'grounded ✗  qwen2.5:14b-instruct  rag-v2  3 chunks searched, 0 grounded',
        '',
      ].join('\n'),
    );
  });

  it('names at most three candidates, and needs none', () => {
    const many = { ...gated, citations: [1, 2, 3, 4].map((line) => cited(null, line, line + 1)) };
    expect(renderAnswer(many, plain).match(/·/g)).toHaveLength(3);
    expect(renderAnswer({ ...gated, refusal_reason: 'no_chunks', citations: [] }, plain)).toBe(
      'Not enough evidence. The knowledge base has nothing on this.\n\ngrounded ✗  qwen2.5:14b-instruct  rag-v2  0 chunks used\n',
    );
  });

  it('lets no text of a document give orders to the terminal', () => {
    const uri = 'a\u001b[31m.md#L1-L2';
    const hostile = {
      ...answer,
      answer: 'red \u001b[31m',
      citations: [cited('[1]', 1, 2, { citation: { ...cited('[1]', 1, 2).citation, uri } })],
    };
    expect(renderAnswer(hostile, plain)).not.toContain('\u001b');
  });
});

describe('renderExplainedAnswer', () => {
  it('takes an answer apart', () => {
    expect(renderExplainedAnswer(explained, { question: QUESTION, rrfK: 60 }, plain)).toBe(
      [
        '▎ Heading boundaries come first',
        '  └ notes/kebab-architecture.md#L662',
        '    「heading boundaries take precedence」',
        '',
        'retrieval trace',
        '  query           "What are the Markdown chunking rules?"',
        '  mode            hybrid',
        '  k               8',
        '  threshold (gate) 0.30  → top-1 0.82  pass',
        '  fusion          rrf (k=60)',
        '  chunks (used)   3 / 8 returned',
        '    #1 0.82  notes/kebab-architecture.md#L661-L672  bm25=12.4 vec=0.78',
        '    #2 0.78  notes/kebab-architecture.md#L692-L713  bm25=10.1 vec=0.74',
        '    #3 0.55  guides/markdown-style.md#L4-L18  bm25=8.2 vec=0.61',
        '',
        'grounded ✓  qwen2.5:14b-instruct  rag-v2  3 chunks',
        'prompt   1184 tokens  completion 312 tokens  latency 1842 ms',
        'embedding multilingual-e5-small  index v1.0',
        '',
      ].join('\n'),
    );
  });

  it('explains a refusal by its candidates', () => {
    const refused = { ...gated, explain: { claims: [], trace: explained.explain?.trace } } as typeof gated;
    const screen = renderExplainedAnswer(refused, { question: QUESTION, rrfK: null }, plain);
    expect(screen).toContain('closest candidates (all below the threshold 0.30):');
    expect(screen).toContain('  threshold (gate) 0.30  → top-1 0.21  fail');
    expect(screen).toContain('  chunks (used)   0 / 1 returned');
  });
});
