import type { ConfigPaths } from '@kebab/core/app';
import { renderFields } from './fields.ts';
import { homePath } from './home-path.ts';
import type { Screen } from './screen.ts';

/** The files and folders in use. */
export function renderConfigPaths(paths: ConfigPaths, { homeDir }: Screen): string {
  const shown = (path: string): string => homePath(path, homeDir);
  const files = paths.config_files.map((file) => [
    `  ${shown(file.path)}`,
    file.exists ? (file.trusted ? '' : '  (not trusted; see `kebab trust`)') : '  (does not exist)',
  ]);
  const folders = renderFields([
    ['data', shown(paths.data_dir)],
    ['cache', shown(paths.cache_dir)],
    ['state', shown(paths.state_dir)],
    ['workspace', shown(paths.workspace_root)],
  ]);
  return `configuration\n${files.map((file) => `${file.join('')}\n`).join('')}folders\n${folders}`;
}
