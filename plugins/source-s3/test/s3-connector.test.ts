import type { SourceEntry, SourceFile, SourceScope } from '@kebab/core';
import { silentCallContext } from '@kebab/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { S3Connector } from '../src/s3-connector.ts';
import { objectOf, startFakeS3, type FakeS3, type FakeS3Options } from './fake-s3.ts';
import { configFor } from './s3-at.ts';

const open: FakeS3[] = [];
const SCOPE: SourceScope = { root: 's3://shelf', include: [], exclude: [] };

async function storageWith(objects: Parameters<typeof startFakeS3>[0], options?: FakeS3Options) {
  const storage = await startFakeS3(objects, options);
  open.push(storage);
  return { storage, connector: new S3Connector(configFor(storage, 700)) };
}

async function walked(connector: S3Connector, scope = SCOPE): Promise<readonly SourceEntry[]> {
  const entries: SourceEntry[] = [];
  for await (const entry of connector.scan(scope, silentCallContext())) entries.push(entry);
  return entries;
}

async function fileAt(connector: S3Connector, path: string): Promise<SourceFile> {
  const file = (await walked(connector)).find((entry) => entry.workspacePath === path);
  if (file?.kind !== 'file') throw new Error(`${path} was not found`);
  return file;
}

afterEach(async () => {
  for (const storage of open.splice(0)) await storage.close();
});

describe('S3Connector', () => {
  it('reads all pages of a long list', async () => {
    const keys = Array.from({ length: 25 }, (_, n) => `f${String(n).padStart(2, '0')}.md`);
    const { connector, storage } = await storageWith(Object.fromEntries(keys.map((key) => [key, key])), {
      pageSize: 10,
    });
    expect((await walked(connector)).map(({ workspacePath }) => workspacePath)).toEqual(keys);
    expect(storage.requests).toHaveLength(3);
  });

  it('keeps to the prefix as a folder, and strips it from the paths', async () => {
    const { connector } = await storageWith({ 'docs/a.md': 'a', 'docs2/b.md': 'b', 'docs.md': 'c' });
    for (const root of ['s3://shelf/docs', 's3://shelf/docs/'])
      expect((await walked(connector, { ...SCOPE, root })).map(({ workspacePath }) => workspacePath)).toEqual(['a.md']);
  });

  it('reports what include and exclude leave out, by gitignore patterns', async () => {
    const { connector } = await storageWith({ 'a.md': 'a', 'drafts/b.md': 'b', 'c.txt': 'c' });
    const entries = await walked(connector, { ...SCOPE, include: ['*.md'], exclude: ['drafts/'] });
    expect(entries.map(({ kind, workspacePath }) => [kind, workspacePath])).toEqual([
      ['file', 'a.md'],
      ['skipped', 'c.txt'],
      ['skipped', 'drafts/b.md'],
    ]);
  });

  it('gives an object another time when its content changes within the same second and with the same length', async () => {
    const { connector, storage } = await storageWith({ 'a.md': 'one' });
    const before = await fileAt(connector, 'a.md');
    storage.objects.set('a.md', objectOf('two'));
    const after = await fileAt(connector, 'a.md');
    expect(after.size).toBe(before.size);
    expect(after.mtimeNs).not.toBe(before.mtimeNs);
    expect(after.mtimeNs / 1_000_000_000n).toBe(before.mtimeNs / 1_000_000_000n);
    expect(await connector.stat(SCOPE, 'a.md', silentCallContext())).toEqual({ size: 3, mtimeNs: after.mtimeNs });
  });

  it('reports keys that are no paths, and keys of the same path, as errors', async () => {
    const { connector } = await storageWith({
      '../up.md': 'a',
      'x//y.md': 'b',
      'x/y.md': 'c',
      'caf\u0065\u0301.md': 'd',
    });
    const entries = await walked(connector);
    expect(entries.filter(({ kind }) => kind === 'error')).toMatchObject([
      { workspacePath: 'up.md', code: 'invalid_input', message: 's3://shelf/../up.md: its key is no path' },
      { workspacePath: 'x/y.md', message: 's3://shelf/x/y.md: another object has the same path' },
    ]);
    const file = await fileAt(connector, 'caf\u00E9.md');
    expect(new TextDecoder().decode(await connector.read(file, silentCallContext()))).toBe('d');
    expect(await connector.stat(SCOPE, 'caf\u00E9.md', silentCallContext())).not.toBeNull();
  });

  it.each([
    { status: 403, fromPage: 0, says: 'access is denied (403)' },
    { status: 403, fromPage: 1, says: 'access is denied (403)' },
    { status: 503, fromPage: 1, says: 'it answered 503 (SlowDown)' },
  ])(
    'reports one error of the source when lists are refused with $status from page $fromPage on',
    async ({ says, ...refuseLists }) => {
      const { connector } = await storageWith({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' }, { pageSize: 2, refuseLists });
      expect(await walked(connector)).toMatchObject([
        { kind: 'error', workspacePath: '.', message: expect.stringContaining(`cannot read .: ${says}`) },
      ]);
    },
  );

  it('reports a bucket that does not exist, and a server that is not there', async () => {
    const { connector, storage } = await storageWith({});
    expect(await walked(connector, { ...SCOPE, root: 's3://other' })).toMatchObject([
      { kind: 'error', workspacePath: '.', message: expect.stringContaining('it does not exist (404)') },
    ]);
    await storage.close();
    expect(await walked(connector)).toMatchObject([{ kind: 'error', workspacePath: '.', code: 'io_error' }]);
  });

  it.each([
    ['is refused', { refusal: 403 }, 'access is denied (403)'],
    ['breaks off', { isCut: true }, ''],
    ['does not arrive', { hangs: true }, ''],
    ['fails on the server', { refusal: 500 }, 'it answered 500 (InternalError)'],
  ])('throws io_error for an object that %s', async (_, behaviour, says) => {
    const { connector } = await storageWith({ 'a.md': objectOf('some text', behaviour) });
    const file = await fileAt(connector, 'a.md');
    await expect(connector.read(file, silentCallContext())).rejects.toMatchObject({
      code: 'io_error',
      message: expect.stringContaining(`s3://shelf/a.md at ${open[0]?.url} cannot be read: ${says}`),
    });
  });

  it('throws io_error for an object that disappeared after it was listed', async () => {
    const { connector, storage } = await storageWith({ 'a.md': 'a' });
    const file = await fileAt(connector, 'a.md');
    storage.objects.delete('a.md');
    await expect(connector.read(file, silentCallContext())).rejects.toMatchObject({
      message: expect.stringContaining('it does not exist (404)'),
    });
    expect(await connector.stat(SCOPE, 'a.md', silentCallContext())).toBeNull();
  });

  it('stops waiting for an object when it is cancelled', async () => {
    const { connector } = await storageWith({ 'a.md': objectOf('a', { hangs: true }) });
    const file = await fileAt(connector, 'a.md');
    const stop = new AbortController();
    const read = connector.read(file, silentCallContext(stop.signal));
    setTimeout(() => stop.abort(), 50);
    await expect(read).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each(['s3://', 's3:///key', 's3://-x/a', '/folder', 'https://host/kb'])('refuses the root %j', async (root) => {
    const { connector } = await storageWith({});
    await expect(walked(connector, { ...SCOPE, root })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
