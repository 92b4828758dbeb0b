import path from 'node:path';
import { makeFolder } from '../files/write-atomically.ts';
import type { PluginManifest } from './read-manifest.ts';

/**
 * The folder in which a plugin may keep files of its own, within the data folder of a knowledge base; undefined for a plugin that does not
 * request one.
 */
export function dataFolderOf({ name, permissions }: PluginManifest, dataDir: string): string | undefined {
  return permissions.fs === 'data-dir' ? path.join(dataDir, 'plugin-data', encodeURIComponent(name)) : undefined;
}

/** Creates the folder on first use. */
export function madeFolder(folder: string | undefined): string | undefined {
  if (folder !== undefined) makeFolder(folder);
  return folder;
}
