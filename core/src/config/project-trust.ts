import { realpathSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { blake3Hex } from '../domain/blake3.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import { expandPath, isWrittenPath, type PathScope } from './expand-path.ts';
import { unreadableConfig } from './invalid-config.ts';
import type { TrustedFile } from './trust-store.ts';
import { readRegularFile } from '../files/read-regular-file.ts';

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

/** More than plugins have; what exceeds these bounds cannot be bound to a hash on every start. */
const MAX_FILES = 4000;
const MAX_BYTES = 64 * 1024 * 1024;

/** What an import statement, an `import()` or a `require()` names. Too many matches only hash too many files. */
const SPECIFIER = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(["'`])([^"'`\n]+)\1/g;
const MODULE = /\.(?:[cm]?[jt]sx?|json|node|wasm)$/;

/**
 * blake3 over the files of a plugin that is named by path, 64 hex digits: every file of a package folder, or a single file, and
 * from there on whatever its modules import, packages beside it included. Null when there is nothing at that path. Throws when
 * the plugin is too large to be hashed on every start.
 */
function hashPluginFiles(place: string): string | null {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const found = new PluginFiles();
  if (stats.isDirectory()) found.addFolder(place);
  else found.addModule(place);
  return found.hash();
}

class PluginFiles {
  readonly #hashes = new Map<string, string>();
  readonly #folders = new Set<string>();
  #bytes = 0;

  addFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    this.#folders.add(folder);
    for (const name of readdirSync(folder).toSorted()) {
      if (name === '.git' || name === 'node_modules') continue; // packages are followed where they are imported
      const file = path.join(folder, name);
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) {
        if (!lstatSync(file).isSymbolicLink()) this.addFolder(file);
      } else if (stats?.isFile() === true) this.addModule(file);
    }
  }

  addModule(file: string): void {
    if (this.#hashes.has(file)) return;
    const bytes = readRegularFile(file, { maxBytes: MAX_BYTES });
    this.#bytes += bytes.length;
    this.#hashes.set(file, blake3Hex(bytes));
    if (this.#hashes.size > MAX_FILES || this.#bytes > MAX_BYTES)
      throw new Error(`it has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MB; install it instead`);
    if (!MODULE.test(file) || file.endsWith('.json')) return;
    for (const [, , specifier = ''] of bytes.toString('utf8').matchAll(SPECIFIER)) this.#follow(specifier, file);
  }

  hash(): string {
    const lines = [...this.#hashes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([file, hash]) => `${hash} ${file}\n`);
    return blake3Hex(lines.join(''));
  }

  #follow(specifier: string, from: string): void {
    if (specifier.startsWith('node:')) return;
    if (specifier.startsWith('.') || path.isAbsolute(specifier)) {
      const file = path.resolve(path.dirname(from), specifier);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) this.addModule(file);
      return;
    }
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
      const found = path.join(folder, 'node_modules', name);
      if (statSync(found, { throwIfNoEntry: false })?.isDirectory() === true) return this.addFolder(found);
      if (folder === path.dirname(folder)) return;
    }
  }
}
