import { describe, expect, it } from 'vitest';
import { readNumbers } from '../src/read-numbers.ts';
import { blanked, rangeAt, startingIn } from '../src/sorted-ranges.ts';
import { judged } from './judged.ts';

const LENGTH = 50_000;
const passages = ['The wombat weighs 30 kg and lives in burrows. '.repeat(50)];

describe('judging adversarial answers of fifty thousand characters', () => {
  // In quadratic time, most of these take minutes.
  it.each([
    ['items', '- a\n', 'answer'],
    ['possible dates', '1-1-', 'answer'],
    ['possible codes', '한a-', 'answer'],
    ['digits with separators', '1,000,', 'answer'],
    ['numbers with units', '-5 km ', 'answer'],
    ['dates', '2020-01-01 ', 'answer'],
    ['citations in brackets', '[1][1]', 'no_answer'],
    ['citations in parentheses', '(1)(1)', 'no_answer'],
    ['quotations', '"a" "a" ', 'answer'],
    ['unclosed quotations', '「중', 'answer'],
    ['unclosed single quote marks', "'a ", 'answer'],
    ['emphasis', '**', 'no_answer'],
    ['full stops', '.', 'no_answer'],
    ['sentences without spaces', '中文。', 'answer'],
    ['Hangul without spaces', '대학교', 'answer'],
    ['a word without end', 'wombat', 'answer'],
    ['words that begin a denial', 'evidence ', 'answer'],
    ['code blocks', '```\n```\n', 'answer'],
    ['markers of nonexistent passages', 'a [#9] ', 'answer'],
    ['quotations from a passage', '"wombat" [1].\n', 'answer'],
  ])('finishes with %s', (_, shape, kind) => {
    const text = shape.repeat(LENGTH / shape.length);
    const { sentences, reason } = judged(text, passages, 'how heavy is a wombat?');
    expect(sentences.length > 0 ? 'answer' : 'no_answer').toBe(kind);
    // Nothing of this occurs in a passage except what is quoted from it.
    if (kind === 'answer') expect(reason === null).toBe(shape.startsWith('"wombat"'));
  });

  it('finishes with spaces before a word, and with spaces between two markers', () => {
    const spaces = ' '.repeat(LENGTH);
    expect(judged(`The wombat digs.\n${spaces}It weighs 30 kg [1].`, passages).sentences.length).toBe(2);
    expect(judged(`It weighs 30 kg [#1]${spaces}[#9]${spaces}and digs [#1].`, passages)).toMatchObject({
      text: `It weighs 30 kg [1]${spaces}and digs [1].`,
      reason: 'unknown_citation',
      findings: [{ start: 19, end: 19 }],
    });
  });

  it('checks each of 5,000 sentences, and passes every citation of a list on to its items', () => {
    const items = '- The wombat weighs 30 kg\n'.repeat(5000);
    const { reason, findings, sentences } = judged(`${items}[1]\n`, passages, 'how heavy is a wombat?');
    expect([reason, findings, sentences.filter(({ verdict }) => verdict === 'supported').length]).toEqual([
      null,
      [],
      5000,
    ]);
  });
});

describe('readNumbers', () => {
  it.each([
    ['a5,2만', ['#a5', '20000']],
    ['x5만 3,000억', ['#x5', '300000000000']],
    ['5만 1,1,1', ['50000', '1']],
    ['F-16 and a-b-c', ['#f16']],
    ['a한5', ['#a', '5']],
    ['a한-b', []],
    ['1-1-한', ['1', '1']],
  ])('reads the codes and scales of %s', (text, first) => {
    expect(readNumbers(text).map(({ alternatives }) => alternatives[0]?.[0])).toEqual(first);
  });
});

describe('sorted ranges', () => {
  const ranges = [
    { start: 2, end: 4 },
    { start: 4, end: 5 },
    { start: 8, end: 9 },
  ];

  it('are found by an offset inside them, and by their start', () => {
    expect([1, 2, 3, 4, 5, 8, 9].map((offset) => rangeAt(ranges, offset)?.start)).toEqual([
      undefined,
      2,
      2,
      4,
      undefined,
      8,
      undefined,
    ]);
    expect(startingIn(ranges, { start: 3, end: 8 })).toEqual([{ start: 4, end: 5 }]);
  });

  it('are blanked out of a text, except line feeds, even where they overlap', () => {
    expect(
      blanked('abc\ndefghi', [
        { start: 6, end: 8 },
        { start: 1, end: 5 },
        { start: 2, end: 7 },
      ]),
    ).toBe('a  \n    hi');
  });
});
