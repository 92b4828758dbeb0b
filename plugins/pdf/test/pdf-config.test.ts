import { describe, expect, it } from 'vitest';
import { DEFAULT_PDF_CONFIG, pdfConfigSchema } from '../src/pdf-config.ts';

const validate = pdfConfigSchema['~standard'].validate;

describe('pdfConfigSchema', () => {
  it('adds defaults for omitted settings', () => {
    expect(validate({})).toEqual({ value: DEFAULT_PDF_CONFIG });
    expect(validate({ ocr: 'auto', ocrFingerprint: 'tesseract@7' })).toEqual({
      value: { ...DEFAULT_PDF_CONFIG, ocr: 'auto', ocrFingerprint: 'tesseract@7' },
    });
  });

  it('names what is wrong or unknown', () => {
    const wrong = {
      ocr: 'on',
      ocrPixels: 0,
      minPageChars: -1,
      minValidRatio: 2,
      password: null,
      pageTimeoutMs: 0.5,
      x: 1,
    };
    const { issues } = validate(wrong) as { readonly issues: readonly { readonly path: readonly string[] }[] };
    expect(issues.map(({ path }) => path[0])).toEqual(Object.keys(wrong));
    expect(validate({ ocrFingerprint: '' })).toEqual({
      issues: [{ message: 'expected a text that is not empty, or null', path: ['ocrFingerprint'] }],
    });
    expect(validate([null][0])).toEqual({ issues: [{ message: 'expected a table' }] });
  });
});
