import path from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { PluginManifest } from './read-manifest.ts';

/** Where a plugin may keep files of its own, within the data folder of a knowledge base; undefined for one that does not ask for it. */
export function dataFolderOf({ name, permissions }: PluginManifest, dataDir: string): string | undefined {
  return permissions.fs === 'data-dir' ? path.join(dataDir, 'plugin-data', encodeURIComponent(name)) : undefined;
}

/** Makes such a folder, when it is first used. */
export function madeFolder(folder: string | undefined): string | undefined {
  if (folder !== undefined) makeFolder(folder);
  return folder;
}
