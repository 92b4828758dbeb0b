import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExtractedDocument } from '@kebab/core';
import { extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { findFrontMatter } from '../../src/front-matter/parse-front-matter.ts';
import { createMarkdownExtractor } from '../../src/md-extractor.ts';

const folder = fileURLToPath(new URL('../../../../../shared/data/frontmatter/', import.meta.url));
const present = existsSync(folder);
const files = present
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /\.(?:md|txt)$/.test(path) && path.includes('/'),
    )
  : [];

describe.skipIf(!present)('the shared front matter fixtures (skipped without ../shared)', () => {
  it('are at least ten, so that the following tests are not empty', () => {
    expect(files.length).toBeGreaterThanOrEqual(10);
  });

  it.each(files.filter((path) => !path.startsWith('json/')))('%s has the expected metadata and body', async (path) => {
    const { content, title, tags, ...user } = JSON.parse(
      readFileSync(folder + path.replace(/\.\w+$/, '.result.json'), 'utf8'),
    ) as { readonly content: string; readonly title?: string; readonly tags?: readonly string[] };
    const extracted = await extract(path);
    expect(extracted.warnings).toEqual([]);
    expect(bodyOf(extracted)).toBe(content.trim());
    expect(extracted.title).toBe(title ?? extracted.title);
    expect(extracted.metadata).toEqual({
      ...(tags === undefined ? {} : { tags }),
      ...(Object.keys(user).length === 0 ? {} : { user }),
    });
  });

  it.each(files.filter((path) => path.startsWith('json/')))('%s has no front matter', async (path) => {
    const extracted = await extract(path);
    expect(extracted.metadata).toEqual({});
    expect(bodyOf(extracted)).toMatch(/^\{/);
  });
});

function extract(path: string): Promise<ExtractedDocument> {
  return extractFile(createMarkdownExtractor(), 'a.md', new Uint8Array(readFileSync(folder + path)));
}

function bodyOf({ text }: ExtractedDocument): string {
  return text.slice(findFrontMatter(text)?.bodyStart ?? 0).trim();
}
