import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { App, DocumentId } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));
const hasModel = existsSync(MODEL);
/** A picture of one white pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'Harpsichord tuner.md':
    '---\ntags: [craftsman]\naliases: [Cembalo]\ntown: Antwerpen\nfounded: 1579\nrooms:\n  - name: Spinettsaal\n---\n',
  'spaces/theodolite.md': '\n\n   \n',
  'sextant.txt': '',
  'astrolabe.html': '<!doctype html><title>Quadrant readings</title>',
  'clepsydra.csv': '',
  'planetarium.png': PIXEL,
  'orrery.py': '',
  'gnomon.toml': '',
  'sundial.md': '# Sundial\n\nIt casts a shadow.\n',
};

describe('a document without text', () => {
  const home = new UserHome();
  let app: App;

  beforeAll(async () => {
    home.put(FILES);
    const model = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: MODEL };
    app = await home.open({ KEBAB_SEARCH_MIN_RELEVANCE: '0', ...(hasModel ? model : {}) });
    await app.ingest();
  });
  afterAll(() => home.remove());

  const hitsOf = async (text: string, mode: 'lexical' | 'vector' | 'hybrid') =>
    (await app.search({ text, mode, k: 20 })).hits;

  it.each([
    ['harpsichord', 'Harpsichord tuner.md', 'its file name'],
    ['craftsman', 'Harpsichord tuner.md', 'a tag'],
    ['Cembalo', 'Harpsichord tuner.md', 'an alias'],
    ['Antwerpen', 'Harpsichord tuner.md', 'a value'],
    ['1579', 'Harpsichord tuner.md', 'a number'],
    ['Spinettsaal', 'Harpsichord tuner.md', 'a value inside another'],
    ['theodolite', 'spaces/theodolite.md', 'its file name'],
    ['sextant', 'sextant.txt', 'its file name'],
    ['quadrant', 'astrolabe.html', 'its title'],
    ['astrolabe', 'astrolabe.html', 'its file name'],
    ['clepsydra', 'clepsydra.csv', 'its file name'],
    ['planetarium', 'planetarium.png', 'its file name'],
    ['orrery', 'orrery.py', 'its file name'],
    ['gnomon', 'gnomon.toml', 'its file name'],
  ])('is found by %s: %s, %s', async (query, file) => {
    const [hit] = await hitsOf(query, 'lexical');
    expect(hit?.doc_path).toBe(file);
    expect((await app.verifyCitation(hit?.citation.uri ?? '')).status).toBe('exact');
  });

  it.skipIf(!hasModel).each([
    ['a keyboard instrument craftsman', 'Harpsichord tuner.md'],
    ['sextant', 'sextant.txt'],
    ['planetarium', 'planetarium.png'],
    ['quadrant', 'astrolabe.html'],
  ])('is found by meaning and in hybrid mode, too: %s', async (query, file) => {
    for (const mode of ['vector', 'hybrid'] as const)
      expect((await hitsOf(query, mode)).map(({ doc_path: found }) => found).slice(0, 4)).toContain(file);
  });

  it('shows what is written, and no more', async () => {
    const [note] = await hitsOf('Cembalo', 'lexical');
    expect(note?.snippet).toMatch(/^--- tags: \[craftsman\]/);
    const [empty] = await hitsOf('sextant', 'lexical');
    expect(empty).toMatchObject({ doc_path: 'sextant.txt', snippet: '' });
    expect(await app.fetch({ kind: 'doc', docId: empty?.doc_id as DocumentId })).toMatchObject({ text: '' });
  });
});
