import { definePlugin } from '../plugin/define-plugin.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import type { WalkOptions } from '../ingest/scan/walk-tree.ts';

/** The name of core's own plugin. */
export const CORE_PLUGIN = '@kebab/core';

const permissions = { fs: 'input-only', net: [], spawn: [] } as const;

/** The contributions of core itself, registered like those of any plugin: the folder walk. */
export const corePlugin: BuiltinPlugin = {
  manifest: { name: CORE_PLUGIN, version: KEBAB_VERSION, apiVersion: 1, contributes: { source: ['fs'] }, permissions },
  load: async () => ({
    default: definePlugin({
      settings: ({ source }) => source,
      contributes: {
        source: {
          fs: async ({ config }) => {
            const { FsConnector } = await import('../ingest/scan/connectors.ts');
            return new FsConnector(config as WalkOptions);
          },
        },
      },
    }),
  }),
};
