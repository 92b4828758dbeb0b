import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App, Open } from '@kebab/core/app';
import { afterAll, describe, expect, it } from 'vitest';
import { KebabError } from '../../../core/src/errors/kebab-error.ts';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { runCommand } from '../fakes/run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-open-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function locating(given: Partial<Open> = {}) {
  const asked: unknown[] = [];
  const place: Open = {
    schema_version: 'open.v1',
    path: '/kb/a.md',
    line: 12,
    page: null,
    uri: 'a.md#L12',
    freshness: 'fresh',
  };
  const app: Partial<App> = {
    resolveId: async (kind, text) => `${kind}:${text}`,
    locate: async (query) => {
      asked.push(query);
      return { ...place, ...given };
    },
  };
  return { asked, app };
}

describe('kebab open', () => {
  it.each([
    [{}, '/kb/a.md:12'],
    [{ path: '/kb/a.pdf', line: null, page: 3 }, '/kb/a.pdf#page=3'],
    [{ path: '/kb/b.png', line: null }, '/kb/b.png'],
  ])('prints a place that terminals and editors can follow: %j', async (place, expected) => {
    const { code, stdout, stderr } = await runCommand(['open', 'a.md#L12'], locating(place));
    expect([code, stdout.text, stderr.text]).toEqual([0, `${expected}\n`, '']);
  });

  it('prints open.v1 with --json', async () => {
    const { asked, app } = locating({ freshness: 'changed' });
    const { stdout, stderr } = await runCommand(['open', '0fa1b2', '--json'], { app });
    expect(parseWire('open', stdout.json[0])).toMatchObject({ path: '/kb/a.md', line: 12, freshness: 'changed' });
    expect([asked, stderr.text]).toEqual([[{ kind: 'chunk', chunkId: 'chunk:0fa1b2' }], '']);
  });

  it.each([
    ['changed', 'the place may have moved'],
    ['deleted', 'no longer exists'],
  ] as const)('reports that the file is %s', async (freshness, notice) => {
    const { code, stderr } = await runCommand(['open', 'a.md#L12'], locating({ freshness }));
    expect([code, stderr.text]).toEqual([0, expect.stringContaining(notice)]);
  });

  it('treats an argument that looks like an id as a path if no chunk has that id', async () => {
    const { asked, app } = locating();
    const missing = new KebabError('chunk_not_found', 'there is none', { details: { chunk_id: 'facade' } });
    const named = { kind: 'document', documents: [] } as const;
    const open = (nameDocuments: App['nameDocuments']) =>
      runCommand(['open', 'facade'], { app: { ...app, resolveId: () => Promise.reject(missing), nameDocuments } });
    expect((await open(async () => named)).code).toBe(0);
    expect(asked).toEqual([{ kind: 'uri', uri: 'facade' }]);
    expect((await open(async () => ({ ...named, kind: 'folder' }))).stderr.text).toContain('there is none');
  });

  it('accepts a source only with a URI', async () => {
    const { code, stderr } = await runCommand(['open', '0fa1b2', '--source', 'x', '--json'], locating());
    expect([code, stderr.json]).toMatchObject([2, [{ details: { field: '--source' } }]]);
  });

  it('launches nothing for a file that is gone', async () => {
    const place = { path: path.join(folder, 'gone.md') };
    const { code, stderr } = await runCommand(['open', 'gone.md', '--launch', '--json'], {
      ...locating(place),
      env: { EDITOR: process.execPath },
    });
    expect([code, stderr.json]).toMatchObject([
      2,
      [{ code: 'io_error', details: { kind: 'ENOENT', path: place.path } }],
    ]);
  });

  it('launches $VISUAL with the file', async () => {
    const place = { path: path.join(folder, 'script.js'), line: null };
    const launched = path.join(folder, 'launched');
    writeFileSync(place.path, `require('node:fs').writeFileSync(${JSON.stringify(launched)}, 'yes')`);
    const env = { VISUAL: process.execPath };
    const { code, stdout } = await runCommand(['open', 'script.js', '--launch'], { ...locating(place), env });
    expect([code, stdout.text]).toEqual([0, `${place.path}\n`]);
    await expect.poll(() => existsSync(launched), { timeout: 30_000 }).toBe(true);
  });
});
