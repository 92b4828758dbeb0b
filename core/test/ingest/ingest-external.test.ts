import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blake3Hex } from '../../src/domain/blake3.ts';
import { keepExternalCopy } from '../../src/ingest/ingest-external.ts';
import { countsOf, extractors, IngestWorld } from './ingest-world.ts';
import { plainExtractor } from './plain-extractor.ts';
import { TemporaryTree, type TreeContent } from './temporary-tree.ts';
import { rowsOf } from '../kb/open-store.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function open(files: TreeContent = {}): Promise<IngestWorld> {
  const world = await IngestWorld.open({ files });
  opened.push(world);
  return world;
}

function outside(files: TreeContent): TemporaryTree {
  const tree = new TemporaryTree(files);
  opened.push({ close: () => tree.remove() });
  return tree;
}

const hash12 = (text: string): string => blake3Hex(text).slice(0, 12);

describe('ingestFile', () => {
  it('copies the bytes into the workspace and indexes the copy', async () => {
    const world = await open();
    const tree = outside({ 'My Paper.MD': '# Title\n\nwords' });
    const report = await world.ingestFile(tree.path('My Paper.MD'));
    const path = `_external/${hash12('# Title\n\nwords')}.md`;
    expect(countsOf(report)).toEqual({ new: 1 });
    expect(report.items).toMatchObject([{ doc_path: path, source_id: 'external' }]);
    expect(report.scope.sources).toEqual([{ id: 'external', root: world.root }]);
    expect(readFileSync(`${world.root}/${path}`, 'utf8')).toBe('# Title\n\nwords');
    expect(await world.store.findDocument('external', path)).toMatchObject({ title: 'Title' });
  });

  it('takes the same content again for the same document', async () => {
    const world = await open();
    const tree = outside({ 'a.txt': 'same', 'b.txt': 'same' });
    await world.ingestFile(tree.path('a.txt'));
    expect(countsOf(await world.ingestFile(tree.path('b.txt')))).toEqual({ unchanged: 1 });
    expect(readdirSync(`${world.root}/_external`)).toHaveLength(1);
  });

  it('keeps the name of the file as title where the text has none, also when the document is made again', async () => {
    const world = await open({ 'a.md': 'a' });
    const tree = outside({ 'borrow checker.rs': 'fn main() {}' });
    await world.ingestFile(tree.path('borrow checker.rs'));
    const path = `_external/${hash12('fn main() {}')}.rs`;
    expect((await world.store.findDocument('external', path))?.title).toBe('borrow checker');
    await world.ingest({ forceReingest: true });
    expect(await world.store.findDocument('external', path)).toMatchObject({ title: 'borrow checker', docVersion: 2 });
  });

  it('takes code that says it is generated, since somebody wants it', async () => {
    const world = await open();
    const tree = outside({ 'gen.rs': '// @generated\nfn f() {}' });
    expect(countsOf(await world.ingestFile(tree.path('gen.rs')))).toEqual({ new: 1 });
    expect(countsOf(await world.ingest({ verify: true }))).toEqual({ unchanged: 1, skipped: 1 });
  });

  it('keeps the medium of a file that has no extension', async () => {
    const world = await open();
    const tree = outside({ Makefile: 'all:\n', Dockerfile: 'FROM x\n' });
    for (const name of ['Makefile', 'Dockerfile']) await world.ingestFile(tree.path(name));
    expect(new Set((await rowsOf(world.store)).map(({ codeLang }) => codeLang))).toEqual(
      new Set(['dockerfile', 'make']),
    );
  });

  it.each([
    ['a type that nothing reads', 'a.xyz', 'text', /does not read/],
    ['a file of bytes', 'a.md', 'a\0b', /holds no text/],
    ['a file over the limits', 'a.rs', 'x'.repeat(262_145), /larger than/],
    ['a folder', 'folder/a.md', '', /is not a file/],
  ])('refuses %s and copies nothing', async (_name, path, content, message) => {
    const world = await open();
    const tree = outside({ [path]: content });
    const failure = await world.ingestFile(tree.path(path.split('/')[0] ?? '')).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message) as string });
    expect(existsSync(`${world.root}/_external`)).toBe(false);
  });

  it('keeps others out of its folder: one line in the ignore file, and no walk enters it anyway', async () => {
    const world = await open({ 'a.md': 'a', '.kebabignore': 'drafts/' });
    const tree = outside({ 'b.md': 'b', 'c.md': 'c' });
    await world.ingestFile(tree.path('b.md'));
    await world.ingestFile(tree.path('c.md'));
    expect(readFileSync(`${world.root}/.kebabignore`, 'utf8')).toBe('drafts/\n_external/\n');
    world.drop('.kebabignore');
    const report = await world.ingest();
    expect(report.items?.map(({ source_id, kind }) => `${source_id} ${kind}`)).toEqual([
      'default new',
      'external unchanged',
      'external unchanged',
    ]);
  });

  it('survives every later ingest as long as its copy exists', async () => {
    const world = await open({ 'a.md': 'a' });
    const tree = outside({ 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' });
    for (const name of ['b.md', 'c.md', 'd.md']) await world.ingestFile(tree.path(name));
    tree.remove();
    for (let i = 0; i < 2; i++) await world.ingest();
    expect(await world.store.documentCount()).toBe(4);
    world.drop(`_external/${hash12('b')}.md`);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 3, skipped: 1, purged: 1 });
  });

  it('survives a workspace that is not there, whatever may be deleted', async () => {
    const elsewhere = await open({ 'x.md': 'x' });
    const env = { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: elsewhere.root }]) };
    const world = await IngestWorld.open({ env });
    opened.push(world);
    const tree = outside({ 'b.md': 'b' });
    await world.ingestFile(tree.path('b.md'));
    world.tree.drop('kb');
    const report = await world.ingest({ allowMassDelete: true });
    expect(report.purge_refused).toEqual([{ source_id: 'external', vanished: 1, indexed: 1, reason: 'root_missing' }]);
    expect(await world.store.documentCount()).toBe(2);
  });

  it('removes nothing of its own source or another', async () => {
    const world = await open({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    await world.ingest();
    world.drop('a.md');
    const tree = outside({ 'd.md': 'd' });
    expect(countsOf(await world.ingestFile(tree.path('d.md')))).toEqual({ new: 1 });
    expect(await world.store.documentCount()).toBe(4);
  });

  it('is cut again with everything else when the chunking changes', async () => {
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
  it('writes front matter with title and origin, safely quoted', async () => {
    const world = await open();
    const report = await world.ingestText('# Heading\n', {
      title: 'A "title": one',
      sourceUri: 'https://example.org/a',
    });
    const file = readFileSync(`${world.root}/${report.items?.[0]?.doc_path}`, 'utf8');
    expect(file).toBe('---\ntitle: "A \\"title\\": one"\nsource_uri: "https://example.org/a"\n---\n\n# Heading\n');
  });

  it.each(['---\ntags: x\n---\nbody\n', '+++\ntags = "x"\n+++\nbody\n', '\uFEFF---\n---\nbody\n'])(
    'leaves front matter that is there as it is, and gives the title to a document that has none',
    async (text) => {
      const world = await open();
      const report = await world.ingestText(text, { title: 'Given' });
      const path = report.items?.[0]?.doc_path ?? '';
      expect(readFileSync(`${world.root}/${path}`, 'utf8')).toBe(text);
      expect((await world.store.findDocument('external', path))?.title).toBe('Given');
    },
  );

  it('does not take a rule for front matter', async () => {
    const world = await open();
    const report = await world.ingestText('---\n\nafter a rule', { title: 'T' });
    expect(readFileSync(`${world.root}/${report.items?.[0]?.doc_path}`, 'utf8')).toContain('title: "T"');
  });

  it('refuses a text without a title', async () => {
    const world = await open();
    await expect(world.ingestText('text', { title: ' ' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a copy of what was brought in by hand', () => {
  let tree: TemporaryTree;
  beforeEach(() => {
    tree = new TemporaryTree({ 'home/.bashrc': 'mine\n', 'home/docs/a.md': 'mine' });
    mkdirSync(tree.path('kb'));
  });
  afterEach(() => tree.remove());

  const bytes = Buffer.from('# Copied\n');
  const keep = (): void => keepExternalCopy(tree.path('kb'), '0123456789ab.md', bytes);

  it('keeps one copy and one line, however often it is asked', () => {
    tree.put({ 'kb/.kebabignore': 'drafts/' });
    for (let n = 0; n < 2; n++) keep();
    expect(readdirSync(tree.path('kb/_external'))).toEqual(['0123456789ab.md']);
    expect(readFileSync(tree.path('kb/_external/0123456789ab.md'))).toEqual(bytes);
    expect(readFileSync(tree.path('kb/.kebabignore'), 'utf8')).toBe('drafts/\n_external/\n');
  });

  it.each([
    ['.kebabignore', '../home/.bashrc'],
    ['.kebabignore', '../home/not-there-yet'],
    ['_external', '../home/docs'],
    ['_external/0123456789ab.md', '../../home/docs/a.md'],
  ])('refuses the link %s → %s, and writes nothing anywhere', (name, link) => {
    tree.put({ [`kb/${name}`]: { link } });
    const refusal = expect.objectContaining({ details: expect.objectContaining({ kind: 'ELOOP' }) });
    expect(keep).toThrow(refusal);
    expect(readFileSync(tree.path('home/.bashrc'), 'utf8')).toBe('mine\n');
    expect(readFileSync(tree.path('home/docs/a.md'), 'utf8')).toBe('mine');
    expect(readdirSync(tree.path('home')).toSorted()).toEqual(['.bashrc', 'docs']);
    expect(readdirSync(tree.path('home/docs'))).toEqual(['a.md']);
  });

  it('refuses a .kebabignore that is a folder', () => {
    mkdirSync(tree.path('kb/.kebabignore'));
    expect(keep).toThrow('EISDIR');
  });

  it('is harmed by no link that waits under the name its draft used to have', () => {
    tree.put({ [`kb/_external/0123456789ab.md.${process.pid}.tmp`]: { link: '../../home/.bashrc' } });
    keep();
    expect(readFileSync(tree.path('home/.bashrc'), 'utf8')).toBe('mine\n');
    expect(readFileSync(tree.path('kb/_external/0123456789ab.md'))).toEqual(bytes);
  });
});
