import { describe, expect, it } from 'vitest';
import { planReset, type ResetScope } from '../../src/admin/plan-reset.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';

const home = '/home/nobody-in-particular';

async function plan(scope: ResetScope, env: Record<string, string> = {}) {
  return planReset(scope, await resolveConfig({ cwd: '/', env, homeDir: home }));
}

describe('planReset', () => {
  it('keeps a folder in a custom location', async () => {
    const { folders } = await plan('data_only', { KEBAB_STORAGE_ASSET_DIR: '/mnt/assets' });
    expect(folders.find(({ path }) => path === '/mnt/assets')?.own).toBe(false);
    expect((await plan('all', { KEBAB_STORAGE_DATA_DIR: '/mnt/kb' })).emptyFolders).not.toContain('/mnt/kb');
  });

  it('recognises folders by their default location', async () => {
    const known = async (env: Record<string, string>): Promise<readonly boolean[]> =>
      (await plan('data_only', env)).folders.map((folder) => folder.known);
    expect(await known({})).toEqual([true, true]);
    expect(await known({ KEBAB_STORAGE_ASSET_DIR: '/mnt/assets' })).toEqual([false, true]);
    expect(await known({ KEBAB_STORAGE_DATA_DIR: '/mnt/kb' })).toEqual([false, false]);
  });

  it('removes vectors, configuration or orphans alone', async () => {
    expect(await plan('vector_only')).toMatchObject({ database: null, vectors: true, files: [], orphans: false });
    expect(await plan('config_only')).toMatchObject({
      database: null,
      vectors: false,
      folders: [],
      files: [`${home}/.config/kebab/config.toml`, `${home}/.local/state/kebab/trust.json`],
    });
    expect(await plan('orphans_only')).toMatchObject({ database: null, vectors: false, folders: [], orphans: true });
  });

  it('removes in a project what is in its .kebab, and nothing of the user', async () => {
    const project = { folder: '/p', kebabFolder: '/p/.kebab', configFile: '/p/.kebab/config.toml' };
    const env = { KEBAB_STORAGE_DATA_DIR: '/p/.kebab', KEBAB_STORAGE_MODEL_DIR: `${home}/models` };
    const where = { ...(await resolveConfig({ cwd: '/', env, homeDir: home })), project };
    const { files, folders, emptyFolders, models, lock, forgetsProject } = planReset('all', where);
    expect([...files, ...folders.map((folder) => folder.path), ...emptyFolders, lock]).toSatisfy((all: string[]) =>
      all.every((place) => place === '/p/.kebab' || place.startsWith('/p/.kebab/')),
    );
    expect(files).toEqual(expect.arrayContaining(['/p/.kebab/config.toml', '/p/.kebab/id', '/p/.kebab/.gitignore']));
    expect({ models, forgetsProject }).toEqual({ models: null, forgetsProject: true });
    expect(planReset('config_only', where).files).toEqual(['/p/.kebab/config.toml', '/p/.kebab/config.toml.bak']);
    expect(planReset('data_only', where).forgetsProject).toBe(false);
  });
});
