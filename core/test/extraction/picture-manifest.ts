import type { PluginManifest } from '../../src/plugin/read-manifest.ts';

/** The manifest of the plugin in picture-worker.ts. */
export const pictureManifest: PluginManifest = {
  name: 'pictures',
  version: '2.0.0',
  apiVersion: 1,
  contributes: { extractor: ['pictures'], chunker: ['lines-v1'] },
  permissions: { fs: 'none', net: [], spawn: [] },
};
