import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/domain/decode-text.ts';

const decode = (...bytes: readonly number[]): ReturnType<typeof decodeText> => decodeText(Uint8Array.from(bytes));

describe('decodeText', () => {
  it('decodes UTF-8 and removes one BOM', async () => {
    expect(await decode(0xef, 0xbb, 0xbf, 0xea, 0xb0, 0x80)).toEqual({ text: '가', warnings: [] });
    expect((await decode(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf)).text).toBe('\uFEFF');
  });

  it('honours the BOMs of UTF-16', async () => {
    expect(await decode(0xff, 0xfe, 0x00, 0xac, 0x0d, 0x00, 0x0a, 0x00)).toEqual({ text: '가\n', warnings: [] });
    expect(await decode(0xfe, 0xff, 0xac, 0x00)).toEqual({ text: '가', warnings: [] });
  });

  it.each(['utf-32le', 'utf-32be'])('honours the BOM of %s, which begins like one of UTF-16', async (encoding) => {
    const bytes = iconv.encode('dreißig 등대 🗼\r\n', encoding, { addBOM: true });
    expect(await decodeText(bytes)).toEqual({ text: 'dreißig 등대 🗼\n', warnings: [] });
  });

  it('turns CRLF and CR into LF', async () => {
    expect((await decodeText(new TextEncoder().encode('a\r\nb\rc\n\rd\r\r\n'))).text).toBe('a\nb\nc\n\nd\n\n');
  });

  it('decodes text without Unicode normalisation', async () => {
    expect((await decodeText(new TextEncoder().encode('e\u0301'))).text).toBe('e\u0301');
  });

  it.each([[[0x61, 0xff]], [[0xea, 0xb0]], [[0xed, 0xa0, 0xbd]], [[0xff, 0xfe, 0x3d, 0xd8]], [[0xff, 0xfe, 0x61]]])(
    'decodes %j with U+FFFD and one warning',
    async (bytes) => {
      const { text, warnings } = await decode(...bytes);
      expect(text).toContain('\uFFFD');
      expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
    },
  );

  it('does not warn about a U+FFFD that the file itself contains', async () => {
    expect(await decodeText(new TextEncoder().encode('a\uFFFDb'))).toEqual({ text: 'a\uFFFDb', warnings: [] });
  });

  it('reads XML in the encoding that it declares', async () => {
    const xml = '<?xml version="1.0" encoding="ISO-8859-2"?>\n<a>';
    expect(await decodeText(inLatin1(`${xml}\u00B3`))).toEqual({ text: `${xml}ł`, warnings: [] });
    expect(await decodeText(inLatin1(xml.replace('ISO-8859-2', 'UTF-16')))).toMatchObject({ warnings: [] });
  });

  it('reads the encoding that the caller gives, unless the bytes are UTF-8, or invalid in that encoding', async () => {
    expect(await decodeText(inLatin1('\u00D0'), { declared: 'koi8-r' })).toEqual({ text: 'п', warnings: [] });
    expect(await decodeText(new TextEncoder().encode('Ж'), { declared: 'koi8-r' })).toEqual({
      text: 'Ж',
      warnings: [],
    });
    for (const declared of ['utf-8', 'klingon', 'utf-16le', 'euc-kr'])
      expect(await decodeText(inLatin1('M\u00FCller und'), { declared })).toMatchObject({
        text: 'Müller und',
        warnings: guessed('not UTF-8; read as windows-1252'),
      });
  });

  it.each([
    ['# -*- coding: cp949 -*-\n# 똠방각하\n', 'cp949'],
    ['#!/usr/bin/python\n# vim: set fileencoding=euc-jp :\nname = "皿"\n', 'euc-jp'],
    ['# encoding: Windows-1251\nputs "я"\n', 'win1251'],
    [';; -*- mode: lisp; coding: koi8-r-unix -*-\n(print "я")\n', 'koi8-r'],
    ['// -*- coding: gbk -*-\nint a; // 〇\n', 'gbk'],
    ['#coding=latin-1\nname = "ÿ"\n', 'latin1'],
    ['#coding=utf8\n#coding: x\nname = "für Gäste, die schönen Bücher"\n', 'latin1', 'windows-1252'],
  ])('reads source code in the encoding that a comment names: %j', async (text, encoding, guess?: string) => {
    const note = guess === undefined ? [] : guessed(`not UTF-8; read as ${guess}`);
    expect(await decodeText(iconv.encode(text, encoding))).toEqual({ text, warnings: note });
  });
});

const inLatin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

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
    'The café is open',
    '© 2019 Acme Ltd',
    'a gap of 5 µm',
    'naïve résumé',
  ])('reads %j as windows-1252, with a warning', async (text) => {
    expect(await decodeText(iconv.encode(text, 'win1252'))).toEqual({
      text: text.replaceAll('\r\n', '\n'),
      warnings: guessed('not UTF-8; read as windows-1252'),
    });
  });

  it.each([
    ['cp949', '절구에 찧은 콩을 맷돌로 갈아 두부를 만든다.'],
    ['cp949', '펲시 캔과 뷁 글자를 쓴 낙서가 담벼락에 있었다.'],
    ['cp949', '㈜한빛상사 金 부장: 견적서(見積書)를 보내 주십시오.'],
    ['cp949', '이름,주소\n홍길동,서울 종로구\n'],
    ['shift_jis', '味噌汁を温めて、豆腐とねぎを入れます。'],
    ['shift_jis', 'ﾊﾝｶｸ文字と①②の丸数字、髙橋さんの名前。'],
    ['shift_jis', '商品,価格\nみかん,120\nりんご,150\n'],
    ['eucjp', '駅前の本屋で古い地図を買いました。'],
    ['gbk', '把面粉和水混合，揉成面团，盖上湿布。'],
    ['gb18030', '把面粉和水混合，揉成面团。𠮷野家在㐂山路。'],
    ['big5', '將麵粉與水混合，揉成麵團，蓋上濕布。'],
    ['win1251', 'Мельница стоит на берегу реки, зерно привозят осенью.'],
    ['win1251', 'Їжак живе під ґанком, а взимку спить.'],
    ['koi8-r', 'Мельница стоит на берегу реки, зерно привозят осенью.'],
    ['cp866', 'Мельница стоит на берегу реки, зерно привозят осенью.'],
    ['iso88595', 'Мельница стоит на берегу реки, зерно привозят осенью.'],
    ['win1253', 'Ο μύλος στέκεται στην όχθη του ποταμού.'],
    ['win1255', 'הטחנה עומדת על גדת הנהר'],
    ['win1256', 'تقف الطاحونة على ضفة النهر'],
    ['win874', 'โรงสีตั้งอยู่ริมแม่น้ำ'],
    ['win1250', 'Młyn stoi nad brzegiem rzeki, a zboże przywożą jesienią.'],
    ['win1250', 'Mlýn stojí na břehu řeky a obilí vozí na podzim.'],
    ['iso88592', 'A malom a folyó partján áll, a búzát ősszel hozzák.'],
    ['win1254', 'Değirmen ırmağın kıyısında, buğday sonbaharda getirilir, şişe dolu.'],
    ['win1257', 'Malūnas stovi ant upės kranto, grūdus veža rudenį.'],
    ['macroman', 'It’s the end of the story and that’s all.'],
    ['cp850', 'die Straße ist für Müller und nicht für sich'],
  ])('reads %s: %j', async (encoding, text) => {
    for (const written of [text, `# ${text}\n\nabc 12\n`, `${text}\r\n`.repeat(300)]) {
      const decoded = await decodeText(iconv.encode(written, encoding));
      expect(decoded.text).toBe(written.replaceAll('\r\n', '\n'));
      expect(decoded.warnings).toMatchObject([{ note: expect.stringMatching(/^not UTF-8; read as /) as string }]);
    }
  });

  it.each([
    ['ko', 'cp949', '절구 맷돌'],
    ['ja', 'shift_jis', '豆腐とねぎ'],
    ['ru', 'win1251', 'мельница'],
    ['zh', 'gbk', '面粉和水'],
  ])('recognises a few words: %s in %s', async (_lang, encoding, text) => {
    expect((await decodeText(iconv.encode(text, encoding))).text).toBe(text);
  });

  it('recognises words that come late in a long file', async () => {
    const text = `${'a line of plain ASCII\n'.repeat(20_000)}두부를 만드는 콩과 맷돌\n`;
    expect((await decodeText(iconv.encode(text, 'cp949'))).text).toBe(text);
  });

  it('reads a long text although it is cut in a character, or one byte of it is wrong', async () => {
    const bytes = iconv.encode('절구에 찧은 콩을 맷돌로 갈아 두부를 만든다.\n'.repeat(20), 'cp949');
    expect((await decodeText(bytes.subarray(0, -3))).text).toMatch(/만든\uFFFD$/);
    bytes[bytes.length - 1] = 0xff;
    expect((await decodeText(bytes)).text).toMatch(/만든다\.\uFFFD$/);
  });

  it('reads ISO-2022-JP, whose bytes are all ASCII', async () => {
    const bytes = inLatin1('\u001B$BF&Ie\u001B(B and soy\r\n');
    expect(await decodeText(bytes)).toEqual({
      text: '豆腐 and soy\n',
      warnings: guessed('not UTF-8; read as ISO-2022-JP'),
    });
    expect(await decodeText(inLatin1('echo "\u001B[1m" \u001B$x'))).toMatchObject({ warnings: [] });
  });

  it.each([
    ['UTF-8 that lost a byte', 'caf\u00C3 au lait, \u00C3\u00A0 la carte'],
    ['UTF-8 that lost a byte of its only letter', 'The caf\u00C3 of the town and that of the city'],
    ['truncated UTF-8', 'The caf\u00C3'],
    ['UTF-8 truncated in a character of three bytes', 'all in ASCII, then \u00EA\u00B0'],
    ['UTF-8 with a BOM', '\u00EF\u00BB\u00BFM\u00FCller und der die das'],
    [
      'Russian in UTF-8 with a wrong byte',
      Buffer.from('мель\u00FFница').toString('latin1').replace('\u00C3\u00BF', '\u00FF'),
    ],
    ['binary data', 'a\u0001\u0002\u00E9 b'],
  ])('does not guess at %s', async (_name, bytes) => {
    const { text, warnings } = await decodeText(inLatin1(bytes));
    expect(text).toContain('\uFFFD');
    expect(warnings).toEqual(guessed('some bytes are not UTF-8; each is read as U+FFFD'));
  });

  it.each(['little', 'big'] as const)('reads UTF-16 in either byte order without a BOM: %s', async (order) => {
    const encoding = order === 'little' ? 'UTF-16LE' : 'UTF-16BE';
    for (const text of [
      'name,value\nalpha,1\n',
      'Все люди рождаются свободными.\n',
      '모든 인간은 태어날 때부터 자유로우며, 가나다 최고 글.\n',
      '人人生而自由，在尊严和权利上一律平等。\n他们赋有理性和良心，并应以兄弟关系的精神相对待。\n',
    ])
      expect(await decodeText(inUtf16(text, order))).toEqual({
        text,
        warnings: guessed(`no byte order mark; read as ${encoding}`),
      });
    expect((await decodeText(inUtf16('one line\r\nand two\r\n', order))).text).toBe('one line\nand two\n');
  });

  it.each([
    ['a NUL in ASCII', 'aaaaaaaaaaaaaaa\0'],
    ['NULs between words', 'one\0three\0five\0seven\0nine\0x'],
    ['an odd number of bytes', 'a\0b\0c\0d\0e\0f\0g\0h\0i'],
    ['very few characters', 'a\0b\0c\0'],
    ['control characters', 'a\0b\0c\0d\0\u0001\0f\0g\0h\0i\0'],
    ['NULs alone', '\0'.repeat(64)],
  ])('leaves %s as the UTF-8 it is', async (_name, text) => {
    expect(await decodeText(inLatin1(text))).toEqual({ text, warnings: [] });
  });

  it('never changes text that is UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
        const plain = text.replaceAll(/[\0\r\uFEFF]/g, '');
        expect(await decodeText(new TextEncoder().encode(plain))).toEqual({ text: plain, warnings: [] });
      }),
    );
  });
});
