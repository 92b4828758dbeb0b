import type { PluginManifest } from '../../src/plugin/read-manifest.ts';

/** The plugin that picture-worker.ts brings. */
export const pictureManifest: PluginManifest = {
  name: 'pictures',
  version: '2.0.0',
  apiVersion: 1,
  contributes: { extractor: ['pictures'], chunker: ['lines-v1'] },
  permissions: { fs: 'none', net: [], spawn: [] },
};
