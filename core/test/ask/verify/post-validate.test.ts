import { describe, expect, it } from 'vitest';
import { postValidate, unsupportedNumbers } from '../../../src/ask/verify/post-validate.ts';
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
  it.each([
    '',
    '  \n',
    '[[NO_EVIDENCE]] I cannot tell.',
    'No marker at all.',
    'See [1] and [#99] [#0].',
    '[link](http://x)',
  ])('finds no answer in %j', (raw) => {
    expect(postValidate(raw, passages)).toEqual({ kind: 'no_answer' });
  });

  it('lists citations in order of first appearance, each once', () => {
    const { text, citations } = validated('Designed by Sauvestre [#2]. Done in 1889 [#1][#2]. Nothing [#99].');
    expect(text).toBe('Designed by Sauvestre [2]. Done in 1889 [1][2]. Nothing.');
    expect(citations.map(({ marker, verified }) => [marker, verified])).toEqual([
      ['[2]', null],
      ['[1]', null],
    ]);
  });

  it('holds quotations against the passages that are cited with them', () => {
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

  it('flags numbers that stand in no passage, and refuses nothing for it', () => {
    expect(validated('It is 331 m high and was done in 1889 [#1].').unsupported).toEqual(['331']);
  });

  it('tells of each sentence what backs it, narrowed to the quoted lines', () => {
    const { claims } = validated('It is "330 m" high [#1]. It was "330 m" [#1]. By "Eiffel" [#2]. No more.');
    expect(claims).toEqual([
      {
        text: 'It is "330 m" high.',
        evidence: [{ marker: '[1]', uri: 'notes/a.md#L1-L2', quote: null, verified: null }],
      },
      { text: 'It was "330 m".', evidence: [{ marker: '[1]', uri: 'notes/a.md#L2', quote: '330 m', verified: true }] },
      { text: 'By "Eiffel".', evidence: [{ marker: '[2]', uri: 'notes/a.md#L11', quote: 'Eiffel', verified: false }] },
      { text: 'No more.', evidence: [] },
    ]);
  });
});

describe('unsupportedNumbers', () => {
  it.each<[string, string, readonly string[]]>([
    ['Built in 1889 [#1].', 'in 1889', []],
    ['Built in 1890 [#1].', 'in 1889', ['1890']],
    ['It cost 1,250 francs [#1].', 'it cost 1250', []],
    ['It cost 1250 francs [#1].', 'it cost 1,250', []],
    ["It cost 1'250.5 [#1].", '1250.5', []],
    ['It cost 12.5 [#1].', 'it cost 125', ['12.5']],
    ['On 5 January [#1].', '2024-01-05', []],
    ['Values 3,5 and 7 [#1].', 'values 3, 5 and 7', []],
    ['Values 3 and 5 [#1].', 'values 3,5', []],
    ['1. first\n2. second\n- 3) x', 'nothing', []],
    ['[#7] and [#99]', 'nothing', []],
    ['７ cups', '7 cups', []],
    ['H2O and 10th, 10%', 'H2O 10', []],
    ['5, 5 and 6', 'none', ['5', '6']],
    ['3만 5천 원', '3만', ['5']],
    ['literal [3] is a number', 'none', ['3']],
  ])('finds in %j, given %j, the unsupported %j', (answer, passage, expected) => {
    expect(unsupportedNumbers(answer, ['other text', passage])).toEqual(expected);
  });
});
