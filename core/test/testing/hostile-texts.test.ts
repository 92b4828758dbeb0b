import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../src/testing/hostile-texts.ts';

describe('hostileTexts', () => {
  it('has unique names', () => {
    const names = hostileTexts().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has two megabytes on one line, an empty file, and bytes that are not UTF-8', () => {
    const all = hostileTexts();
    expect(all.some(({ bytes }) => bytes.length > 2_000_000 && !bytes.includes(0x0a))).toBe(true);
    expect(all.some(({ bytes }) => bytes.length === 0)).toBe(true);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const invalid = all.filter(({ bytes }) => {
      try {
        decoder.decode(bytes);
        return false;
      } catch {
        return true;
      }
    });
    expect(invalid.length).toBeGreaterThan(5);
  });
});
