import { describe, expect, it } from 'vitest';
import { DEFAULT_IMAGE_CONFIG, imageConfigSchema } from '../src/image-config.ts';

const validate = (value: unknown) => imageConfigSchema['~standard'].validate(value);

describe('the configuration of images', () => {
  it('has OCR and captions off by default', () => {
    expect(validate({})).toEqual({ value: DEFAULT_IMAGE_CONFIG });
    expect(DEFAULT_IMAGE_CONFIG).toMatchObject({ ocr: null, caption: null });
  });

  it('keeps every given value of the configuration', () => {
    const given = {
      ocr: 'tesseract',
      caption: 'x',
      ocrPixels: 1,
      languages: ['kor'],
      timeoutMs: 1,
      workers: 2,
      dataDir: '/d',
    };
    expect(validate(given)).toEqual({ value: given });
  });

  it.each([
    [null, []],
    [{ ocr: '' }, ['ocr']],
    [{ caption: 1 }, ['caption']],
    [{ ocrPixels: 0 }, ['ocrPixels']],
    [{ languages: [] }, ['languages']],
    [{ languages: ['eng', 1] }, ['languages']],
    [{ timeoutMs: 0.5 }, ['timeoutMs']],
    [{ workers: 0 }, ['workers']],
    [{ dataDir: '' }, ['dataDir']],
    [{ engine: 'tesseract' }, ['engine']],
  ])('refuses %j and names the key', (value, keys) => {
    const result = validate(value);
    const issues = 'issues' in result ? (result.issues ?? []) : [];
    expect(issues.flatMap(({ path = [] }) => path)).toEqual(keys);
    expect(issues.length).toBe(1);
  });
});
