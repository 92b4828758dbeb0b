import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/domain/decode-text.ts';

const decode = (...bytes: readonly number[]): ReturnType<typeof decodeText> => decodeText(Uint8Array.from(bytes));

describe('decodeText', () => {
  it('decodes UTF-8 and removes one BOM', () => {
    expect(decode(0xef, 0xbb, 0xbf, 0xea, 0xb0, 0x80)).toEqual({ text: '가', warnings: [] });
    expect(decode(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf).text).toBe('\uFEFF');
  });

  it('honours the BOMs of UTF-16', () => {
    expect(decode(0xff, 0xfe, 0x00, 0xac, 0x0d, 0x00, 0x0a, 0x00)).toEqual({ text: '가\n', warnings: [] });
    expect(decode(0xfe, 0xff, 0xac, 0x00)).toEqual({ text: '가', warnings: [] });
  });

  it('turns CRLF and CR into LF', () => {
    expect(decodeText(new TextEncoder().encode('a\r\nb\rc\n\rd\r\r\n')).text).toBe('a\nb\nc\n\nd\n\n');
  });

  it('decodes text without Unicode normalisation', () => {
    expect(decodeText(new TextEncoder().encode('e\u0301')).text).toBe('e\u0301');
  });

  it.each([[[0x61, 0xff]], [[0xea, 0xb0]], [[0xed, 0xa0, 0xbd]], [[0xff, 0xfe, 0x3d, 0xd8]], [[0xff, 0xfe, 0x61]]])(
    'decodes %j with U+FFFD and one warning',
    (bytes) => {
      const { text, warnings } = decode(...bytes);
      expect(text).toContain('\uFFFD');
      expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
    },
  );

  it('does not warn about a U+FFFD that the file itself contains', () => {
    expect(decodeText(new TextEncoder().encode('a\uFFFDb'))).toEqual({ text: 'a\uFFFDb', warnings: [] });
  });

  it('reads XML in the encoding that it declares', () => {
    const xml = '<?xml version="1.0" encoding="ISO-8859-2"?>\n<a>';
    expect(decodeText(inLatin1(`${xml}\u00B3`))).toEqual({ text: `${xml}ł`, warnings: [] });
    expect(decodeText(inLatin1(xml.replace('ISO-8859-2', 'UTF-16')))).toMatchObject({ warnings: [] });
  });

  it('reads the encoding that the caller gives, unless the bytes are UTF-8, or invalid in that encoding', () => {
    expect(decodeText(inLatin1('\u00D0'), { declared: 'koi8-r' })).toEqual({ text: 'п', warnings: [] });
    expect(decodeText(new TextEncoder().encode('Ж'), { declared: 'koi8-r' })).toEqual({ text: 'Ж', warnings: [] });
    for (const declared of ['utf-8', 'klingon', 'utf-16le', 'euc-kr'])
      expect(decodeText(inLatin1('M\u00FCller und'), { declared }).text).toBe('M\uFFFDller und');
  });
});

const inLatin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Encodes a text in windows-1252, in which typographic characters have codes that Latin-1 does not use. */
const inWindows1252 = (text: string): Uint8Array => {
  const signs: Readonly<Record<string, number>> = {
    '“': 0x93,
    '”': 0x94,
    '’': 0x92,
    '–': 0x96,
    '€': 0x80,
    œ: 0x9c,
    '…': 0x85,
  };
  return Uint8Array.from(text, (letter) => signs[letter] ?? letter.charCodeAt(0));
};

const inUtf16 = (text: string, order: 'little' | 'big' = 'little'): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'little' ? bytes : bytes.swap16();
};

const guessed = (note: string): unknown => [{ kind: 'encoding_fallback', note }];

describe('decodeText without a declaration', () => {
  it.each([
    'Grüße aus München: der Fluß ist breit, das Tal eng und die Straße naß.',
    'Les élèves ont déjà mangé à la cantine; le garçon est âgé de dix ans – où est sa sœur ?',
    'El niño comió una manzana en el jardín por la mañana. ¿Qué hora es?',
    'A informação não está disponível para os usuários que não são membros da equipe.',
    'La città è più bella che mai, perché il sole è alto e non fa freddo.',
    'Och så kom våren till den lilla ön, för det är så att allt växer.',
    'Det er ikke så ofte at vi får besøg af en ræv på vores gård og i haven.',
    'It’s the end of the café’s “golden” era – and that is all.',
    'Müller;Köln;12\r\nGroß;Düsseldorf;7\r\n',
    'cell,temperature\na,25°C\nb,£5\nc,€ 7\n',
  ])('reads %j as windows-1252, with a warning', (text) => {
    expect(decodeText(inWindows1252(text))).toEqual({
      text: text.replaceAll('\r\n', '\n'),
      warnings: guessed('not UTF-8; read as windows-1252'),
    });
  });

  it.each([
    [
      'Polish in windows-1250',
      'Wszyscy ludzie rodz\u00B9 si\u00EA wolni i r\u00F3wni pod wzgl\u00EAdem swej godno\u009Cci.',
    ],
    [
      'Czech in windows-1250',
      'V\u0161ichni lid\u00E9 se rod\u00ED svobodn\u00ED a sob\u00EC rovn\u00ED co do d\u00F9stojnosti a pr\u00E1v.',
    ],
    [
      'Hungarian in windows-1250',
      'Minden emberi l\u00E9ny szabadon sz\u00FCletik \u00E9s egyenl\u00F5 m\u00E9lt\u00F3s\u00E1ga van.',
    ],
    ['Slovene in windows-1250', 'Vsak \u00E8lovek ima pravico do \u00E8asti in do pravi\u00E8nega sojenja.'],
    ['Romanian in windows-1250', 'Toate fiin\u00FEele umane se nasc libere \u00BAi egale \u00EEn demnitate.'],
    [
      'Turkish in windows-1254',
      'B\u00FCt\u00FCn insanlar h\u00FCr, haysiyet ve haklar bak\u00FDm\u00FDndan e\u00FEit do\u00F0arlar.',
    ],
    ['Latvian in windows-1257', 'Visi cilv\u00E7ki piedzimst br\u00EEvi un vienl\u00EEdz\u00EEgi.'],
    [
      'Russian in windows-1251',
      '\u00C2\u00F1\u00E5 \u00EB\u00FE\u00E4\u00E8 \u00F0\u00EE\u00E6\u00E4\u00E0\u00FE\u00F2\u00F1\u00FF',
    ],
    ['Russian in KOI8-R', '\u00F7\u00D3\u00C5 \u00CC\u00C0\u00C4\u00C9'],
    ['Spanish in Mac OS Roman', 'la informaci\u0097n de la naci\u0097n que es del ni\u0096o con una'],
    ['English in Mac OS Roman', 'It\u00D5s the end of the story and that is all.'],
    ['English with a Hebrew point', 'the map of the keys <\u00CCChar-207> and that for rafe'],
    ['Italian in a DOS encoding', 'la libert\u0085 di opinione che non \u008A del tutto per una sola'],
    ['German in a DOS encoding', 'die Stra\u00E1e ist f\u0081r M\u0081ller und nicht f\u0081r sich'],
    ['Japanese in Shift_JIS', '\u0082\u00B7\u0082\u00D7\u0082\u00C4\u0082\u00CC\u0090l\u008A\u00D4'],
    [
      'Chinese in GBK',
      '\u00C8\u00CB\u00C8\u00CB\u00C9\u00FA\u00B6\u00F8\u00D7\u00D4\u00D3\u00C9\u00A3\u00AC\u00D4\u00DA\u00D7\u00F0\u00D1\u00CF',
    ],
    ['UTF-8 that lost a byte', 'caf\u00C3 au lait, \u00C3\u00A0 la carte'],
    ['UTF-8 that lost a byte of its only letter', 'The caf\u00C3 of the town and that of the city'],
    ['truncated UTF-8', 'The caf\u00C3'],
    ['UTF-8 with a BOM', '\u00EF\u00BB\u00BFM\u00FCller und der die das'],
    ['binary data', 'a\u0001\u0002\u00E9 b'],
  ])('does not guess at %s', (_name, bytes) => {
    const { text, warnings } = decodeText(inLatin1(bytes.replaceAll('\u0161', '\u009A')));
    expect(text).toContain('\uFFFD');
    expect(warnings).toEqual(guessed('some bytes are not UTF-8; each is read as U+FFFD'));
  });

  it('tolerates one implausible place in a long text, but not in a short one', () => {
    const line = 'Der Müller und die Köchin aßen das Brot. ';
    expect(decodeText(inWindows1252(`${line.repeat(100)}Ðuro`)).text).toContain('Ðuro');
    expect(decodeText(inWindows1252(`${line}Ðuro`)).text).toContain('\uFFFDuro');
  });

  it('reads Korean in EUC-KR', () => {
    const bytes = inLatin1('¸ðµç ÀÎ°£Àº ÅÂ¾î³¯ ¶§ºÎÅÍ ÀÚÀ¯·Î¿ì¸ç\r\n');
    expect(decodeText(bytes)).toEqual({
      text: '모든 인간은 태어날 때부터 자유로우며\n',
      warnings: guessed('not UTF-8; read as EUC-KR'),
    });
    expect(decodeText(inLatin1('¸ðµç ÀÎ°£Àº')).text).toContain('\uFFFD'); // too short
  });

  it.each(['little', 'big'] as const)('reads UTF-16 in either byte order without a BOM: %s', (order) => {
    const encoding = order === 'little' ? 'UTF-16LE' : 'UTF-16BE';
    for (const text of [
      'name,value\nalpha,1\n',
      'Все люди рождаются свободными.\n',
      '모든 인간은 태어날 때부터 자유로우며, 가나다 최고 글.\n',
      '人人生而自由，在尊严和权利上一律平等。\n他们赋有理性和良心，并应以兄弟关系的精神相对待。\n',
    ])
      expect(decodeText(inUtf16(text, order))).toEqual({
        text,
        warnings: guessed(`no byte order mark; read as ${encoding}`),
      });
    expect(decodeText(inUtf16('one line\r\nand two\r\n', order)).text).toBe('one line\nand two\n');
  });

  it.each([
    ['a NUL in ASCII', 'aaaaaaaaaaaaaaa\0'],
    ['NULs between words', 'one\0three\0five\0seven\0nine\0x'],
    ['an odd number of bytes', 'a\0b\0c\0d\0e\0f\0g\0h\0i'],
    ['very few characters', 'a\0b\0c\0'],
    ['control characters', 'a\0b\0c\0d\0\u0001\0f\0g\0h\0i\0'],
    ['NULs alone', '\0'.repeat(64)],
  ])('leaves %s as the UTF-8 it is', (_name, text) => {
    expect(decodeText(inLatin1(text))).toEqual({ text, warnings: [] });
  });

  it('never changes text that is UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const plain = text.replaceAll(/[\0\r\uFEFF]/g, '');
        expect(decodeText(new TextEncoder().encode(plain))).toEqual({ text: plain, warnings: [] });
      }),
    );
  });
});
