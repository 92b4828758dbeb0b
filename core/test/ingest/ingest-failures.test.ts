import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { DocumentStore, DocumentTransaction } from '../../src/contracts/document-store.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { countsOf, extractors, type WorldOptions, worldsForTests } from './ingest-world.ts';
import { lineChunker, plainExtractor } from './plain-extractor.ts';
import { openStore, type OpenStore } from '../kb/open-store.ts';
import { changed } from '../changed.ts';

const open = worldsForTests();

const failsOn = (poison: string, error: unknown) =>
  plainExtractor({
    before: (text) => {
      if (text.includes(poison)) throw error;
    },
  });

const FILES = { 'a.md': 'fine', 'b.md': 'poison', 'c.md': 'fine too' };

describe('a file that cannot be extracted', () => {
  it('is an item that names plugin, version, stage and file, and does not stop the run', async () => {
    const world = await open({
      files: FILES,
      contributions: extractors(failsOn('poison', new Error('unexpected end\nat x'))),
    });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 2, errors: 1 });
    expect(report.items?.[1]).toMatchObject({
      kind: 'error',
      doc_path: 'b.md',
      byte_len: 6,
      error: 'fake@1.0.0/extract/b.md failed: unexpected end',
      error_code: 'plugin_failed',
    });
  });

  it('keeps the code of an error from the closed list', async () => {
    const locked = new KebabError('io_error', 'the file is encrypted', {
      details: { kind: 'EACCES', path: null, cause: '' },
    });
    const world = await open({ files: FILES, contributions: extractors(failsOn('poison', locked)) });
    expect((await world.ingest()).items?.[1]).toMatchObject({ error: 'the file is encrypted', error_code: 'io_error' });
  });

  it('keeps the earlier version of its document', async () => {
    const world = await open({
      files: { ...FILES, 'b.md': 'still fine' },
      contributions: extractors(failsOn('poison', new Error('no'))),
      ingested: true,
    });
    world.put({ 'b.md': 'now poison' });
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 2, errors: 1 });
    const { docId } = (await world.store.findDocument('default', 'b.md'))!;
    expect(await world.store.readTexts([{ docId }])).toEqual(['still fine']);
  });

  it('is recorded with reason, plugin and attempts, is retried by every run, and is dropped when it succeeds', async () => {
    const world = await open({
      files: FILES,
      contributions: extractors(failsOn('poison', new Error('no'))),
      ingested: true,
    });
    await world.ingest();
    expect(await world.store.quarantined()).toEqual([
      {
        sourceId: 'default',
        workspacePath: 'b.md',
        reason: 'fake@1.0.0/extract/b.md failed: no',
        code: 'plugin_failed',
        agent: 'fake@1.0.0',
        attempts: 2,
        lastFailedAt: world.now,
      },
    ]);
    expect(JSON.parse(world.runs.at(-1)?.itemsJson ?? '')).toMatchObject([{ workspacePath: 'b.md' }]);
    world.put({ 'b.md': 'healed' });
    expect(countsOf(await world.ingest())).toEqual({ new: 1, unchanged: 2 });
    expect(await world.store.quarantined()).toEqual([]);
  });

  it('stays in quarantine while other sources are ingested', async () => {
    const elsewhere = await open({ files: { 'x.md': 'x' } });
    const env = { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: elsewhere.root }]) };
    const world = await open({
      files: FILES,
      env,
      contributions: extractors(failsOn('poison', new Error('no'))),
      ingested: true,
    });
    await world.ingest({ sources: ['other'] });
    expect(await world.store.quarantined()).toMatchObject([{ workspacePath: 'b.md', attempts: 1 }]);
  });
});

describe('a file that cannot be read as it is, such as an encrypted one', () => {
  const locked = (reason = 'b.md is encrypted') => invalidInput(reason);
  const counts = { unchanged: 2, skipped: 1 };

  it('is an error once, and afterwards a skipped file with its reason that stays in quarantine', async () => {
    const world = await open({ files: FILES, contributions: extractors(failsOn('poison', locked())) });
    expect(countsOf(await world.ingest())).toEqual({ new: 2, errors: 1 });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual(counts);
    const item = { kind: 'skipped', error: 'b.md is encrypted', error_code: 'invalid_input' };
    expect(report.items?.[1]).toMatchObject({ doc_path: 'b.md', ...item });
    expect(await world.store.quarantined()).toMatchObject([{ workspacePath: 'b.md', attempts: 2 }]);
    world.put({ 'b.md': 'opened' });
    expect(countsOf(await world.ingest())).toEqual({ new: 1, unchanged: 2 });
  });

  it('is an error again if it fails for another reason', async () => {
    const files = { 'b.md': 'poison' };
    const world = await open({ files, contributions: extractors(failsOn('poison', locked())), ingested: true });
    const after = await world.changed({ contributions: extractors(failsOn('poison', locked('wrong password'))) });
    expect(countsOf(await after.ingest())).toEqual({ errors: 1 });
    expect(countsOf(await after.ingest())).toEqual({ skipped: 1 });
  });

  it('is an error again if all files are to be read again', async () => {
    const world = await open({ files: FILES, contributions: extractors(failsOn('poison', locked())), ingested: true });
    expect(countsOf(await world.ingest({ forceReingest: true }))).toMatchObject({ errors: 1 });
  });

  it('does not hide another file that fails for the first time', async () => {
    const world = await open({
      files: FILES,
      contributions: extractors(failsOn('poison', locked('it is encrypted'))),
      ingested: true,
    });
    world.put({ 'd.md': 'poison too' });
    const { items } = await world.ingest();
    expect(items?.filter(({ kind }) => kind === 'error').map(({ doc_path }) => doc_path)).toEqual(['d.md']);
  });

  it('is no longer counted once it is gone', async () => {
    const world = await open({ files: FILES, contributions: extractors(failsOn('poison', locked())), ingested: true });
    rmSync(join(world.root, 'b.md'));
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 2 });
    expect(await world.store.quarantined()).toEqual([]);
  });
});

describe('a file that failed in a source that is no longer configured', () => {
  it('is forgotten by the next ingest of all sources, while the documents of the source stay', async () => {
    const elsewhere = await open({ files: { 'fine.md': 'fine', 'x.md': 'poison' } });
    const env = { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: elsewhere.root }]) };
    const contributions = extractors(failsOn('poison', new Error('no')));
    const before = await open({ files: FILES, env, contributions, ingested: true });
    const failed = [{ sourceId: 'default' }, { sourceId: 'other', workspacePath: 'x.md' }];
    expect(await before.store.quarantined()).toMatchObject(failed);
    const after = await before.changed({ contributions });
    await after.ingest({ sources: ['default'] });
    expect(await after.store.quarantined()).toMatchObject(failed);
    await after.ingest();
    expect(await after.store.quarantined()).toMatchObject([{ sourceId: 'default', attempts: 3 }]);
    expect(await after.store.findDocument('other', 'fine.md')).not.toBeNull();
  });
});

describe('a folder that is missing', () => {
  const sourcesAt = (root: string) => ({ KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root }]) });

  it('is an item that names the source and the folder, while other sources are ingested', async () => {
    const world = await open({ files: { 'a.md': 'a' }, env: sourcesAt('/nowhere/notes') });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 1, errors: 1 });
    expect(report.items?.find(({ kind }) => kind === 'error')).toMatchObject({
      source_id: 'other',
      error: 'the folder /nowhere/notes of source "other" cannot be read: no such file or directory',
    });
  });

  it('fails an ingest that has no other, and the error names the source and the folder', async () => {
    const world = await open({ files: { 'a.md': 'a' }, env: sourcesAt('/nowhere/notes') });
    await expect(world.ingest({ sources: ['other'] })).rejects.toMatchObject({
      code: 'io_error',
      message: 'there is no source to walk: the folder /nowhere/notes of source "other": no such file or directory',
      details: { kind: 'ENOENT', path: '/nowhere/notes' },
    });
    expect(world.events.map(({ kind }) => kind)).toEqual(['scan_started', 'aborted']);
  });

  it('emits no events for a run that is rejected before it starts', async () => {
    const world = await open({ files: { 'a.md': 'a' } });
    await expect(world.ingest({ sources: ['nope'] })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(world.events).toEqual([]);
  });
});

describe('a plugin that breaks its contract', () => {
  it.each([
    [
      'blocks out of bounds',
      { extractor: { plain: { ...plainExtractor(), extract: async () => outOfBounds } } },
      /extract\/a\.md failed: block 0/,
    ],
    [
      'slices out of bounds',
      { chunker: { 'md-heading-v1': { ...lineChunker('md-heading-v1'), chunk: () => [{ start: 0, end: 99 }] } } },
      /chunk\/a\.md failed: chunk 0/,
    ],
    [
      'no chunk of a text',
      { chunker: { 'md-heading-v1': { ...lineChunker('md-heading-v1'), chunk: () => [] } } },
      /chunk\/a\.md failed: it made no chunk/,
    ],
  ] as const)('by %s fails the file, by name', async (_name, contributions, message) => {
    const world = await open({
      files: { 'a.md': 'text' },
      contributions: contributions as WorldOptions['contributions'] & {},
    });
    const report = await world.ingest();
    expect(report.items).toMatchObject([{ kind: 'error', error_code: 'plugin_failed' }]);
    expect(report.items?.[0]?.error).toMatch(message);
  });

  it('is not asked for chunks of a document whose spans it does not support', async () => {
    const chunk = vi.fn<() => never>();
    const chunker = {
      'md-heading-v1': { ...lineChunker('md-heading-v1'), needs: { spans: ['page' as const] }, chunk },
    };
    const world = await open({ files: { 'a.md': 'text' }, contributions: { chunker } });
    expect((await world.ingest()).items).toMatchObject([
      {
        kind: 'error',
        error_code: 'plugin_incompatible',
        error: expect.stringContaining('chunker md-heading-v1 needs page spans, but the extractor yields line spans'),
      },
    ]);
    expect(chunk).not.toHaveBeenCalled();
  });

  it('is reported before any file is read if it is configured and the extractor declares its spans', async () => {
    const chunker = {
      'md-heading-v1': { ...lineChunker('md-heading-v1'), needs: { spans: ['page' as const] } },
    };
    const read: string[] = [];
    const plain = plainExtractor({ before: (text) => void read.push(text) });
    const extractor = { plain: { ...plain, spans: ['line' as const] } };
    const world = await open({
      files: { 'a.md': 'text', 'b.md': 'text', 'c.rs': 'code' },
      contributions: { chunker, extractor },
    });
    await expect(world.ingest()).rejects.toMatchObject({
      code: 'plugin_incompatible',
      message: expect.stringContaining('chunker md-heading-v1 needs page spans, but the extractor yields line spans'),
      hint: expect.stringContaining('chunking.chunker'),
    });
    expect([read, world.events.at(-1)?.kind]).toEqual([[], 'aborted']);
    for (const path of ['a.md', 'b.md']) world.drop(path);
    expect(countsOf(await world.ingest())).toEqual({ new: 1 });
  });

  it('by a chunk over the limit fails the file', async () => {
    const world = await open({ files: { 'a.md': 'x'.repeat(13_000) } });
    expect((await world.ingest()).items?.[0]?.error).toBe(
      'fake@1.0.0/chunk/a.md failed: chunk 0 has 4334 tokens, the limit is 4000',
    );
  });

  it('by not being available fails only its files', async () => {
    const world = await open({
      files: { 'a.md': 'text', 'b.rs': 'fn' },
      env: { KEBAB_CHUNKING_CHUNKER_VERSION: 'not-installed-v1' },
    });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 1, errors: 1 });
    expect(report.items?.[0]).toMatchObject({ doc_path: 'a.md', error_code: 'config_invalid' });
  });
});

const outOfBounds = {
  text: 'text',
  blocks: [{ kind: 'paragraph', start: 0, end: 5, headingPath: [], sourceSpan: { kind: 'line', start: 1, end: 1 } }],
};

/** A store that fails to write a document with a certain path. */
async function failingStore(fails: (path: string) => Error | null): Promise<Pick<OpenStore, 'store' | 'index'>> {
  const { store, index } = await openStore();
  const failing = new Map<DocumentId, Error>();
  const openWriter: DocumentStore['openWriter'] = async (options) => {
    const writer = await store.openWriter(options);
    const guarded = (tx: DocumentTransaction): DocumentTransaction =>
      changed(tx, {
        putDocument: (document) => {
          const error = failing.get('docId' in document ? document.docId : document.document.docId);
          if (error !== undefined) throw error;
          tx.putDocument(document);
        },
      });
    return changed(writer, { transaction: (change) => writer.transaction((tx) => change(guarded(tx))) });
  };
  const prepare: DocumentStore['prepare'] = (write) => {
    const error = fails(write.document.workspacePath);
    if (error !== null) failing.set(write.document.docId, error);
    return store.prepare(write);
  };
  return { store: changed(store, { openWriter, prepare }), index };
}

describe('a document that cannot be written', () => {
  it('reports a failing file and ingests all others', async () => {
    const opened = await failingStore((path) => (path === 'b.md' ? new Error('a value is out of range') : null));
    const world = await open({ files: FILES, opened });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 2, errors: 1 });
    expect(report.items?.[1]).toMatchObject({
      doc_path: 'b.md',
      error: 'a value is out of range',
      error_code: 'generic',
    });
    expect(await opened.store.documentCount()).toBe(2);
  });

  it('ends the run when the disk fails, with one terminal event, and releases the lock', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
    const opened = await failingStore(() => full);
    const world = await open({ files: FILES, opened });
    await expect(world.ingest()).rejects.toMatchObject({ code: 'io_error' });
    expect(world.events.filter(({ kind }) => kind === 'aborted' || kind === 'completed')).toHaveLength(1);
    expect(world.events.at(-1)?.kind).toBe('aborted');
    const writer = await opened.store.openWriter({ waitMs: 0 });
    await writer.close();
  });
});
