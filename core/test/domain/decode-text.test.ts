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
});
