import { describe, expect, it } from 'vitest';
import { extractDocument } from '@kebab/core/testing';
import { createMarkdownExtractor } from '../../src/md-extractor.ts';
import { nestsTooDeep } from '../../src/parse/nests-too-deep.ts';

describe('nestsTooDeep', () => {
  it.each([
    ['>'.repeat(100), true],
    ['> '.repeat(99), false],
    [`text\n${'1. '.repeat(100)}x`, true],
    [`  ${'- '.repeat(100)}x`, true],
    ['*'.repeat(500), false],
    ['-'.repeat(500), false],
    ['=> '.repeat(200), false],
    ['- '.repeat(300), false],
    ['- * '.repeat(50), true],
    ['', false],
  ])('takes %j for %s', (text, deep) => {
    expect(nestsTooDeep(text)).toBe(deep);
  });

  it.each(['>', '1. ', '- ', '> - ', '- * '])('keeps megabytes of %j findable, as plain paragraphs', async (marker) => {
    const text = `# Above\n\n${marker.repeat(2_000_000 / marker.length)}needle\n\nbelow\n`;
    const { blocks, title } = await extractDocument(createMarkdownExtractor(), 'deep.md', text);
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph', 'paragraph']);
    expect(title).toBe('deep');
  });
});
