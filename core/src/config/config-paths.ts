import type { ConfigPaths } from '../wire/index.ts';
import type { ConfigResolution } from './resolve-config.ts';

/** Tells which files and folders are in use: what `config path` prints. */
export function configPaths({
  config,
  files,
  folders,
}: Pick<ConfigResolution, 'config' | 'files' | 'folders'>): ConfigPaths {
  return {
    schema_version: 'config_paths.v1',
    config_files: files.map(({ path, trusted, exists }) => ({ path, trusted, exists })),
    data_dir: config.storage.dataDir,
    cache_dir: folders.cache,
    state_dir: folders.state,
    workspace_root: config.workspace.root,
  };
}
