import { readFileSync } from 'node:fs';
import { declareSuite, extractDocument, manifestFrom, pluginSuites } from '@kebab/plugin/testing';
import { describe, expect, it } from 'vitest';
import { createEpubExtractor } from '../src/epub-extractor.ts';
import plugin from '../src/index.ts';
import { fixtures, sampleBook } from './fixtures.ts';

const manifest = manifestFrom(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

for (const suite of pluginSuites({ plugin, fixtures, manifest })) declareSuite(suite, { describe, it });

describe('an EPUB', () => {
  it('is read as its chapters in reading order, under their headings, with the metadata of its package', async () => {
    const document = await extractDocument(createEpubExtractor({ maxMegabytes: 1 }), 'a.epub', sampleBook());
    expect(document.text).toBe(
      'One\n\nThe lighthouse stands there.\n\nNight\n\nIt is dark: 한국어 😀.\n\nTwo\n\nBread needs\n\ntime.\n',
    );
    expect(document).toMatchObject({
      title: 'The Keeper & the Sea',
      lang: 'en',
      metadata: { user: { author: 'A. Writer' } },
    });
    expect(document.blocks.map(({ kind, headingPath }) => [kind, ...headingPath])).toEqual([
      ['heading'],
      ['paragraph', 'One'],
      ['heading', 'One'],
      ['paragraph', 'One', 'Night'],
      ['heading'],
      ['paragraph', 'Two'],
      ['paragraph', 'Two'],
    ]);
  });

  it('is refused when it is larger than allowed, or not an EPUB', async () => {
    const extract = (bytes: Uint8Array, maxMegabytes: number) =>
      extractDocument(createEpubExtractor({ maxMegabytes }), 'a.epub', bytes);
    await expect(extract(sampleBook(), 0)).rejects.toMatchObject({
      code: 'invalid_input',
      message: /more than 0 bytes/,
    });
    await expect(extract(new TextEncoder().encode('no zip'), 1)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
