import { realpathSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { blake3Hex } from '../domain/blake3.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import { isLoopback } from '../plugin/proxies.ts';
import { expandedName, isWrittenPath, type PathScope } from './expand-path.ts';
import { unreadableConfig } from './invalid-config.ts';
import type { TrustedFile } from './trust-store.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { maskSecrets } from '../schema/mask-secrets.ts';
import type { Settings } from './build-config.ts';

/** A project file as it was read. */
export interface ReadProjectFile {
  readonly path: string;
  /** Its complete content. */
  readonly text: string;
  /** The plugins that it names. */
  readonly plugins: readonly Pick<PluginEntry, 'name' | 'enabled'>[];
}

/** The context for expanding variables and `~` in a path. */
export type PathVariables = Pick<PathScope, 'env' | 'homeDir'>;

/**
 * Computes what the trust in a project file is bound to: its real path, its content, and the files of every plugin that it names by path.
 * Throws `config_invalid` for a plugin whose files cannot be hashed.
 */
export function bondOf({ path: file, text, plugins: named }: ReadProjectFile, variables: PathVariables): TrustedFile {
  const real = realpathSync(file);
  const scope = { ...variables, base: path.dirname(real), dataDir: null };
  const plugins = named.filter(({ name, enabled }) => enabled && isWrittenPath(name));
  return {
    path: real,
    hash: blake3Hex(text),
    plugins: Object.fromEntries(
      plugins.map(({ name }) => expandedName(name, scope)).map((place) => [place, hashOf(place, file)]),
    ),
  };
}

/** Whether a project file is unchanged since it was trusted. */
export function isUnchanged(trusted: TrustedFile, now: TrustedFile): boolean {
  const plugins = Object.entries(now.plugins);
  return trusted.hash === now.hash && plugins.every(([place, hash]) => trusted.plugins[place] === hash);
}

function hashOf(place: string, file: string): string | null {
  try {
    return hashPluginFiles(place);
  } catch (error) {
    throw unreadableConfig(file, `the plugin ${place} cannot be bound to its files: ${(error as Error).message}`);
  }
}

/** Larger than real plugins; larger ones cannot be hashed on every start. */
const MAX_FILES = 4000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The specifier of an import statement, an `import()` or a `require()`. False matches only cause more files to be hashed. */
const SPECIFIER = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(["'`])([^"'`\n]+)\1/g;
const MODULE = /\.(?:[cm]?[jt]sx?|json|node|wasm)$/;

/**
 * blake3 over the files of a plugin named by path, 64 hex digits: every file of a package folder, or a single file, and transitively
 * whatever its modules import, sibling packages included. Null when the path does not exist. Throws when the plugin is too large to be
 * hashed on every start.
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

  /** `require` also resolves a name without its extension, and a folder to its module. */
  #addNamed(file: string): void {
    for (const candidate of ['', '.js', '.json', '.node'].map((extension) => `${file}${extension}`)) {
      const stats = statSync(candidate, { throwIfNoEntry: false });
      if (stats?.isFile() === true) return this.addModule(candidate);
      if (stats?.isDirectory() === true) this.addFolder(candidate);
    }
  }

  #addUrl(url: string): void {
    let file: string;
    try {
      file = fileURLToPath(url);
    } catch {
      return; // Node cannot import it either
    }
    this.#addNamed(file);
  }

  #follow(specifier: string, from: string): void {
    if (specifier.startsWith('node:')) return;
    if (specifier.startsWith('.') || path.isAbsolute(specifier))
      return this.#addNamed(path.resolve(path.dirname(from), specifier));
    if (specifier.startsWith('file:')) return this.#addUrl(specifier);
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
      const folderOfPackage = path.join(folder, 'node_modules', name);
      if (statSync(folderOfPackage, { throwIfNoEntry: false })?.isDirectory() === true)
        return this.addFolder(folderOfPackage);
      if (folder === path.dirname(folder)) return;
    }
  }
}

/**
 * The keys that an untrusted project file may set, and why that is harmless. Any other key takes effect only once the file is trusted: it
 * could name other folders, databases, models, URLs or code.
 */
const ALLOWED_UNTRUSTED: Readonly<Record<string, string>> = {
  schema_version: 'names the format of the file',
  'workspace.include': 'chooses among files of the user’s own sources',
  'workspace.exclude': 'chooses among files of the user’s own sources',
  'chunking.target_tokens': 'changes how documents are cut',
  'chunking.overlap_tokens': 'changes how documents are cut',
  'chunking.max_chunk_tokens': 'changes how documents are cut',
  'chunking.respect_markdown_headings': 'changes how documents are cut',
  'code.skip_generated': 'chooses among files of the user’s own sources',
  'code.max_unit_lines': 'changes how documents are cut',
  'code.window_lines': 'changes how documents are cut',
  'code.window_overlap_lines': 'changes how documents are cut',
  'search.default_k': 'changes what is shown',
  'search.snippet_chars': 'changes what is shown',
  'search.stale_threshold_days': 'changes what is shown',
  'rag.explain_default': 'changes what is shown',
};

/** The settings of a project file, split by whether they require trust. */
export interface PartedSettings {
  readonly allowed: Settings;
  /** Dotted names, in the order of the file. */
  readonly restricted: readonly string[];
}

/** Splits the settings of an untrusted project file by {@link ALLOWED_UNTRUSTED}. */
export function partByTrust(settings: Settings): PartedSettings {
  return {
    allowed: new Map([...settings].filter(([name]) => isAllowed(name))),
    restricted: [...settings.keys()].filter((name) => !isAllowed(name)),
  };
}

/** A setting that requires trust, as shown to the user who decides. */
export interface RestrictedSetting {
  readonly key: string;
  /** Secrets are `***`. */
  readonly value: unknown;
  /** Whether the value contains a URL of another machine. */
  readonly remote: boolean;
}

/** The settings of a project file that require trust. `secretKeys` are the dotted names whose values are never shown. */
export function restrictedSettings(settings: Settings, secretKeys: ReadonlySet<string>): readonly RestrictedSetting[] {
  return partByTrust(settings).restricted.map((key) => {
    const value = settings.get(key)?.value;
    return { key, value: secretKeys.has(key) && value !== '' ? '***' : maskSecrets(value), remote: pointsAway(value) };
  });
}

function isAllowed(name: string): boolean {
  return Object.hasOwn(ALLOWED_UNTRUSTED, name);
}

function pointsAway(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value) && !isLoopback(value.trim());
  return typeof value === 'object' && value !== null && Object.values(value).some(pointsAway);
}
