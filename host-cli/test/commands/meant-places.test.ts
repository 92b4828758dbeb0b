import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App, FetchQuery } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KebabError } from '../../../core/src/errors/kebab-error.ts';
import { hit, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const NOT_FOUND = { details: { doc_id: null, path: 'x' } } as const;
const NO_PLACE = { field: 'uri', value: 'C# tips', allowed: null, suggestion: null };

/** An App with the documents at these paths, and a search that finds the second of them first. */
function appWith(paths: readonly string[]): { readonly app: Partial<App>; readonly located: string[] } {
  const located: string[] = [];
  const named = (uri: string) => ({ docId: 'd' as never, uri });
  const app: Partial<App> = {
    search: async () =>
      responseOf([
        { ...hit, citation: { ...hit.citation, uri: 'b.md#L7~aabbcc' } },
        { ...hit, rank: 2 },
      ]),
    showPassages: async () => [],
    nameDocuments: async (typed) => ({
      kind: 'name',
      documents: paths.filter((one) => one.toLowerCase().includes(typed.toLowerCase())).map(named),
    }),
    locate: async (query) => {
      const { uri } = query as Extract<FetchQuery, { readonly kind: 'uri' }>;
      if (!paths.includes(uri.replace(/#.*/, ''))) throw new KebabError('doc_not_found', 'there is none', NOT_FOUND);
      located.push(uri);
      return { schema_version: 'open.v1', path: `/kb/${uri}`, line: null, page: null, uri, freshness: 'fresh' };
    },
  };
  return { app, located };
}

describe('a place that a person means', () => {
  let state = '';
  beforeEach(() => void (state = mkdtempSync(path.join(tmpdir(), 'kebab-state-'))));
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  it('is a hit of the last search by its number', async () => {
    const { app, located } = appWith(['b.md']);
    const env = { XDG_STATE_HOME: state };
    await runCommand(['search', 'anything'], { app, env });
    const { code, stderr } = await runCommand(['open', '1'], { app, env });
    expect([code, stderr.text]).toEqual([0, 'notice: 1 is b.md#L7~aabbcc, of the search "anything"\n']);
    expect(located).toEqual(['b.md#L7~aabbcc']);
    const snap: App['snap'] = async (query) =>
      Promise.reject(await app.locate?.(query as never).catch((error: unknown) => error));
    for (const command of ['open', 'snap']) {
      const failed = await runCommand([command, '9'], { app: { ...app, snap }, env });
      expect([failed.code, failed.stderr.text]).toEqual([
        2,
        expect.stringContaining('there is no hit 9: the last search had 2'),
      ]);
    }
  });

  it('is not remembered in read-only mode', async () => {
    const { app, located } = appWith(['b.md']);
    const env = { XDG_STATE_HOME: state };
    await runCommand(['search', 'anything', '--readonly'], { app, env });
    await runCommand(['open', '1'], { app, env });
    expect(located).toEqual([]);
  });

  const unwritable = process.getuid?.() === 0 ? [] : [['because', [], 0o500] as const];
  it.each([['in read-only mode', ['--readonly'], 0o700] as const, ...unwritable])(
    'is no hit of an older search where later ones are not remembered: %s',
    async (why, flags, mode) => {
      const { app, located } = appWith(['b.md']);
      const env = { XDG_STATE_HOME: state };
      await runCommand(['search', 'anything'], { app, env });
      chmodSync(path.join(state, 'kebab'), mode);
      const { code, stderr } = await runCommand(['open', '1', ...flags], { app, env });
      chmodSync(path.join(state, 'kebab'), 0o700);
      const error = `hit 1 is not known: searches are not remembered ${why}`;
      expect([code, stderr.text, located]).toEqual([2, expect.stringContaining(error), []]);
    },
  );

  it.each([['cabin'], ['CABIN'], ['cabin.md']])('is the one document that is called so: %s', async (typed) => {
    const { app, located } = appWith(['trips/Cabin.md', 'b.md']);
    const { code, stderr } = await runCommand(['open', typed], { app });
    expect([code, located]).toEqual([0, ['trips/Cabin.md']]);
    expect(stderr.text).toContain(`notice: ${typed} is trips/Cabin.md`);
  });

  it('is lines of the one document that is called so', async () => {
    const { app, located } = appWith(['trips/Cabin.md', 'trips/Cabin.md:5-7']);
    const only: App['nameDocuments'] = async (typed) => ({
      kind: 'name',
      documents: typed === 'cabin' ? [{ docId: 'd' as never, uri: 'trips/Cabin.md' }] : [],
    });
    expect((await runCommand(['open', 'cabin:5-7'], { app: { ...app, nameDocuments: only } })).code).toBe(0);
    expect(located).toEqual(['trips/Cabin.md:5-7']);
  });

  it('is refused with the candidates where several are called so', async () => {
    const { app, located } = appWith(['trips/Cabin.md', 'plans/cabin.md']);
    const { code, stderr } = await runCommand(['open', 'cabin'], { app });
    expect([code, located]).toEqual([2, []]);
    expect(stderr.text).toContain('trips/Cabin.md, plans/cabin.md');
  });

  it('is asked for on a terminal where several are called so', async () => {
    const { app, located } = appWith(['trips/Cabin.md', 'plans/cabin.md']);
    await runCommand(['open', 'cabin'], { app, columns: 80, stdin: ['2\n'], stdinIsTerminal: true });
    expect(located).toEqual(['plans/cabin.md']);
  });

  it('is a name with a #, which begins no place', async () => {
    const { app, located } = appWith(['notes/C# tips.md']);
    const locate: App['locate'] = async (query) => {
      const { uri } = query as Extract<FetchQuery, { readonly kind: 'uri' }>;
      if (uri === 'C# tips') throw new KebabError('invalid_input', 'no place', { details: NO_PLACE });
      located.push(uri);
      return { schema_version: 'open.v1', path: `/kb/${uri}`, line: null, page: null, uri, freshness: 'fresh' };
    };
    expect((await runCommand(['open', 'C# tips'], { app: { ...app, locate } })).code).toBe(0);
    expect(located).toEqual(['notes/C# tips.md']);
  });

  it('is a path with a place only as it is written', async () => {
    const { app, located } = appWith(['trips/Cabin.md']);
    expect((await runCommand(['open', 'cabin.md#L3'], { app })).code).not.toBe(0);
    expect(located).toEqual([]);
  });
});
