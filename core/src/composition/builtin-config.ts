import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { EXTERNAL_FOLDER } from '../ingest/external-folder.ts';
import type { WalkOptions } from '../ingest/scan/walk-tree.ts';
import type { Access } from '../plugin/components.ts';
import { CORE_PLUGIN } from './core-plugin.ts';

/**
 * What a built-in plugin is configured with: its part of kebab's own configuration. Plugins that read no settings get an
 * empty object.
 */
export function builtinConfig(plugin: string, config: ResolvedConfig, access: Access): unknown {
  switch (plugin) {
    case CORE_PLUGIN:
      return {
        followSymlinks: config.workspace.followSymlinks,
        leaveOut: [config.storage.dataDir, path.join(config.workspace.root, EXTERNAL_FOLDER)],
      } satisfies WalkOptions;
    case '@kebab/plugin-store-sqlite':
      return {
        file: config.storage.sqlite,
        readonly: access === 'read',
        lockFile: path.join(path.dirname(config.storage.sqlite), 'kebab.lock'),
      };
    default:
      return {};
  }
}
