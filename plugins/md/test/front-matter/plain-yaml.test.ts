import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlainYaml, parseTimestamp } from '../../src/front-matter/plain-yaml.ts';
import { parseYaml } from '../../src/front-matter/parse-yaml.ts';

const WORDS = ['note', 'two words', 'true', 'No', 'on', 'null', '~', '2024', '007', '1.10', '1e3', '0x1F', '12:30'];
const ODD = ['', ' ', 'a: b', 'a #b', 'a#b', 'x:', '- a', '[a', 'a]', '{a}', '&a', '*a', '!a', '|', '> a', '%a', '@a'];
const TEXTS = [
  '2024-01-02',
  '02/26/2019',
  'C++',
  "it's",
  'say "hi"',
  'a, b',
  '한국어 제목',
  'é',
  'a\u00A0b',
  '\u3000x',
  'a\\b',
];
const scalar = fc.oneof(
  fc.constantFrom(...WORDS, ...ODD, ...TEXTS),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(...WORDS, ...ODD, ...TEXTS).map((text) => `"${text}"`),
  fc.constantFrom(...WORDS, ...ODD, ...TEXTS).map((text) => `'${text}'`),
);
const flow = fc
  .tuple(fc.array(scalar, { maxLength: 4 }), fc.constantFrom(',', ', ', ' , '), fc.constantFrom('', ',', ', '))
  .map(([items, comma, last]) => `[${items.join(comma)}${last}]`);
const block = fc
  .tuple(fc.array(scalar, { minLength: 1, maxLength: 3 }), fc.constantFrom('- ', '  - ', '    -  '))
  .map(([items, dash]) => items.map((item) => `\n${dash}${item}`).join(''));
const key = fc.constantFrom('title', 'tags', 'id', 'ms.date', 'a', 'b-c', '_d', 'null', 'yes', 'k y', 'é');
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(key, fc.constantFrom(': ', ':  ', ':', ' : '), fc.oneof(scalar, flow))
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.tuple(key, fc.constant(':'), block).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('', '# comment', '  indented', '...', 'a: # comment', 'b: x # comment') },
);

describe('parsePlainYaml', () => {
  it('agrees with the YAML library whenever it returns a result', () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const raw = `${lines.join('\n')}\n`;
        const plain = parsePlainYaml(raw);
        if (plain === undefined) return;
        answered++;
        expect({ raw, values: Object.fromEntries(plain) }).toEqual({ raw, values: parseYaml(raw) ?? {} });
      }),
      { numRuns: 2000, seed: 20_240_102 },
    );
    expect(answered).toBeGreaterThan(200);
  });

  it.each([
    ['title: A note\nms.date: 02/26/2019\n', { title: 'A note', 'ms.date': '02/26/2019' }],
    ['a: "x: y"\nb: \'z # w\'\n', { a: 'x: y', b: 'z # w' }],
    ['a: [one, "two, three", \'four\']\n', { a: ['one', 'two, three', 'four'] }],
    ['a:\n  - one\n  - 2\nb:\n', { a: ['one', 2], b: null }],
    ['n: 2024\ntitle: 2024\n', { n: 2024, title: '2024' }],
    ['published: yes\ntitle: Yes\n', { published: true, title: 'Yes' }],
    ['id: 437783bd-8eb4-4508-8b73-7380116e9d71\n', { id: '437783bd-8eb4-4508-8b73-7380116e9d71' }],
  ])('parses %j', (raw, expected) => {
    expect(Object.fromEntries(parsePlainYaml(raw) ?? [])).toEqual(expected);
  });

  it.each(['a: |\n  text\n', 'a: {b: c}\n', 'a: b\na: c\n', 'a: "x\\n"\n', 'a: &x b\n', 'a:\n  b: c\n', 'a\tb: c\n'])(
    'returns undefined for %j, which needs the YAML library',
    (raw) => {
      expect(parsePlainYaml(raw)).toBeUndefined();
    },
  );
});

describe('parseTimestamp', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02t03:04:05.678901z', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02 03:04:05+09:00', '2024-01-01T18:04:05.000Z'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ])('parses %s', (source, expected) => {
    expect(parseTimestamp(source)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2024',
    '2024-1-2',
    '2023-02-29',
    '2024-13-01',
    '2024-01-02T24:00:00Z',
    '2024-01-02T03:04Z',
    '03:04:05',
  ])('rejects %j', (source) => {
    expect(parseTimestamp(source)).toBeUndefined();
  });
});
