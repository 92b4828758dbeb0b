import { describe, expect, it } from 'vitest';
import { captionLanguage } from '../../../src/ingest/pictures/picture-readers.ts';

describe('the language of captions', () => {
  it.each([
    ['that of the text in the picture', '이 그림에는 한국어로 쓰인 글이 있습니다', ['eng'], 'ko'],
    ['the first configured one without text', '', ['kor', 'eng'], 'ko'],
    ['English where none is configured', '', [], 'en'],
    ['English where the configured one is no language', '', ['chi_sim'], 'en'],
  ])('is %s', (_, text, languages, expected) => {
    expect(captionLanguage(text, languages)).toBe(expected);
  });
});
