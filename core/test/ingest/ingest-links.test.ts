import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../src/contracts/source-connector.ts';
import { FreshnessCheck } from '../../src/documents/freshness.ts';
import { FsConnector } from '../../src/ingest/scan/connectors.ts';
import { rowsOf } from '../kb/open-store.ts';
import { countsOf, type IngestWorld, worldsForTests } from './ingest-world.ts';

const open = worldsForTests();

const SEVERAL = { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n', 'd.md': 'd\n', 'e.md': 'e\n' };
const OUTSIDE = { KEBAB_WORKSPACE_SYMLINKS_OUTSIDE: 'true' };

const pathsIn = async (world: IngestWorld): Promise<readonly string[]> =>
  (await rowsOf(world.store)).map(({ workspacePath }) => workspacePath);

describe('a document behind a link', () => {
  it('is removed when the target has moved, like a deleted file', async () => {
    const world = await open({ files: { ...SEVERAL, 'link.md': { link: '../target.md' } }, env: OUTSIDE });
    world.tree.put({ 'target.md': 'linked\n' });
    expect(countsOf(await world.ingest())).toEqual({ new: 6 });
    world.tree.drop('target.md');
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ unchanged: 5, skipped: 1, purged: 1 });
    expect(report.skip_examples.unfollowed_link).toEqual(['link.md']);
    expect(await pathsIn(world)).not.toContain('link.md');
  });

  it('is removed when its link has become part of a loop', async () => {
    const world = await open({
      files: { ...SEVERAL, 'real.md': 'real\n', 'link.md': { link: 'real.md' } },
      ingested: true,
    });
    world.drop('real.md');
    world.put({ 'real.md': { link: 'link.md' } });
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 5, skipped: 2, purged: 2 });
  });

  it('is not created when the link leads out of the source, and removed if it existed', async () => {
    const files = { ...SEVERAL, 'key.txt': { link: '../key' }, out: { link: '../other' } };
    const world = await open({ files, env: OUTSIDE });
    world.tree.put({ key: 'secret\n', 'other/x.md': 'x\n' });
    await world.ingest();
    expect(await pathsIn(world)).toEqual(expect.arrayContaining(['key.txt', 'out/x.md']));
    const strict = await world.changed({});
    const freshness = await FreshnessCheck.of(strict.ports, strict.store);
    const states = new Map<string, string>();
    for (const row of await rowsOf(strict.store)) states.set(row.workspacePath, (await freshness.check(row)).freshness);
    expect([states.get('a.md'), states.get('key.txt'), states.get('out/x.md')]).toEqual([
      'fresh',
      'deleted',
      'deleted',
    ]);
    const report = await strict.ingest();
    expect(countsOf(report)).toEqual({ unchanged: 5, skipped: 2, purged: 2 });
    expect(report).toMatchObject({
      skipped_unfollowed_link: 2,
      skip_examples: { unfollowed_link: ['key.txt', 'out'] },
    });
    expect(await pathsIn(strict)).toEqual(Object.keys(SEVERAL));
  });

  it('is kept when the link leads to a file of the source', async () => {
    const world = await open({ files: { ...SEVERAL, 'link.md': { link: 'a.md' } } });
    expect(countsOf(await world.ingest())).toEqual({ new: 6 });
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 6 });
  });
});

describe('a file that has become something else by the time it is read', () => {
  const scope = (world: IngestWorld) => ({ root: world.root, include: [], exclude: [] });

  async function found(connector: FsConnector, world: IngestWorld): Promise<SourceFile> {
    const call = { signal: new AbortController().signal, log: world.ports.log, progress: () => {} };
    for await (const entry of connector.scan(scope(world), call)) if (entry.kind === 'file') return entry;
    throw new Error('there is no file');
  }

  it.runIf(existsSync('/dev/zero'))('is an error, without blocking or reading without end', async () => {
    const world = await open({ files: { 'a.md': 'a\n' } });
    const connector = new FsConnector({ followSymlinks: true, leaveOut: [] });
    const file = await found(connector, world);
    const path = `${world.root}/a.md`;
    unlinkSync(path);
    execFileSync('mkfifo', [path]);
    await expect(connector.read(file)).rejects.toThrow('is not a regular file');
    for (const target of ['/dev/zero', '/proc/self/pagemap', `${world.tree.root}/other.md`]) {
      writeFileSync(`${world.tree.root}/other.md`, 'secret');
      rmSync(path);
      symlinkSync(target, path);
      await expect(connector.read(file)).rejects.toThrow('is a link that leads out of its source');
    }
  });

  it('is an error when it has grown over the limit', async () => {
    const world = await open({ files: { 'a.md': 'a\n' } });
    const connector = new FsConnector({ followSymlinks: true, leaveOut: [], maxFileBytes: 10 });
    const file = await found(connector, world);
    writeFileSync(`${world.root}/a.md`, 'x'.repeat(11));
    await expect(connector.read(file)).rejects.toMatchObject({ code: 'io_error', details: { kind: 'EFBIG' } });
  });

  it.runIf(existsSync('/proc/self/pagemap'))('is one error of the run, where links may lead anywhere', async () => {
    const files = { 'a.md': 'a\n', 'endless.txt': { link: '/proc/self/environ' }, 'z.md': 'z\n' };
    const world = await open({ files, env: OUTSIDE });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 2, errors: 1 });
    expect(report.items).toMatchObject([
      { doc_path: 'a.md' },
      {
        doc_path: 'endless.txt',
        error_code: 'io_error',
        error: expect.stringContaining('yields more bytes than its stated size'),
      },
      { doc_path: 'z.md' },
    ]);
  });
});
