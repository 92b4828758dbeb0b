import { rmSync, statSync, truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isKebabError } from '../../src/errors/kebab-error.ts';
import { FsConnector } from '../../src/ingest/scan/connectors.ts';
import { countsOf, extractors, worldsForTests } from './ingest-world.ts';
import { lineChunker, plainExtractor } from './plain-extractor.ts';

import type { DocumentStore } from '../../src/contracts/document-store.ts';
import { rowsOf } from '../kb/open-store.ts';

const open = worldsForTests();

const FILES = { 'a.md': '# A\n\none\n', 'b.txt': 'two\n', 'sub/c.md': '# C\n\nthree\n' };

/** Every document with what is stored for it. */
async function contentOf(store: DocumentStore) {
  const rows = await rowsOf(store);
  return Promise.all(
    rows.map(async (row) => ({
      row,
      document: await store.getCanonicalDocument(row.docId),
      chunks: await store.listChunks(row.docId),
    })),
  );
}

describe('an ingest', () => {
  it('indexes every file, with its document, its chunks and their locations', async () => {
    const world = await open({ files: FILES });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 3 });
    expect(report.items).toMatchObject([
      { kind: 'new', doc_path: 'a.md', source_id: 'default', byte_len: 9, block_count: 2, chunk_count: 2, error: null },
      { kind: 'new', doc_path: 'b.txt', parser_version: 'text-v1', chunker_version: 'md-heading-v1' },
      { kind: 'new', doc_path: 'sub/c.md' },
    ]);
    const stored = (await contentOf(world.store)).map(({ row, chunks }) => ({ path: row.workspacePath, chunks }));
    expect(stored.map(({ path }) => path)).toEqual(['a.md', 'b.txt', 'sub/c.md']);
    expect(stored[2]?.chunks).toMatchObject([
      { text: '# C', headingPath: ['C'], sourceSpans: [{ kind: 'line', start: 1, end: 1 }] },
      { text: 'three', headingPath: ['C'], sourceSpans: [{ kind: 'line', start: 3, end: 3 }] },
    ]);
    expect(report.scope).toEqual({
      root: world.root,
      include: ['**/*'],
      exclude: ['.git/**', 'node_modules/**', '.obsidian/**'],
      sources: [{ id: 'default', root: world.root }],
    });
  });

  it('changes nothing the second time except the time of the last comparison', async () => {
    const world = await open({ files: FILES, ingested: true });
    const before = await contentOf(world.store);
    const revision = await world.store.corpusRevision();
    world.now = new Date(world.now.getTime() + 1000);
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ unchanged: 3 });
    expect(await world.store.corpusRevision()).toBe(revision);
    expect(await contentOf(world.store)).toEqual(
      before.map(({ row, ...rest }) => ({ row: { ...row, indexedAt: world.now }, ...rest })),
    );
    expect(report.items).toMatchObject([{ kind: 'unchanged', doc_id: before[0]?.row.docId, byte_len: 9 }, {}, {}]);
  });

  it('does not read a file whose recorded size and time match, unless verifying', async () => {
    const world = await open({ files: { 'a.md': 'one' } });
    world.tree.age('kb/a.md');
    await world.ingest();
    world.put({ 'a.md': 'two' });
    world.tree.age('kb/a.md');
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 1 });
    expect(countsOf(await world.ingest({ verify: true }))).toEqual({ updated: 1 });
  });

  it('recognises a file that only appears changed, and does not read it the next time', async () => {
    let reads = 0;
    const counting = plainExtractor({ before: () => void reads++ });
    const world = await open({ files: { 'a.md': 'one' }, contributions: extractors(counting), ingested: true });
    world.tree.age('kb/a.md');
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 1 });
    expect(reads).toBe(1);
    expect((await rowsOf(world.store))[0]?.file?.mtimeNs).toBe(
      statSync(`${world.root}/a.md`, { bigint: true }).mtimeNs,
    );
  });

  it('replaces a document whose bytes changed, and counts its versions', async () => {
    const world = await open({ files: FILES, ingested: true });
    const old = await world.store.findDocument('default', 'a.md');
    world.put({ 'a.md': '# A\n\nchanged\n' });
    expect(countsOf(await world.ingest())).toEqual({ updated: 1, unchanged: 2 });
    const row = await world.store.findDocument('default', 'a.md');
    expect(row?.docVersion).toBe(2);
    expect(row?.docId).not.toBe(old?.docId);
    expect(await world.store.documentCount()).toBe(3);
  });

  it('rebuilds everything when forced', async () => {
    const world = await open({ files: FILES, ingested: true });
    expect(countsOf(await world.ingest({ forceReingest: true }))).toEqual({ updated: 3 });
    expect((await world.store.findDocument('default', 'a.md'))?.docVersion).toBe(2);
  });

  it('gives a moved file a new document and removes the old one in the same run', async () => {
    const world = await open({ files: FILES, ingested: true });
    world.put({ 'moved.md': FILES['a.md'] });
    world.drop('a.md');
    expect(countsOf(await world.ingest())).toEqual({ new: 1, unchanged: 2, purged: 1 });
    expect(await world.store.findDocument('default', 'a.md')).toBe(null);
  });

  it('stores equal bytes at two paths as one asset and two documents', async () => {
    const world = await open({ files: { 'a.md': 'same', 'b.md': 'same' }, ingested: true });
    const rows = await rowsOf(world.store);
    expect(new Set(rows.map(({ assetId }) => assetId)).size).toBe(1);
    expect(new Set(rows.map(({ docId }) => docId)).size).toBe(2);
  });

  it('indexes an empty file as a document with an empty chunk, by which it is found', async () => {
    const world = await open({ files: { 'empty.md': '' } });
    expect((await world.ingest()).items).toMatchObject([{ kind: 'new', byte_len: 0, block_count: 0, chunk_count: 1 }]);
    expect((await rowsOf(world.store))[0]?.title).toBe('empty');
  });

  it('accepts names in any form: Korean, decomposed, with emoji, number sign and per cent sign', async () => {
    const names = ['한글.md'.normalize('NFD'), '😀 note.md', 'a#b%20.md', `${'n'.repeat(252)}.md`];
    const world = await open({ files: Object.fromEntries(names.map((name) => [name, `in ${name}`])) });
    expect(countsOf(await world.ingest())).toEqual({ new: 4 });
    expect(await world.store.findDocument('default', '한글.md')).not.toBe(null);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 4 });
    world.drop('a#b%20.md');
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 3, purged: 1 });
  });

  it('omits the items from a summary', async () => {
    const world = await open({ files: FILES });
    const report = await world.ingest({ summaryOnly: true });
    expect(report.items).toBe(null);
    expect(countsOf(report)).toEqual({ new: 3 });
  });

  it('passes on the warnings of an extractor', async () => {
    const world = await open({ files: { 'a.md': 'warn me' } });
    expect((await world.ingest()).items).toMatchObject([{ kind: 'new', warnings: ['malformed_table: line 1'] }]);
  });

  it('records the run in the store', async () => {
    const world = await open({ files: { ...FILES, 'x.bin': '' } });
    const report = await world.ingest();
    expect(world.runs).toMatchObject([
      {
        runId: report.run_id,
        scanned: 4,
        newCount: 3,
        skippedCount: 1,
        errorCount: 0,
        aborted: false,
        itemsJson: null,
      },
    ]);
  });
});

describe('skipped files', () => {
  it('are counted by reason, with examples, and unsupported types by extension', async () => {
    const files = {
      'kept.md': 'text',
      'a.bin': '',
      'b.BIN': '',
      noext: '',
      '.gitignore': 'ignored.md\n',
      'ignored.md': '',
      'node_modules/x.md': '',
      'bin.md': 'a\0b\0c\0\0\0',
      'gen.rs': '// @generated',
      'long.rs': '\n'.repeat(6000),
      'big.rs': 'x'.repeat(262_145),
    };
    const env = { KEBAB_CODE_MAX_FILE_LINES: '5000', KEBAB_CODE_MAX_FILE_BYTES: '262144' };
    const world = await open({ files, env });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 2, skipped: 9 });
    expect(report).toMatchObject({
      scanned: 11,
      skipped_gitignore: 1,
      skipped_builtin_blacklist: 1,
      skipped_binary: 1,
      skipped_generated: 1,
      skipped_size_exceeded: 2,
      skipped_by_extension: { bin: 2, '<no-ext>': 2 },
      skip_examples: {
        gitignore: ['ignored.md'],
        size_exceeded: ['big.rs', 'long.rs'],
        builtin_blacklist: ['node_modules'],
      },
    });
  });

  it('do not include code that a program wrote: its name and its beginning are indexed, and its whole text can be read', async () => {
    const made = '// Code generated by loomgen. DO NOT EDIT.\npackage loom\n\nfunc Weave() {}\n';
    const world = await open({ files: { 'made.go': made, 'hand.go': 'package loom\n\nfunc Spin() {}\n' } });
    const report = await world.ingest();
    expect(report).toMatchObject({
      new: 2,
      skipped: 0,
      skipped_generated: 1,
      skip_examples: { generated: ['made.go'] },
    });
    const chunks = new Map(report.items?.map(({ doc_path, chunk_count }) => [doc_path, chunk_count]));
    expect(chunks.get('made.go')).toBe(1);
    expect(chunks.get('hand.go')).toBeGreaterThan(1);
    const id = report.items?.find(({ doc_path }) => doc_path === 'made.go')?.doc_id ?? '';
    expect((await world.store.getCanonicalDocument(id as never))?.text).toBe(made);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 2 });
    const whole = await world.changed({ env: { KEBAB_CODE_SKIP_GENERATED: 'false' } });
    expect(await whole.ingest()).toMatchObject({ updated: 2, skipped_generated: 0 });
  });

  it('include a text of 200 MB, without reading it', async () => {
    const world = await open({ files: { 'huge.md': '' } });
    truncateSync(`${world.root}/huge.md`, 200 * 1024 * 1024);
    expect((await world.ingest()).skipped_size_exceeded).toBe(1);
  });

  it('keep their existing document', async () => {
    const world = await open({ files: FILES, ingested: true });
    world.put({ '.gitignore': 'a.md\nsub/\n' });
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 1, skipped: 3 });
    expect(await world.store.documentCount()).toBe(3);
  });
});

describe('a change of stages', () => {
  it('of the version of an extractor alone rebuilds its documents', async () => {
    const world = await open({ files: FILES, ingested: true });
    const changed = await world.changed({
      contributions: extractors(plainExtractor({ version: '2' })),
    });
    expect(countsOf(await changed.ingest())).toEqual({ updated: 3 });
    expect(countsOf(await changed.ingest())).toEqual({ unchanged: 3 });
  });

  it('of the chunking chunks documents again without reading their files', async () => {
    const world = await open({ files: FILES, ingested: true });
    const ids = (await rowsOf(world.store)).map(({ docId }) => docId);
    rmSync(`${world.root}/b.txt`);
    const contributions = extractors(
      plainExtractor({
        before: () => {
          throw new Error('nothing is to be extracted');
        },
      }),
    );
    const changed = await world.changed({ env: { KEBAB_CHUNKING_TARGET_TOKENS: '600' }, contributions });
    expect(countsOf(await changed.ingest())).toEqual({ updated: 2, purged: 1 });
    const after = await rowsOf(world.store);
    expect(after.map(({ docId }) => docId)).toEqual([ids[0], ids[2]]);
    expect(after.map(({ docVersion }) => docVersion)).toEqual([2, 2]);
    expect(countsOf(await changed.ingest())).toEqual({ unchanged: 2 });
  });

  it('of the version of a chunker alone chunks its documents again, with the same ids', async () => {
    const world = await open({ files: FILES, ingested: true });
    const ids = (await rowsOf(world.store)).map(({ docId }) => docId);
    const changed = await world.changed({
      contributions: { chunker: { 'md-heading-v1': lineChunker('md-heading-v1', '2') } },
    });
    expect(countsOf(await changed.ingest())).toEqual({ updated: 3 });
    expect((await rowsOf(world.store)).map(({ docId }) => docId)).toEqual(ids);
    expect(countsOf(await changed.ingest())).toEqual({ unchanged: 3 });
  });

  it('of search settings changes nothing', async () => {
    const world = await open({ files: FILES, ingested: true });
    const changed = await world.changed({ env: { KEBAB_SEARCH_RRF_K: '10', KEBAB_SEARCH_DEFAULT_K: '5' } });
    expect(countsOf(await changed.ingest())).toEqual({ unchanged: 3 });
  });

  it('of the chunker that an extractor fell back to chunks the affected documents again', async () => {
    const world = await open({ files: { 'a.md': 'fall back', 'b.md': 'no fallen back' }, ingested: true });
    const [first] = await rowsOf(world.store);
    expect(first).toMatchObject({ parserVersion: 'fallback-text-v1', chunkerVersion: 'fallback-v1' });
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 2 });
    const contributions = { chunker: { 'fallback-v1': lineChunker('fallback-v1', '2') } };
    const changed = await world.changed({ contributions });
    expect(countsOf(await changed.ingest())).toEqual({ updated: 1, unchanged: 1 });
    expect(countsOf(await changed.ingest())).toEqual({ unchanged: 2 });
  });
});

describe('deletion', () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i}.md`, `note ${i}`]));

  it('is refused for half of the documents or more, unless requested', async () => {
    const world = await open({ files: many, ingested: true });
    for (let i = 0; i < 5; i++) world.drop(`${i}.md`);
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ unchanged: 5 });
    expect(report.purge_refused).toEqual([{ source_id: 'default', vanished: 5, indexed: 10, reason: 'mass_delete' }]);
    expect(await world.store.documentCount()).toBe(10);
    const allowed = await world.ingest({ allowMassDelete: true });
    expect(countsOf(allowed)).toEqual({ unchanged: 5, purged: 5 });
    expect(allowed.items?.filter(({ kind }) => kind === 'purged').map(({ doc_path }) => doc_path)).toEqual([
      '0.md',
      '1.md',
      '2.md',
      '3.md',
      '4.md',
    ]);
  });

  it('never follows from a missing root', async () => {
    const elsewhere = await open({ files: { 'x.md': 'x' } });
    const sources = [
      { id: 'other', root: elsewhere.root },
      { id: 'never', root: `${elsewhere.root}/never` },
    ];
    const env = { KEBAB_WORKSPACE_SOURCES: JSON.stringify(sources) };
    const world = await open({ files: many, env, ingested: true });
    elsewhere.close();
    const report = await world.ingest({ allowMassDelete: true });
    expect(countsOf(report)).toEqual({ unchanged: 10, errors: 2 });
    expect(report.purge_refused).toEqual([{ source_id: 'other', vanished: 1, indexed: 1, reason: 'root_missing' }]);
    expect(report.items?.filter(({ kind }) => kind === 'error')).toMatchObject([
      { source_id: 'other', error_code: 'io_error' },
      { source_id: 'never', error_code: 'io_error' },
    ]);
  });

  it('does not affect other sources than the one that is walked', async () => {
    const elsewhere = await open({ files: { 'x.md': 'x', 'y.md': 'y', 'z.md': 'z' } });
    const env = { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: elsewhere.root }]) };
    const world = await open({ files: many, env, ingested: true });
    world.drop('0.md');
    elsewhere.drop('x.md');
    expect(countsOf(await world.ingest({ sources: ['other'] }))).toEqual({ unchanged: 2, purged: 1 });
    expect(await world.store.findDocument('default', '0.md')).not.toBe(null);
  });

  it('spares a file that cannot be checked', async () => {
    const fs = new FsConnector({ followSymlinks: true, leaveOut: [] });
    fs.stat = () => Promise.reject(new Error('EIO: i/o error'));
    const world = await open({ files: many, contributions: { source: { fs } }, ingested: true });
    world.drop('0.md');
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 9 });
    expect(await world.store.documentCount()).toBe(10);
  });
});

describe('sources', () => {
  it('may contain the same path, and provide defaults for their documents', async () => {
    const elsewhere = await open({ files: { 'a.md': 'there' } });
    const sources = [{ id: 'papers', root: elsewhere.root, trust_level: 'secondary', source_type: 'paper' }];
    const world = await open({ files: { 'a.md': 'here' }, env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify(sources) } });
    const report = await world.ingest();
    expect(report.scope.sources.map(({ id }) => id)).toEqual(['default', 'papers']);
    expect(report.items?.map(({ source_id, doc_path }) => `${source_id}/${doc_path}`)).toEqual([
      'default/a.md',
      'papers/a.md',
    ]);
    expect(await world.store.findDocument('papers', 'a.md')).toMatchObject({
      trustLevel: 'secondary',
      sourceType: 'paper',
    });
    expect(await world.store.findDocument('default', 'a.md')).toMatchObject({
      trustLevel: 'primary',
      sourceType: 'markdown',
    });
    const plain = [{ id: 'papers', root: elsewhere.root }];
    const changed = await world.changed({ env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify(plain) } });
    expect(countsOf(await changed.ingest())).toEqual({ unchanged: 1, updated: 1 });
  });

  it('that are unknown are rejected with the nearest name', async () => {
    const world = await open();
    await expect(world.ingest({ sources: ['defalt'] })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { suggestion: 'default' },
    });
  });
});

describe('a second writer', () => {
  it('is rejected while the first holds the lock', async () => {
    const world = await open({ files: FILES });
    const writer = await world.store.openWriter({ waitMs: 0 });
    const failure = await world.ingest().catch((error: unknown) => error);
    expect(isKebabError(failure, 'locked')).toBe(true);
    await writer.close();
    expect(countsOf(await world.ingest())).toEqual({ new: 3 });
  });
});
