import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { blake3Hex } from '../../src/domain/blake3.ts';
import type { MediaType } from '../../src/domain/media.ts';
import { keepCopy } from '../../src/ingest/ingest-external.ts';
import { countsOf, extractors, type IngestWorld, worldsForTests } from './ingest-world.ts';
import { plainExtractor } from './plain-extractor.ts';
import { TemporaryTree, type TreeContent } from './temporary-tree.ts';
import { rowsOf } from '../kb/open-store.ts';

const openWorld = worldsForTests();
const open = (files: TreeContent = {}): Promise<IngestWorld> => openWorld({ files });

function outside(files: TreeContent): TemporaryTree {
  const tree = new TemporaryTree(files);
  onTestFinished(() => tree.remove());
  return tree;
}

const externalOf = (world: IngestWorld): string => `${world.config.storage.dataDir}/external`;
const copiesIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => !name.startsWith('.'));
const hash12 = (text: string): string => blake3Hex(text).slice(0, 12);

describe('ingestFile', () => {
  it('copies the bytes into the data folder, never next to the notes, and indexes the copy', async () => {
    const world = await open();
    const tree = outside({ 'My Paper.MD': '# Title\n\nwords' });
    const report = await world.ingestFile(tree.path('My Paper.MD'));
    const path = `my-paper-${hash12('# Title\n\nwords')}.md`;
    expect(countsOf(report)).toEqual({ new: 1 });
    expect(report.items).toMatchObject([{ doc_path: path, source_id: 'external' }]);
    expect(report.scope.sources).toEqual([{ id: 'external', root: externalOf(world) }]);
    expect(readdirSync(world.root)).toEqual([]);
    expect(readFileSync(`${externalOf(world)}/${path}`, 'utf8')).toBe('# Title\n\nwords');
    expect(await world.store.findDocument('external', path)).toMatchObject({ title: 'Title' });
  });

  it('treats the same content as the same document', async () => {
    const world = await open();
    const tree = outside({ 'a.txt': 'same', 'b.txt': 'same' });
    await world.ingestFile(tree.path('a.txt'));
    expect(countsOf(await world.ingestFile(tree.path('b.txt')))).toEqual({ unchanged: 1 });
    expect(copiesIn(externalOf(world))).toHaveLength(1);
  });

  it('uses the name of the file as title when the text has none, even when the document is rebuilt', async () => {
    const world = await open({ 'a.md': 'a' });
    const tree = outside({ 'borrow checker.rs': 'fn main() {}' });
    await world.ingestFile(tree.path('borrow checker.rs'));
    const path = `borrow-checker-${hash12('fn main() {}')}.rs`;
    expect((await world.store.findDocument('external', path))?.title).toBe('borrow checker');
    await world.ingest({ forceReingest: true });
    expect(await world.store.findDocument('external', path)).toMatchObject({ title: 'borrow checker', docVersion: 2 });
  });

  it('accepts code marked as generated, since it was added explicitly', async () => {
    const world = await open();
    const tree = outside({ 'gen.rs': '// @generated\nfn f() {}' });
    expect(countsOf(await world.ingestFile(tree.path('gen.rs')))).toEqual({ new: 1 });
    expect(countsOf(await world.ingest({ verify: true }))).toEqual({ unchanged: 1 });
  });

  it('keeps the medium of a file without an extension', async () => {
    const world = await open();
    const tree = outside({ Makefile: 'all:\n', Dockerfile: 'FROM x\n' });
    for (const name of ['Makefile', 'Dockerfile']) await world.ingestFile(tree.path(name));
    expect(new Set((await rowsOf(world.store)).map(({ codeLang }) => codeLang))).toEqual(
      new Set(['dockerfile', 'make']),
    );
  });

  it.each([
    ['scan', 'png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['scan.part', 'jpg', [0xff, 0xd8, 0xff, 0xe0]],
    ['scan', 'tif', [0x49, 0x49, 0x2a, 0x00]],
    ['paper.download', 'pdf', [0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]],
  ])('recognises %s by its first bytes and stores the copy as .%s', async (name, extension, head) => {
    const reader = { ...plainExtractor(), supports: ({ kind }: MediaType) => kind === 'image' || kind === 'pdf' };
    const world = await openWorld({ contributions: extractors(reader) });
    const tree = outside({ [name]: Uint8Array.from([...head, ...Buffer.from('\nwords of a file\n')]) });
    const report = await world.ingestFile(tree.path(name));
    expect(countsOf(report)).toEqual({ new: 1 });
    expect(copiesIn(externalOf(world))).toEqual([expect.stringMatching(new RegExp(`-[0-9a-f]{12}\\.${extension}$`))]);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 1 });
  });

  it.each([
    ['an unsupported type', 'a.xyz', 'text', /does not read/],
    ['a file of bytes', 'a.md', 'a\0b\0\0\0', /is not text/],
    ['a file over the limits', 'a.rs', 'x'.repeat(1_048_577), /larger than .*indexing\.max_file_mb/],
    ['a folder', 'folder/a.md', '', /is not a file/],
  ])('rejects %s and copies nothing', async (_name, path, content, message) => {
    const world = await openWorld({ env: { KEBAB_INDEXING_MAX_FILE_MB: '1' } });
    const tree = outside({ [path]: content });
    const failure = await world.ingestFile(tree.path(path.split('/')[0] ?? '')).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message) as string });
    expect(existsSync(externalOf(world))).toBe(false);
  });

  it('names the command that adds a folder', async () => {
    const world = await open();
    const folder = outside({ 'a.md': '' }).path('');
    await expect(world.ingestFile(folder)).rejects.toMatchObject({
      hint: `add a folder with \`kebab add ${folder}\``,
    });
  });

  it('rejects a file of 4 GB by its size and a pipe by its kind, without reading either', async () => {
    const world = await open();
    const tree = outside({ 'huge.md': '' });
    truncateSync(tree.path('huge.md'), 4_000_000_000);
    execFileSync('mkfifo', [tree.path('pipe.md')]);
    await expect(world.ingestFile(tree.path('huge.md'))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('is larger than the configuration allows'),
    });
    await expect(world.ingestFile(tree.path('pipe.md'))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('is not a file'),
    });
  });

  it('reads a file in a source in place', async () => {
    const world = await open({ 'notes/a.md': 'a', 'b.md': 'b', '.gitignore': 'b.md' });
    expect((await world.ingestFile(`${world.root}/notes/a.md`)).items).toMatchObject([
      { doc_path: 'notes/a.md', source_id: 'default', kind: 'new' },
    ]);
    expect((await world.ingestFile(`${world.root}/b.md`)).items).toMatchObject([{ doc_path: 'b.md', kind: 'new' }]);
    expect(existsSync(externalOf(world))).toBe(false);
    expect((await world.ingest()).items).toMatchObject([
      { doc_path: '.gitignore', kind: 'skipped' },
      { doc_path: 'b.md', kind: 'skipped' },
      { doc_path: 'notes/a.md', kind: 'unchanged' },
    ]);
  });

  it('survives every later ingest as long as its copy exists', async () => {
    const world = await open({ 'a.md': 'a' });
    const tree = outside({ 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' });
    for (const name of ['b.md', 'c.md', 'd.md']) await world.ingestFile(tree.path(name));
    tree.remove();
    for (let i = 0; i < 2; i++) await world.ingest();
    expect(await world.store.documentCount()).toBe(4);
    rmSync(`${externalOf(world)}/b-${hash12('b')}.md`);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 3, purged: 1 });
  });

  it('removes nothing of its own source or another', async () => {
    const world = await open({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    await world.ingest();
    world.drop('a.md');
    const tree = outside({ 'd.md': 'd' });
    expect(countsOf(await world.ingestFile(tree.path('d.md')))).toEqual({ new: 1 });
    expect(await world.store.documentCount()).toBe(4);
  });

  it('is chunked again with everything else when the chunking changes', async () => {
    const world = await open({ 'a.md': 'a' });
    const tree = outside({ 'b.md': 'b' });
    await world.ingest();
    await world.ingestFile(tree.path('b.md'));
    const changed = await world.changed({
      env: { KEBAB_CHUNKING_TARGET_TOKENS: '600' },
      contributions: extractors(plainExtractor()),
    });
    expect(countsOf(await changed.ingest())).toMatchObject({ updated: 2 });
  });
});

describe('ingestText', () => {
  it('rejects an empty text, such as that of a closed standard input', async () => {
    const world = await open();
    for (const text of ['', ' \n'])
      await expect(world.ingestText(text, { title: 'T' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await world.store.stats()).documents).toBe(0);
  });

  it('writes front matter with title and origin, safely quoted', async () => {
    const world = await open();
    const report = await world.ingestText('# Heading\n', {
      title: 'A "title": one',
      sourceUri: 'https://example.org/a',
    });
    const file = readFileSync(`${externalOf(world)}/${report.items?.[0]?.doc_path}`, 'utf8');
    expect(file).toBe('---\ntitle: "A \\"title\\": one"\nsource_uri: "https://example.org/a"\n---\n\n# Heading\n');
  });

  it.each(['---\ntags: x\n---\nbody\n', '+++\ntags = "x"\n+++\nbody\n', '\uFEFF---\n---\nbody\n'])(
    'keeps existing front matter, and gives the title to a document that has none',
    async (text) => {
      const world = await open();
      const report = await world.ingestText(text, { title: 'Given' });
      const path = report.items?.[0]?.doc_path ?? '';
      expect(readFileSync(`${externalOf(world)}/${path}`, 'utf8')).toBe(text);
      expect((await world.store.findDocument('external', path))?.title).toBe('Given');
    },
  );

  it('does not mistake a thematic break for front matter', async () => {
    const world = await open();
    const report = await world.ingestText('---\n\nafter a rule', { title: 'T' });
    expect(readFileSync(`${externalOf(world)}/${report.items?.[0]?.doc_path}`, 'utf8')).toContain('title: "T"');
  });

  it('rejects a text without a title', async () => {
    const world = await open();
    await expect(world.ingestText('text', { title: ' ' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a copy of a document added by hand', () => {
  let tree: TemporaryTree;
  beforeEach(() => {
    tree = new TemporaryTree({ 'home/docs/a.md': 'mine' });
    mkdirSync(tree.path('external'));
  });
  afterEach(() => tree.remove());

  const bytes = Buffer.from('# Copied\n');
  const keep = (name = 'Tea: a Guide'): string => keepCopy(tree.path('external'), { bytes, fileName: 'text.md', name });

  it.each([
    ['Tea: a Guide', 'tea-a-guide-'],
    ['회의록 2026/11', '회의록-2026-11-'],
    ['../../etc/passwd', 'etc-passwd-'],
    ['!?', ''],
    ['x'.repeat(500), `${'x'.repeat(60)}-`],
  ])('is named after %j', (name, words) => {
    expect(keep(name)).toBe(`${words}${hash12('# Copied\n')}.md`);
  });

  it('is created once for the same bytes, whatever their later names', () => {
    expect(keep('another name')).toBe(keep());
    expect(copiesIn(tree.path('external'))).toHaveLength(1);
  });

  it('is not written through a link', () => {
    tree.put({ [`external/tea-a-guide-${hash12('# Copied\n')}.md`]: { link: '../home/docs/a.md' } });
    expect(keep).toThrow(expect.objectContaining({ details: expect.objectContaining({ kind: 'ELOOP' }) }));
    expect(readFileSync(tree.path('home/docs/a.md'), 'utf8')).toBe('mine');
  });
});

describe('ingestText while this process is ingesting', () => {
  it('is rejected with the name of the file in progress, and of the process', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let begun = (): void => {};
    const isReading = new Promise<void>((resolve) => (begun = resolve));
    const before = (text: string) => (text === 'slow' ? (begun(), gate) : undefined);
    const world = await openWorld({
      files: { 'notes/slow.md': 'slow' },
      contributions: extractors(plainExtractor({ before })),
    });
    const running = world.ingest();
    await isReading;
    await expect(world.ingestText('a note', { title: 'a note' })).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(
        new RegExp(String.raw`this process \(${process.pid}\) has been reading notes/slow\.md for \d+ s`),
      ),
      hint: expect.stringContaining('try again'),
    });
    release();
    expect(await running).toMatchObject({ new: 1 });
    expect(await world.ingestText('a note', { title: 'a note' })).toMatchObject({ new: 1 });
  });
});
