/** Bytes that a text extractor must survive, with a description. */
export interface HostileText {
  readonly name: string;
  readonly trait: HostileTrait;
  readonly bytes: Uint8Array;
}

/** Common traits of hostile texts; a suite tests the texts of one trait together. */
export const HOSTILE_TRAITS = [
  'newlines of every kind',
  'characters of every kind',
  'encodings of every kind, damaged ones too',
  'things that are opened and never closed',
  'text that is long or deeply nested',
] as const;

/** One of {@link HOSTILE_TRAITS}. */
export type HostileTrait = (typeof HOSTILE_TRAITS)[number];

/** The content of each small text, by trait: a string, or its bytes if no string encodes to them. */
const SMALL: { readonly [T in HostileTrait]?: Readonly<Record<string, string | readonly number[]>> } = {
  'newlines of every kind': {
    'an empty file': '',
    'a BOM and nothing else': '\uFEFF',
    'one line feed': '\n',
    'blank lines only': '\n \n\t\n\n  \n',
    'CRLF newlines': '# one\r\n\r\ntwo\r\nthree\r\n\r\n- four\r\n- five\r\n',
    'CR newlines': '# one\r\rtwo\rthree\r',
    'all newlines mixed': 'one\r\n\rtwo\n\r\nthree\r\r\nfour',
    'a BOM before CRLF newlines': '\uFEFFone\r\n\r\ntwo\r\n',
    'a second BOM': '\uFEFF\uFEFFone\n\nt\uFEFFwo\n',
    'no final line feed': 'one\n\ntwo',
    'many final line feeds': `one${'\n'.repeat(50)}`,
  },
  'characters of every kind': {
    'decomposed (NFD) letters': 'ᄒ\u1161\u11ab글 caf\u0065\u0301\n\ne\u0301\u0327\n',
    'characters outside the basic plane': '😀 👩‍👩‍👧‍👦 𝔘𝔫𝔦\n\n𠮷野家 🇰🇷\n',
    'right-to-left text with marks': '\u202Eשלום\u202C עולם\n\nمرحبا \u200Fabc\u200E ١٢٣\n',
    'line separators that are not line feeds': 'a\u2028b\u2029c\u0085d\u000Be\u000Cf\n\ng\u2028\u2028h\n',
    'white space that is not ASCII': '\u00A0\n\n\u3000one\u3000\n\n\u2003\u200B\n',
    'NUL and control characters': 'a\0b\n\n\0\n\n\u0001\u001B[31mred\u007F\n',
    'tabs everywhere': '\t\tone\n\ttwo\n-\tthree\n\t\t\tfour\t\t\n',
    'every ASCII punctuation mark': '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\n'.repeat(20),
  },
  'encodings of every kind, damaged ones too': {
    'UTF-16, little endian': utf16('one\r\n\r\n둘 😀\n', true),
    'UTF-16, big endian': utf16('one\r\n\r\n둘 😀\n', false),
    'UTF-16, cut inside a character': utf16('one two', true).slice(0, -1),
    'UTF-16 with a lone surrogate': utf16('one \uD83D two \uDE00\n', true),
    'a UTF-16 BOM and nothing else': [0xff, 0xfe],
    'bytes that are not UTF-8': [0x6f, 0x6e, 0x65, 0x20, 0xff, 0xfe, 0x80, 0x0a, 0x0a, 0xc3, 0x28, 0x0a],
    'surrogates written as UTF-8': [0x61, 0xed, 0xa0, 0xbd, 0x62, 0x0a, 0xed, 0xb8, 0x80, 0x0a],
    'overlong and out-of-range UTF-8': [0xc0, 0xaf, 0x0a, 0xf4, 0x90, 0x80, 0x80, 0x0a, 0xf8, 0x88, 0x80, 0x80, 0x80],
    'UTF-8 cut inside a character': [0x6f, 0x6e, 0x65, 0x0a, 0x0a, 0xea, 0xb0],
    'EUC-KR bytes': [0xc7, 0xd1, 0xb1, 0xdb, 0x20, 0xbf, 0xf8, 0xb9, 0xae, 0x0a],
  },
  'things that are opened and never closed': {
    'an unclosed fence': 'one\n\n```rust\nfn main() {\n',
    'an unclosed front matter': '---\ntitle: [open\ntags: "x\n',
    'unclosed brackets, quotes and comments': 'f(\'a, "b, [c, {d, /* e\n\n<!-- f\n\n<div\n\n[g](h "i\n',
  },
};

/**
 * Texts that have broken extractors: no text, every kind of newline and encoding, astral and right-to-left characters, control characters,
 * damaged bytes, unclosed constructs, deep nesting, two megabytes on one line. None of them has front matter.
 */
export function hostileTexts(): readonly HostileText[] {
  const large = {
    'two megabytes on one line': 'lorem ipsum, dolor sit amet. '.repeat(72_000),
    'two megabytes without a space': '가나다라'.repeat(175_000),
    'twenty thousand short lines': 'a\n'.repeat(20_000),
    'ten thousand paragraphs': 'One two. Three four?\n\n'.repeat(10_000),
    'deeply nested quotes': `${'>'.repeat(3_000)} a\n`,
    'deeply nested brackets': `${'['.repeat(3_000)}${'('.repeat(3_000)}${'{'.repeat(3_000)}\n`,
  };
  const byTrait = { ...SMALL, 'text that is long or deeply nested': large };
  return HOSTILE_TRAITS.flatMap((trait) =>
    Object.entries(byTrait[trait] ?? {}).map(([name, content]) => ({
      name,
      trait,
      bytes: typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content),
    })),
  );
}

function utf16(text: string, littleEndian: boolean): readonly number[] {
  return `\uFEFF${text}`.split('').flatMap((unit) => {
    const code = unit.charCodeAt(0);
    return littleEndian ? [code & 255, code >> 8] : [code >> 8, code & 255];
  });
}

/** Short queries that have broken query parsers, one per line. */
const SHORT_QUERIES = String.raw`
a AND
a OR OR b
NOT
NEAR(a b, 2)
NEAR(a b
x:y
col : *
text:a
a-b
*
a*
^a
it's
(
(((
)
{text}: a
+a
"
"a
"unbalanced
""
a"
"""
""a""
a "b" "c
\"a
-
--
-"
-""
- -
- a
-a-b-c
-"a" -"b"
;--
'; DROP TABLE chunks;
%_%
$1 ?1 :a @b
서울의
ﬁ ǅ ß İ ſ`;

const REPEATED: Readonly<Record<string, number>> = {
  'word ': 3000,
  '-word ': 500,
  '"a" ': 300,
  한국: 2000,
  a가: 1000,
  x: 100_000,
  '(': 2000,
  'a -"b가" "c" ': 100,
};

/** Queries that have broken query parsers: operators of other languages, unbalanced quotes, very long ones, damaged text. */
export const HOSTILE_QUERIES: readonly string[] = [
  ...SHORT_QUERIES.split('\n'),
  ...Object.entries(REPEATED).map(([text, times]) => text.repeat(times)),
  ...['word ', 'a가 ', '가 '].map((text) => `"${text.repeat(1500)}"`),
  '\0',
  'a\0b',
  '\uD800',
  '\uDC00a',
  '\uFEFFa',
  'a\u202Eb',
  '😀a',
  '😀 "😀',
  'ि',
  '\u0301',
  '\n\t\r a',
];
