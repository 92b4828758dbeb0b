import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { DerivationKind, DocumentWriter } from '@kebab/core/store';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { SharedEmbeddings, sharedEmbeddingsSize } from '../../src/derivations/shared-embeddings.ts';
import { fileDatabase } from '../open-test-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

const AT = new Date('2026-03-01T00:00:00Z');
const LATER = new Date('2026-06-01T00:00:00Z');
const VECTOR = [1, 2, 3, 4];
const payload = Uint8Array.from(VECTOR);
const bytesOf = (found: Uint8Array | undefined): readonly number[] | null => (found === undefined ? null : [...found]);
let folder: TemporaryFolder;
let cache: string;

beforeEach(() => {
  folder = temporaryFolder();
  cache = folder.file('cache/embeddings.sqlite');
});
afterEach(() => folder.remove());

/** Uses the derived bytes of a writer of one knowledge base. */
async function withDerivations<T>(
  name: string,
  use: (derivations: DocumentWriter['derivations']) => Promise<T>,
): Promise<T> {
  const file = folder.file(name);
  const options = { location: file, lockFile: `${file}.lock`, embeddingCache: cache };
  const store = new SqliteDocumentStore(await fileDatabase(file), options);
  const writer = await store.openWriter({ waitMs: 0 });
  try {
    return await use(writer.derivations);
  } finally {
    await writer.close();
    store.close();
  }
}

const keep = (name: string, key: string, kind: DerivationKind = 'embedding'): Promise<void> =>
  withDerivations(name, (derivations) => derivations.set(kind, [{ key, payload }], AT));
const find = (name: string, key: string, kind: DerivationKind = 'embedding'): Promise<readonly number[] | null> =>
  withDerivations(name, async (derivations) => bytesOf((await derivations.get(kind, [key])).get(key)));

describe('embeddings of all knowledge bases of a user', () => {
  it('are shared between knowledge bases, while other derived bytes are not', async () => {
    await keep('a.sqlite', 'text');
    await keep('a.sqlite', 'picture', 'ocr');
    expect(await find('b.sqlite', 'text')).toEqual(VECTOR);
    expect(await find('b.sqlite', 'picture', 'ocr')).toBeNull();
    expect(await find('a.sqlite', 'picture', 'ocr')).toEqual(VECTOR);
  });

  it('are in a file that only its owner can read', async () => {
    await keep('a.sqlite', 'text');
    expect(statSync(cache).mode & 0o777).toBe(0o600);
    chmodSync(cache, 0o644);
    await keep('a.sqlite', 'other');
    expect(statSync(cache).mode & 0o777).toBe(0o600);
  });

  it('are removed if they have not been used for long, and kept otherwise', async () => {
    const embeddings = new SharedEmbeddings(cache);
    embeddings.set(
      ['old', 'used'].map((key) => ({ key, payload })),
      AT,
    );
    embeddings.touch(['used', 'unknown'], LATER);
    embeddings.sweep(new Date('2026-05-01T00:00:00Z'));
    expect([bytesOf(embeddings.get('old')), bytesOf(embeddings.get('used'))]).toEqual([null, VECTOR]);
    embeddings.close();
  });

  it('are removed, least recently used first, when the file grows too large', () => {
    const embeddings = new SharedEmbeddings(cache, 100_000);
    const large = new Uint8Array(1000);
    const entries = (name: string) => Array.from({ length: 80 }, (_, n) => ({ key: `${name}${n}`, payload: large }));
    embeddings.set(entries('old'), AT);
    embeddings.set(entries('new'), LATER);
    embeddings.sweep(new Date(0));
    expect(embeddings.get('old0')).toBeUndefined();
    expect(embeddings.get('new79')).toHaveLength(1000);
    expect(sharedEmbeddingsSize(cache)?.bytes).toBeLessThanOrEqual(100_000);
    embeddings.close();
  });

  it.each([
    ['is no database', () => writeFileSync(cache, 'x'.repeat(10_000))],
    ['has lost its end', () => truncateSync(cache, 6000)],
    ['was made by another version', () => setVersion(99)],
  ])('begin again when their file %s', async (_how, damage) => {
    const whole = new SharedEmbeddings(cache);
    whole.set(
      Array.from({ length: 50 }, (_, n) => ({ key: `text${n}`, payload: new Uint8Array(1000) })),
      AT,
    );
    whole.close();
    damage();
    await find('a.sqlite', 'text49');
    await keep('a.sqlite', 'text');
    expect(await find('b.sqlite', 'text')).toEqual(VECTOR);
  });

  it('are ignored if their bytes are corrupt', async () => {
    await keep('a.sqlite', 'text');
    const db = new Sqlite(cache);
    db.prepare('UPDATE embeddings SET vector = ?').run(Buffer.concat([Buffer.alloc(8), payload]));
    db.close();
    expect(await find('a.sqlite', 'text')).toBeNull();
  });

  it.each([
    ['a folder stands in their place', () => mkdirSync(cache, { recursive: true })],
    ['a link stands in their place', () => linkTo(folder.file('elsewhere'))],
    ['their folder is a file', () => writeFileSync(folder.file('cache'), '')],
  ])('are kept by each knowledge base for itself when %s', async (_how, obstruct) => {
    obstruct();
    await keep('a.sqlite', 'text');
    expect(await find('a.sqlite', 'text')).toEqual(VECTOR);
    expect(await find('b.sqlite', 'text')).toBeNull();
    expect(sharedEmbeddingsSize(cache)).toBeNull();
  });

  it('are stored in the knowledge base itself if another process keeps the file busy', async () => {
    await keep('a.sqlite', 'text');
    const db = new Sqlite(cache);
    db.exec('BEGIN IMMEDIATE');
    await keep('a.sqlite', 'meanwhile');
    db.exec('ROLLBACK');
    db.close();
    expect(await find('a.sqlite', 'meanwhile')).toEqual(VECTOR);
    expect(await find('b.sqlite', 'meanwhile')).toBeNull();
  });

  it('are counted, with their size', async () => {
    expect(sharedEmbeddingsSize(cache)).toBeNull();
    await keep('a.sqlite', 'text');
    expect(sharedEmbeddingsSize(cache)).toMatchObject({ entries: 1 });
    expect(existsSync(`${cache}-journal`)).toBe(false);
  });
});

function setVersion(version: number): void {
  const db = new Sqlite(cache);
  db.pragma(`user_version = ${version}`);
  db.close();
}

function linkTo(target: string): void {
  mkdirSync(folder.file('cache'));
  writeFileSync(target, '');
  symlinkSync(target, cache);
}
