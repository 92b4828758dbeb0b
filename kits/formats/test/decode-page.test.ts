import { describe, expect, it } from 'vitest';
import { decodePage } from '../src/decode-page.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
const declared = (declaration: string, ...bytes: readonly number[]): ReturnType<typeof decodePage> =>
  decodePage(Uint8Array.from([...latin1(declaration), ...bytes]));

describe('the bytes of a page', () => {
  it.each([
    ['<meta charset="ISO-8859-1">', [0x4d, 0xfc], 'Mü'],
    ["<html><META charset = 'euc-kr' />", [0xc7, 0xd1, 0xb1, 0xdb], '한글'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">', [0x93, 0xfa], '日'],
    ['<?xml version="1.0" encoding="windows-1251"?>', [0xcf], 'П'],
    [`<script>${' '.repeat(5000)}</script><meta charset=gbk>`, [0xcc, 0xd5], '陶'],
    ['<meta charset="iso-8859-1">', [0x80, 0x81, 0x93, 0x96, 0x94, 0x92, 0x9f, 0xa0], '€\u0081“–”’Ÿ\u00A0'],
  ])('are decoded according to %s', (declaration, bytes, text) => {
    expect(declared(declaration, ...bytes)).toEqual({ text: declaration + text, warnings: [] });
  });

  it('are decoded as UTF-8 if that is valid, whatever the page declares', () => {
    expect(declared('<meta charset=euc-kr>', 0xed, 0x95, 0x9c)).toEqual({
      text: '<meta charset=euc-kr>한',
      warnings: [],
    });
  });

  it.each([
    ['<p>'],
    ['<meta charset="klingon">'],
    ['<meta charset=euc-kr>'],
    ['<meta charset=utf-16le>'],
    ['<meta charset=utf-8><p>M\uFFFDller'],
    ['<!-- charset=latin1 -->'],
  ])('are decoded as UTF-8 with a warning after %j, which declares no usable encoding', (declaration) => {
    const { text, warnings } = declared(declaration, 0xff);
    expect(text).toBe(`${declaration}\uFFFD`);
    expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
  });

  it('have lines that end in LF', () => {
    expect(declared('<meta charset=latin1>', 0xe9, 0x0d, 0x0a, 0xe8, 0x0d).text).toBe('<meta charset=latin1>é\nè\n');
  });
});
