import type { PluginManifest } from '../../src/plugin/read-manifest.ts';

/** The manifest of the hostile worker's plugin. */
export const hostileManifest = {
  name: 'hostile',
  version: '2.0.0',
  apiVersion: 1,
  contributes: { extractor: ['plain'], chunker: ['md-heading-v1'] },
  permissions: { fs: 'none', net: [], spawn: [] },
} as const satisfies PluginManifest;

/** The manifest of another plugin of the same worker, which chunks documents. */
export const cutterManifest = {
  name: 'cutter',
  version: '3.0.0',
  apiVersion: 1,
  contributes: { extractor: [], chunker: ['cutter-v1'] },
  permissions: { fs: 'none', net: [], spawn: [] },
} as const satisfies PluginManifest;
