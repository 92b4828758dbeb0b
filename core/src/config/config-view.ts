import type { FlatKey } from './key-table.ts';
import { MASK, maskSecrets } from './mask-secrets.ts';
import type { ConfigResolution } from './resolve-config.ts';
import type { ResolvedConfig, ResolvedSource } from './resolved-config.ts';
import type { ConfigPaths, ConfigView } from '../wire/index.ts';

/** Shows every effective value with its origin: what `config show` prints. Secrets are `***`. */
export function configView({
  config,
  origins,
  keys,
}: Pick<ConfigResolution, 'config' | 'origins' | 'keys'>): ConfigView {
  const entries = keys.keys.map((flat) => {
    const origin = origins.get(flat.name) ?? { origin: 'default' };
    const entry = { key: flat.name, value: shown(flat, config), origin: origin.origin };
    return origin.origin === 'file' ? { ...entry, path: origin.path } : entry;
  });
  return { schema_version: 'config_view.v1', entries };
}

/** The value of a key that is in effect, without secrets. */
export function shown({ key, steps }: FlatKey, config: ResolvedConfig): unknown {
  const value = steps.reduce<unknown>((table, step) => (table as Readonly<Record<string, unknown>>)[step], config);
  if (key.kind === 'text' && key.secret) return value === '' ? '' : MASK;
  if (key.kind === 'tables' && key.of === 'sources')
    return maskSecrets((value as readonly ResolvedSource[]).map(asWritten));
  return maskSecrets(value);
}

function asWritten({ trustLevel, sourceType, ...source }: ResolvedSource): object {
  return { ...source, trust_level: trustLevel, source_type: sourceType };
}

/** Says which files and folders are in use: what `config path` prints. */
export function configPaths({
  config,
  files,
  folders,
  project,
}: Pick<ConfigResolution, 'config' | 'files' | 'folders' | 'project'>): ConfigPaths {
  return {
    schema_version: 'config_paths.v1',
    config_files: files.map(({ path, trusted, exists }) => ({ path, trusted, exists })),
    data_dir: config.storage.dataDir,
    cache_dir: folders.cache,
    state_dir: folders.state,
    workspace_root: config.workspace.root,
    ...(project === null ? {} : { project: project.folder }),
  };
}
