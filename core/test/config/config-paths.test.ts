import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { configPaths } from '../../src/config/annotated-config.ts';
import { ConfigPathsSchema } from '../../src/wire/config.ts';
import { ConfigWorld } from './config-world.ts';

describe('configPaths', () => {
  it('names the files in effect and the folders in use', async () => {
    const world = new ConfigWorld();
    const project = await world.writeTrusted('kebab.toml', '[workspace]\nroot = "notes"\n');
    const paths = configPaths(await world.resolve({ env: { KEBAB_STORAGE_DATA_DIR: '/data' } }));
    world.remove();
    expect(ConfigPathsSchema.parse(paths)).toEqual(paths);
    expect(paths).toEqual({
      schema_version: 'config_paths.v1',
      config_files: [
        { path: world.userFile, trusted: true, exists: false },
        { path: project, trusted: true, exists: true },
      ],
      data_dir: '/data',
      cache_dir: path.join(world.home, '.cache/kebab'),
      state_dir: path.join(world.home, '.local/state/kebab'),
      workspace_root: path.join(world.project, 'notes'),
    });
  });
});
