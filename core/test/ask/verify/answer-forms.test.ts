import { describe, expect, it } from 'vitest';
import type { PromptPassage } from '../../../src/contracts/groundedness-checker.ts';
import { readAnswer } from '../../../src/ask/verify/read-answer.ts';

const passages: readonly PromptPassage[] = ['Oven', 'Flour and salt', 'Delivery'].map((title, at) => ({
  number: at + 1,
  title,
  headingPath: [],
  path: ['bakery/oven.md', 'bakery/flour.md', 'delivery.md'][at] ?? '',
  text: 'The oven is lit at 03:30.',
  orders: [],
}));

function read(raw: string): { readonly text: string; readonly cited: readonly number[] } {
  const { answer } = readAnswer(raw, { question: '', passages, isCutOff: false });
  return { text: answer.text, cited: answer.citations.flatMap(({ numbers }) => numbers) };
}

describe('the forms of a citation', () => {
  it.each<[string, readonly number[]]>([
    ['It is lit \\[2\\].', [2]],
    ['It is lit [citation:2][citation: 3].', [2, 3]],
    ['It is lit [cite: 2, 3].', [2, 3]],
    ['It is lit [^2^].', [2]],
    ['It is lit [ID:2].', [2]],
    ['It is lit [source_2].', [2]],
    ['It is lit [Quelle 2].', [2]],
    ['点火します［２］。', [2]],
    ['It is lit [#2, line 4].', [2]],
    ['It is lit [2, lines 4-6].', [2]],
    ['It is lit [2, p. 7].', [2]],
    ['It is lit [2: flour.md].', [2]],
    ['It is lit [2 - Flour and salt].', [2]],
    ['It is lit [bakery/flour.md].', [2]],
    ['It is lit [flour.md#L2-L4].', [2]],
    ['It is lit [flour.md](bakery/flour.md).', [2]],
    ['It is lit (flour.md).', [2]],
    ['It is lit (Source: flour.md).', [2]],
    ['It is lit [oven.md, flour.md].', [1, 2]],
    ['It is lit [Flour and salt].', [2]],
    ['It is lit.<sup>2</sup>', [2]],
    ['It is lit.<sup>[2]</sup>', [2]],
    ['It is lit <ref>2</ref>.', [2]],
    ['It is lit <cite id="2"/>.', [2]],
    ['It is lit {2}.', [2]],
    ['It is lit {{2}}.', [2]],
    ['It is lit. (Source: [2])', [2]],
    ['点火します（出典：[2]）。', [2]],
    ['Er wird geheizt (siehe Quelle 2).', [2]],
    ['The oven (see passage 2), is lit early (passage 1).', [2, 1]],
    ['(2) The oven is lit early.', [2]],
    ['يبدأ الفرن [٢].', [2]],
    ['It is 3 m<sup>2</sup> wide.', []],
    ['It is lit [Step one].', []],
    ['It is $x^{2}$ wide.', []],
    ['Run `list[2]` {9}.', []],
    ['(1) Light it early.\n(2) Close it late.', []],
  ])('reads %j', (raw, cited) => {
    expect(read(raw).cited).toEqual(cited);
  });
});

describe('reasoning that leaks into an answer', () => {
  it.each([
    '<think>Perhaps at 4?</think>It is lit [1].',
    '<thought>Perhaps at 4?</thought>\nIt is lit [1].',
    '<thoughts>\nPerhaps at 4?\n</thoughts>\n\nIt is lit [1].',
    '<reasoning>Perhaps at 4?</reasoning> It is lit [1].',
    'Perhaps at 4?</think> It is lit [1].',
    'Perhaps\n\nat 4?\n</thinking>\nIt is lit [1].',
    '◁think▷Perhaps at 4?◁/think▷It is lit [1].',
    '[THINK]Perhaps at 4?[/THINK]It is lit [1].',
    '<|channel|>analysis<|message|>Perhaps at 4?<|end|><|start|>assistant<|channel|>final<|message|>It is lit [1].<|return|>',
    'It is <think>or is it?</think>lit [1].',
    'It is lit [1].<|im_end|>',
  ])('is left out of %j', (raw) => {
    expect(read(raw).text).toBe('It is lit [1].');
  });

  it('leaves no answer when it never ends', () => {
    expect(read('<think>Perhaps at 4?').text).toBe('');
  });

  it('is told from a tag that the answer is about', () => {
    expect(read('Write `</think>` at the end [1].').text).toBe('Write `</think>` at the end [1].');
  });
});

describe('an answer in JSON', () => {
  it.each([
    ['{"answer": "It is lit.", "citations": [2]}', 'It is lit [2].'],
    ['```json\n{"answer": "It is lit.", "sources": ["2"]}\n```', 'It is lit [2].'],
    [
      '{"sentences": [{"text": "It is lit.", "passages": [1]}, {"text": "It cools.", "passages": [2, 3]}]}',
      'It is lit [1].\nIt cools [2][3].',
    ],
    ['{"response": {"text": "It is lit.", "references": [{"id": 2}]}}', 'It is lit [2].'],
    ['[{"claim": "It is lit", "source": 2}]', 'It is lit [2]'],
    ['{"answer": "It is lit.", "citations": ["flour.md"]}', 'It is lit [2].'],
    ['{"answer": "It is lit [2].", "citations": [2]}', 'It is lit [2].'],
    ['{"temperature": 230}', '{"temperature": 230}'],
    ['{not json}', '{not json}'],
  ])('is read as its text: %j', (raw, text) => {
    expect(read(raw).text).toBe(text);
  });
});
