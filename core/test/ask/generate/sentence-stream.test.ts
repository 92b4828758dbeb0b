import { describe, expect, it } from 'vitest';
import { SentenceStream } from '../../../src/ask/generate/sentence-stream.ts';

function read(...tokens: readonly string[]): string {
  const stream = new SentenceStream(99);
  return tokens.map((token) => stream.push(token)).join('') + stream.end();
}

const TWO =
  '{"sentences": [{"text": "It dries.", "passages": [2]}, {"text": "It is \\"2 mm\\" wide", "passages": [1, 3, 1]}]}';

describe('a structured answer', () => {
  it.each([
    ['two sentences', TWO, 'It dries [2]. It is "2 mm" wide [1][3].'],
    ['no sentence', '{"sentences": []}', ''],
    ['a sentence without passages', '{"sentences":[{"text":"It dries.","passages":[]}]}', 'It dries.'],
    ['markers that the model wrote itself', '{"sentences":[{"text":"It dries [2].","passages":[2]}]}', 'It dries [2].'],
    [
      'a question mark and a closing quote',
      '{"sentences":[{"text":"He said \\"why?\\"","passages":[1]}]}',
      'He said "why [1]?"',
    ],
    ['members in another order', '{"sentences":[{"passages":[2],"text":"It dries."}]}', 'It dries [2].'],
    ['escapes', '{"sentences":[{"text":"a\\\\b \\u00e9\\n\\ud83d\\ude00 c.","passages":[1]}]}', 'a\\b é 😀 c [1].'],
    ['a fence of code', '```json\n{"sentences":[{"text":"It dries.","passages":[2]}]}\n```', 'It dries [2].'],
    ['white space before it', ' \n{"sentences":[{"text":"It dries.","passages":[2]}]}', 'It dries [2].'],
    ['text after it', '{"sentences":[{"text":"It dries.","passages":[2]}]} Done.', 'It dries [2].'],
    [
      'blank sentences',
      '{"sentences":[{"text":" ","passages":[2]},{"text":"It dries.","passages":[2]}]}',
      'It dries [2].',
    ],
    ['a Chinese sentence', '{"sentences":[{"text":"每周二检测。","passages":[7]}]}', '每周二检测 [7]。'],
    ['another object', '{"answer":"It dries."}', ''],
  ])('with %s becomes text with markers', (_, json, text) => {
    expect(read(json)).toBe(text);
  });

  it('gives the same text wherever its tokens are cut', () => {
    const json = `${TWO.slice(0, -2)},{"text":"Ein Gerät \\u00fc\\n\\ud83d\\ude00 ja.","passages":[4]}]}`;
    const whole = read(json);
    for (let at = 1; at < json.length; at++) expect(read(json.slice(0, at), json.slice(at))).toBe(whole);
    for (const size of [1, 2, 3, 7]) expect(read(...(json.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []))).toBe(whole);
  });

  it('never takes back what it has shown', () => {
    const stream = new SentenceStream(99);
    let shown = '';
    for (const token of TWO) shown += stream.push(token);
    shown += stream.end();
    expect(shown).toBe(read(TWO));
  });

  it('shows a sentence while it is written, and its full stop after its markers', () => {
    const stream = new SentenceStream(99);
    expect(stream.push('{"sentences":[{"text":"It dries')).toBe('It dries');
    expect(stream.push('.", "passages":[')).toBe('');
    expect(stream.push('2]},')).toBe('');
    expect(stream.push('{"text":"And')).toBe(' [2]. And');
  });
});

describe('a structured answer that was cut off', () => {
  it.each([
    ['in a sentence', '{"sentences":[{"text":"It dries","passages":[2]},{"text":"And the', 'It dries [2]. And the.'],
    ['in an escape', '{"sentences":[{"text":"It\\u00', 'It.'],
    ['in its passages', '{"sentences":[{"text":"It dries.","passages":[2', 'It dries [2].'],
    ['before its passages', '{"sentences":[{"text":"It dries.","pass', 'It dries.'],
    ['before its first sentence', '{"sentences":[', ''],
    ['in the fence', '```js', '```js'],
  ])('%s counts as far as it was written', (_, json, text) => {
    expect(read(json)).toBe(text);
  });
});

describe('a text that is no object', () => {
  it.each(['It dries [2].', '[[NO_EVIDENCE]]', '`code` first', '', 'json is a format', '[1] is the note'])(
    'passes unchanged: %j',
    (text) => {
      expect(read(text)).toBe(text);
      expect(read(...text)).toBe(text);
    },
  );
});

describe('the end of a structured answer', () => {
  it.each([
    ['', false],
    [' \n', false],
    [' '.repeat(64), true],
    ['\n{"sentences":[{"text":"Again."}]}', true],
  ])('is reached when a server goes on with %j: %s', (behind, expected) => {
    const stream = new SentenceStream(1);
    stream.push(`{"sentences":[{"text":"It dries.","passages":[1]}]}${behind}`);
    expect(stream.isComplete).toBe(expected);
  });

  it('is reached when white space fills an open object', () => {
    const stream = new SentenceStream(1);
    stream.push(`{"sentences":[{"text":"It dries.","passages":[1]}${' '.repeat(64)}`);
    expect(stream.isComplete).toBe(true);
  });
});
