import { cpSync, rmSync } from 'node:fs';
import { builtins } from '@kebab/builtins';
import type { App } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WordEmbedder } from '../core/test/ingest/embedding/word-embedder.ts';
import { putFiles } from './put-files.ts';
import { wordsPlugin } from './words-plugin.ts';
import { UserHome } from './user-home.ts';

const FILES = {
  'README.md': '# Harbour\n\nBoats come in with the tide.\n',
  'docs/salt.md': '# Salt\n\nSalt comes out of water.\n',
  'docs/fire.md': '# Fire\n\nFire needs air.\n',
};
let home: UserHome;
let embedder: WordEmbedder;

beforeEach(() => {
  home = new UserHome();
  embedder = new WordEmbedder();
});
afterEach(() => home.remove());

const put = (folder: string, files: Readonly<Record<string, string>>): string => putFiles(home.at(folder), files);

/** Opens the named knowledge base, one of several of one user, calls `run`, and returns what was embedded meanwhile. */
function embeddedBy(name: string, root: string, run: (app: App) => Promise<unknown>): Promise<readonly string[]> {
  embedder.asked.length = 0;
  const env = {
    KEBAB_WORKSPACE_ROOT: root,
    KEBAB_STORAGE_DATA_DIR: home.at('data', name),
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'words',
  };
  const asked = async (app: App) => {
    await run(app);
    return [...embedder.asked];
  };
  return home.run(asked, env, { builtins: [...builtins, wordsPlugin(() => embedder)] });
}

const ingested = (name: string, root: string): Promise<readonly string[]> =>
  embeddedBy(name, root, async (app) => expect(await app.ingest()).toMatchObject({ embeddings_pending: 0, errors: 0 }));

describe('worktrees of one repository', () => {
  it('embed their common content once, as two knowledge bases of one user', async () => {
    const first = put('main', FILES);
    const second = home.at('feature');
    cpSync(first, second, { recursive: true });
    put('feature', { 'docs/fire.md': '# Fire\n\nFire needs stone.\n' });
    expect(await ingested('main', first)).toHaveLength(3);
    expect(await ingested('feature', second)).toEqual([expect.stringContaining('Fire needs stone')]);
  });

  it('embed their common content once, as two sources of one knowledge base', async () => {
    const first = put('main', FILES);
    const second = home.at('feature');
    cpSync(first, second, { recursive: true });
    put('feature', { 'new.md': '# New\n\nOf the other branch.\n' });
    expect(await ingested('one', first)).toHaveLength(3);
    const asked = await embeddedBy('one', first, async (app) => {
      await app.addSource({ path: second, name: 'feature' });
    });
    expect(asked).toEqual([]);
    expect(await ingested('one', first)).toEqual([expect.stringContaining('Of the other branch')]);
  });

  it('embed nothing twice when switching to a branch and back', async () => {
    const root = put('main', FILES);
    const other = { 'README.md': '# Harbour\n\nOther boats.\n', 'docs/salt.md': '# Salt\n\nOther salt.\n' };
    await ingested('one', root);
    put('main', other);
    expect(await ingested('one', root)).toHaveLength(2);
    put('main', FILES);
    expect(await ingested('one', root)).toEqual([]);
    put('main', other);
    expect(await ingested('one', root)).toEqual([]);
  });

  it('embed with the model of their knowledge base: two models share nothing', async () => {
    const root = put('main', FILES);
    await ingested('main', root);
    embedder = new WordEmbedder('2');
    expect(await ingested('other', root)).toHaveLength(3);
  });

  it('lose only time when the cache of the user is removed, which doctor shows and a full reset deletes', async () => {
    const root = put('main', FILES);
    await ingested('main', root);
    const cache = home.at('.cache', 'kebab', 'embeddings.sqlite');
    await embeddedBy('main', root, async (app) => {
      const { checks } = await app.doctor();
      expect(checks.find(({ name }) => name === 'embeddings_complete')?.detail).toContain(`3 in ${cache}`);
    });
    rmSync(cache);
    expect(await ingested('main', root)).toEqual([]);
    expect(await ingested('again', root)).toHaveLength(3);
    await embeddedBy('again', root, async (app) => {
      expect((await app.reset('all')).removed_paths).toContain(home.at('.cache', 'kebab/'));
    });
  });
});
