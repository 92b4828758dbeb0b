import { describe, expect, it } from 'vitest';
import { postValidate } from '../../../src/ask/verify/post-validate.ts';
import { numbered } from '../evidence-example.ts';

const passages = numbered(
  'The tower was finished in March 1889.\nIt is 330 m high.',
  'It was designed by Sauvestre.',
  'x',
);

function validated(raw: string) {
  const result = postValidate(raw, passages);
  if (result.kind !== 'answer') throw new Error('no answer');
  return result;
}

describe('postValidate', () => {
  it.each(['', '  \n', '[[NO_EVIDENCE]] I cannot tell.', '[#1]', ' [1] [2] '])('finds no answer in %j', (raw) => {
    const written = raw.replace('[[NO_EVIDENCE]]', '').trim();
    expect(postValidate(raw, passages)).toEqual({ kind: 'no_answer', written });
  });

  it.each([
    '**[[NO_EVIDENCE]]**',
    '"[[NO_EVIDENCE]]"',
    '[NO_EVIDENCE]',
    '[[no evidence]]',
    '```\n[[NO_EVIDENCE]]\n```',
  ])('recognises the sentinel written as %j', (raw) => {
    expect(postValidate(raw, passages)).toEqual({ kind: 'no_answer', written: '' });
  });

  it('leaves out reasoning that only has a closing tag', () => {
    expect(validated('The first passage has it [#2].\n</think>\n\nIt is 330 m high [#1].')).toMatchObject({
      text: 'It is 330 m high [1].',
      reason: null,
    });
    expect(validated('Write this [#1]:\n\n```\nx\n</think>\n```')).toMatchObject({
      text: 'Write this [1]:\n\n```\nx\n</think>\n```',
    });
  });

  it.each([
    "I'm sorry, but the passages don't say what colour it is [#1].",
    'It cannot be determined from the passages what colour it is [#1].',
    'Die Dokumente sagen nicht, welche Farbe er hat [#1].',
    'Les documents ne précisent pas la couleur de la tour [#1].',
    '文書には色の記載がありません [#1]。',
  ])('does not ground a refusal in the words of the model: %s', (raw) => {
    expect(validated(raw)).toMatchObject({ reason: 'llm_self_judge' });
  });

  it.each(['No marker at all.', 'See [#99] [#0] there.', '[link](http://x)'])(
    'keeps %j, which cites nothing',
    (raw) => {
      expect(validated(raw)).toMatchObject({ reason: 'llm_self_judge', citations: [] });
    },
  );

  it("treats an answer that only says what the evidence does not as the model's refusal", () => {
    expect(validated('The passages do not say what colour it is [#1].')).toMatchObject({ reason: 'llm_self_judge' });
    expect(validated('It is 330 m high [#1]. The passages do not say what colour it is.')).toMatchObject({
      reason: null,
    });
  });

  it('lists citations in order of first appearance, each once', () => {
    const { text, citations } = validated('Designed by Sauvestre [#2]. Done in 1889 [#1][#2]. Nothing [#99].');
    expect(text).toBe('Designed by Sauvestre [2]. Done in 1889 [1][2]. Nothing.');
    expect(citations.map(({ marker, verified }) => [marker, verified])).toEqual([
      ['[2]', null],
      ['[1]', null],
    ]);
  });

  it('compares quotations with the passages that are cited with them', () => {
    const { citations } = validated('In "March 1889" [#1][#2] by "Eiffel" [#2], "330 m" [#1].');
    expect(citations.map(({ marker, quotes, verified }) => [marker, quotes, verified])).toEqual([
      [
        '[1]',
        [
          { text: 'March 1889', verified: true },
          { text: '330 m', verified: true },
        ],
        true,
      ],
      ['[2]', [{ text: 'Eiffel', verified: false }], false],
    ]);
  });

  it('compares a quotation of 100,000 characters like any other, whatever its content', () => {
    for (const text of ['(a+)+$ ', 'x']) {
      const quotation = text.repeat(100_000 / text.length).trim();
      const { citations } = validated(`It says “${quotation}” [#1].`);
      expect(citations.map(({ marker, verified }) => [marker, verified === true])).toEqual([['[1]', false]]);
    }
  });

  it('lists numbers that occur in no passage at all, and keeps the answer', () => {
    const { unsupported, reason } = validated('It is 331 m high and was done in 1889 [#1], 330 m [#2].');
    expect([unsupported, reason]).toEqual([['331 m'], 'unverified']);
  });

  it('reports the evidence of each sentence, narrowed to the quoted lines', () => {
    const { claims } = validated('It is "330 m" high [#1]. It was "330 m" [#1]. By "Eiffel" [#2]. No more.');
    expect(claims).toEqual([
      {
        text: 'It is "330 m" high.',
        evidence: [{ marker: '[1]', uri: 'notes/a.md#L2', quote: '330 m', verified: true }],
      },
      { text: 'It was "330 m".', evidence: [{ marker: '[1]', uri: 'notes/a.md#L2', quote: '330 m', verified: true }] },
      { text: 'By "Eiffel".', evidence: [{ marker: '[2]', uri: 'notes/a.md#L11', quote: 'Eiffel', verified: false }] },
      { text: 'No more.', evidence: [] },
    ]);
  });
});
