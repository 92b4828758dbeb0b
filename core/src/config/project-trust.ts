import { realpathSync } from 'node:fs';
import path from 'node:path';
import { blake3Hex } from '../domain/blake3.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import { hashPluginFiles } from '../plugin/plugin-files.ts';
import { expandPath, isWrittenPath, type PathScope } from './expand-path.ts';
import { unreadableConfig } from './invalid-config.ts';
import type { TrustedFile } from './trust-store.ts';

/** A project file as it was read. */
export interface ReadProjectFile {
  readonly path: string;
  /** Its whole content. */
  readonly text: string;
  /** The plugins that it names. */
  readonly plugins: readonly Pick<PluginEntry, 'name' | 'enabled'>[];
}

/** What the variables and the `~` of a written path stand for. */
export type PathWorld = Pick<PathScope, 'env' | 'homeDir'>;

/**
 * What trust in a project file is bound to: its real path, its content, and the files of every plugin that it names by path.
 * Throws `config_invalid` for a plugin whose files cannot be hashed.
 */
export function bondOf({ path: file, text, plugins: named }: ReadProjectFile, world: PathWorld): TrustedFile {
  const real = realpathSync(file);
  const plugins = pluginPathsIn(named, { ...world, base: path.dirname(real), dataDir: null });
  return {
    path: real,
    hash: blake3Hex(text),
    plugins: Object.fromEntries(plugins.map((place) => [place, hashOf(place, file)])),
  };
}

/** Whether a project file is now what it was when it was trusted. */
export function isUnchanged(trusted: TrustedFile, now: TrustedFile): boolean {
  const plugins = Object.entries(now.plugins);
  return trusted.hash === now.hash && plugins.every(([place, hash]) => trusted.plugins[place] === hash);
}

function pluginPathsIn(entries: ReadProjectFile['plugins'], scope: PathScope): readonly string[] {
  return entries.flatMap(({ name, enabled }) => {
    if (!enabled || !isWrittenPath(name)) return [];
    const expanded = expandPath(name, scope);
    return [expanded.kind === 'path' ? expanded.path : name];
  });
}

function hashOf(place: string, file: string): string | null {
  try {
    return hashPluginFiles(place);
  } catch (error) {
    throw unreadableConfig(file, `the plugin ${place} cannot be bound to its files: ${(error as Error).message}`);
  }
}
