import { existsSync, readFileSync } from 'node:fs';
import type { App } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const SHARED = new URL('../../shared/data/ocr/', import.meta.url);
const hasPictures = existsSync(new URL('expectations.json', SHARED));
const WORKER = new URL('../host-cli/src/extraction-worker.ts', import.meta.url);

interface Expectation {
  readonly file: string;
  readonly lang: string;
  readonly text: string;
}

/** The words of a text as search tokenises them. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => [...word].length > 1);
}

/** The share of the words of `wanted` that `found` contains, with multiplicity. */
function shareFound(wanted: string, found: string): number {
  const left = new Map<string, number>();
  for (const word of wordsOf(found)) left.set(word, (left.get(word) ?? 0) + 1);
  const words = wordsOf(wanted);
  let hits = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    hits++;
  }
  return hits / Math.max(1, words.length);
}

describe.skipIf(!hasPictures)('pictures of text (skipped without ../shared)', () => {
  const home = new UserHome();
  const expected = hasPictures
    ? (JSON.parse(readFileSync(new URL('expectations.json', SHARED), 'utf8')) as readonly Expectation[])
    : [];
  let app: App;

  const open = (env: Readonly<Record<string, string>> = {}) =>
    home.open(
      {
        KEBAB_OCR_ENGINE: 'tesseract',
        VITEST_WORKER_ID: '1', // has the processes, whose environment is this one alone, run TypeScript (scripts/register-ts.mjs)
        ...env,
      },
      { extractionWorkerUrl: WORKER },
    );

  async function textOf(file: string): Promise<string> {
    const result = await app.fetch({ kind: 'uri', uri: file });
    return result.kind === 'doc' ? result.text : '';
  }

  beforeAll(async () => {
    home.put({
      ...Object.fromEntries(expected.map(({ file }) => [file, readFileSync(new URL(file, SHARED))])),
      'no-picture.png': 'this is text',
    });
    app = await open();
    await app.ingest();
  }, 600_000);
  afterAll(() => home.remove());

  it('are found by nine out of ten words, in Latin script and in Korean', async () => {
    const shares: Record<'latin' | 'korean', number[]> = { latin: [], korean: [] };
    for (const { file, lang, text } of expected)
      shares[lang.includes('kor') ? 'korean' : 'latin'].push(shareFound(text, await textOf(file)));
    for (const all of [shares.latin, shares.korean])
      expect(all.reduce((sum, share) => sum + share, 0) / all.length).toBeGreaterThanOrEqual(0.9);
  });

  it('are cited by the position of the words in the picture, and the citation verifies', async () => {
    const { hits } = await app.search({ text: 'quick brown dog lazy fox', mode: 'lexical', k: 1 });
    const citation = hits[0]?.citation;
    expect(citation).toMatchObject({ kind: 'region', path: 'phototest.tif' });
    const check = await app.verifyCitation(citation?.uri ?? '', { hash: citation?.content_hash ?? '' });
    expect(check).toMatchObject({ status: 'exact' });
  });

  it('are read only once, whatever else is done with the files', async () => {
    const again = await app.ingest({ forceReingest: true });
    const read = again.items?.filter(({ kind }) => kind === 'updated') ?? [];
    expect(read.map(({ ocr_pages }) => ocr_pages)).toEqual(expected.map(() => 1));
    expect(again.items?.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(again).toMatchObject({ errors: 1, degraded: [] });
    expect(again.items?.find(({ kind }) => kind === 'error')).toMatchObject({
      doc_path: 'no-picture.png',
      error_code: 'invalid_input',
    });
  });

  it('are refused before anything changes when language data is missing, and keep their earlier text', async () => {
    const before = await app.schema();
    await home.close();
    app = await open({ KEBAB_OCR_LANGUAGES: 'kor,xyz' });
    await expect(app.ingest()).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('no data for the language "xyz"') as string,
    });
    await home.close();
    app = await open({});
    expect((await app.schema()).stats).toEqual(before.stats);
  });
});
