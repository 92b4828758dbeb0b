import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../../files/write-atomically.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import { oneAtATime } from '../../files/one-at-a-time.ts';
import { readRegularText } from '../../files/read-regular-file.ts';
import type { PluginPermissions } from '../../plugin/define-plugin.ts';
import type { PluginChange } from '../../wire/index.ts';
import { folderSize } from '../folder-size.ts';
import { type NpmRun, runNpm } from './run-npm.ts';

/** Enough for thousands of plugins. */
const MAX_LOCK_BYTES = 4 * 2 ** 20;

/** The entry of an installed plugin in the lock file. */
export interface LockedPlugin {
  readonly version: string;
  /** The integrity of its tarball in npm's format: `sha512-…`. */
  readonly integrity: string;
  /** The origin it was installed from: a package name with what follows `@`, or an absolute path. */
  readonly from: string;
  /** The folder below `packages/` that contains it with all its dependencies. */
  readonly folder: string;
  /** The permissions that the user granted. */
  readonly permissions: PluginPermissions;
}

type Locked = Readonly<Record<string, LockedPlugin>>;

const LOCK_FILE = 'kebab-plugins.lock.json';
const STAGING = /^\.staging-(\d+)-/;

/**
 * kebab's own folder for plugins. Each plugin is in its own folder below `packages/` with its dependencies, and `node_modules/NAME` links
 * to it; an optional part is in a folder below `parts/`. Everything is prepared in a staging folder and put in place atomically.
 */
export class PluginFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** The installed plugins by name. An unreadable lock file counts as empty. */
  locked(): Locked {
    try {
      const { plugins } = JSON.parse(readRegularText(this.#lockFile, { maxBytes: MAX_LOCK_BYTES })) as {
        readonly plugins?: Locked;
      };
      return plugins ?? {};
    } catch {
      return {};
    }
  }

  /** Creates something in a staging folder, which is removed afterwards unless it was put in place. */
  async staged<T>(shelf: 'packages' | 'parts', make: (staging: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.root, shelf);
    makeFolder(folder);
    removeAbandoned(folder);
    const staging = path.join(folder, `.staging-${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
    mkdirSync(staging);
    try {
      return await make(staging);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }

  /** Puts a staged plugin in place, replacing the current one with the same name. */
  async place(staging: string, name: string, entry: Omit<LockedPlugin, 'folder'>): Promise<LockedPlugin> {
    const folder = `${name.replaceAll('/', '+')}-${entry.version}-${crypto.randomUUID().slice(0, 8)}`;
    const locked = { ...entry, folder };
    await this.#alone(() => {
      const before = this.locked();
      renameSync(staging, path.join(this.root, 'packages', folder));
      this.#link(name, path.join(this.root, 'packages', folder, 'node_modules', name));
      this.#write({ ...before, [name]: locked });
      this.#removePackage(before[name]);
    });
    return locked;
  }

  /** Puts a staged part in place, and removes its predecessors. */
  async placePart(staging: string, part: { readonly name: string; readonly folder: string }): Promise<void> {
    await this.#alone(() => {
      const target = path.join(this.root, 'parts', part.folder);
      rmSync(target, { recursive: true, force: true });
      renameSync(staging, target);
      for (const other of this.#partFolders(part.name)) if (other !== target) rmSync(other, { recursive: true });
    });
  }

  /** Whether a plugin of this name is installed. */
  has(name: string): boolean {
    const link = lstatSync(this.#linkOf(name), { throwIfNoEntry: false });
    return this.locked()[name] !== undefined || link?.isSymbolicLink() === true;
  }

  /** Whether any version of a part is installed. */
  hasPart(name: string): boolean {
    return this.#partFolders(name).length > 0;
  }

  /** Removes an installed plugin, if there is one of this name. */
  async remove(name: string): Promise<void> {
    if (!this.has(name)) return;
    await this.#alone(() => {
      const { [name]: removed, ...others } = this.locked();
      rmSync(this.#linkOf(name), { recursive: true, force: true });
      this.#write(others);
      this.#removePackage(removed);
    });
  }

  /** Removes every version of a part. */
  async removePart(name: string): Promise<void> {
    await this.#alone(() =>
      this.#partFolders(name).forEach((folder) => rmSync(folder, { recursive: true, force: true })),
    );
  }

  /**
   * Repairs links to kebab's own packages, which are dangling after kebab was moved or reinstalled elsewhere, using the folders in `owned`,
   * which is called only in that case.
   */
  linkOwn(owned: () => Readonly<Record<string, string>>): void {
    for (const { folder } of Object.values(this.locked())) {
      const scope = path.join(this.root, 'packages', folder, 'node_modules', '@kebab');
      for (const name of existsSync(scope) ? readdirSync(scope) : []) {
        const target = existsSync(path.join(scope, name)) ? undefined : owned()[`@kebab/${name}`];
        if (target !== undefined) replaceLink(path.join(scope, name), target);
      }
    }
  }

  #partFolders(name: string): readonly string[] {
    const parts = path.join(this.root, 'parts');
    const entries = existsSync(parts) ? readdirSync(parts) : [];
    return entries
      .filter((entry) => entry.startsWith(`${name}-`) && /^[0-9a-f]+$/.test(entry.slice(name.length + 1)))
      .map((entry) => path.join(parts, entry));
  }

  #link(name: string, target: string): void {
    const link = this.#linkOf(name);
    makeFolder(path.dirname(link));
    replaceLink(link, target);
  }

  #linkOf(name: string): string {
    return path.join(this.root, 'node_modules', ...name.split('/'));
  }

  #removePackage(locked: LockedPlugin | undefined): void {
    if (locked !== undefined && path.basename(locked.folder) === locked.folder)
      rmSync(path.join(this.root, 'packages', locked.folder), { recursive: true, force: true });
  }

  #write(plugins: Locked): void {
    const sorted = Object.fromEntries(Object.entries(plugins).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    writeAtomically(this.#lockFile, `${JSON.stringify({ version: 1, plugins: sorted }, null, 2)}\n`);
  }

  #alone(change: () => void): Promise<void> {
    return oneAtATime(`${this.#lockFile}.lock`, async () => change());
  }

  get #lockFile(): string {
    return path.join(this.root, LOCK_FILE);
  }
}

/** On Windows it creates a junction, which needs no privilege and cannot replace an existing one. */
function replaceLink(link: string, target: string): void {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  const draft = `${link}.${crypto.randomUUID().slice(0, 8)}`;
  symlinkSync(target, draft, 'junction');
  try {
    renameSync(draft, link);
  } catch {
    rmSync(link, { force: true });
    renameSync(draft, link);
  }
}

/** Removes what a killed process left behind. */
function removeAbandoned(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = STAGING.exec(entry)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(path.join(folder, entry), { recursive: true, force: true });
  }
}

/** Libraries that kebab does not need until a feature requires them: too large to bundle. */
export interface OptionalPart {
  /** Its name for users: `kebab plugin install ocr`. */
  readonly name: string;
  readonly summary: string;
  /** Its folder below `parts/`, which differs between versions. */
  readonly folder: string;
  /** Whether its libraries can be loaded, wherever they are. */
  readonly isPresent: () => boolean;
  /** A package.json and its package-lock.json, which pins every package by version and integrity. */
  readonly files: () => { readonly package: string; readonly lock: string };
}

/** Installs a part as pinned. Install scripts of its packages do not run: what they would download is not needed. */
export async function installPart(
  part: OptionalPart,
  { pluginFolder, env }: Pick<NpmRun, 'env'> & { readonly pluginFolder: string },
  { signal, onProgress }: AbortOptions & Pick<NpmRun, 'onProgress'>,
): Promise<PluginChange> {
  const folder = new PluginFolder(pluginFolder);
  const place = path.join(folder.root, 'parts', part.folder);
  const isThere = existsSync(place);
  if (!isThere)
    await folder.staged('parts', async (staging) => {
      const files = part.files();
      writeFileSync(path.join(staging, 'package.json'), files.package);
      writeFileSync(path.join(staging, 'package-lock.json'), files.lock);
      await runNpm(['ci', '--ignore-scripts'], { cwd: staging, env, signal, onProgress });
      removeForeign(path.join(staging, 'node_modules'));
      await folder.placePart(staging, part);
    });
  const bytes = await folderSize(place);
  return pluginChange({
    action: isThere ? 'unchanged' : 'installed',
    kind: 'part',
    name: part.name,
    folder: place,
    bytes,
  });
}

/** A change as plugin_change.v1: of a plugin, without what is not mentioned. */
export function pluginChange(change: Partial<PluginChange> & Pick<PluginChange, 'action' | 'name'>): PluginChange {
  return {
    schema_version: 'plugin_change.v1',
    kind: 'plugin',
    version: null,
    previous: null,
    folder: null,
    bytes: 0,
    config_file: null,
    scripts: [],
    hint: null,
    ...change,
  };
}

/** Removes the binaries for other systems, three quarters of the largest package: `bin/napi-v6/PLATFORM/ARCH`. */
function removeForeign(modules: string): void {
  const binaries = path.join(modules, 'onnxruntime-node', 'bin');
  for (const api of foldersIn(binaries))
    for (const platform of foldersIn(path.join(binaries, api)))
      for (const arch of foldersIn(path.join(binaries, api, platform)))
        if (platform !== process.platform || arch !== process.arch)
          rmSync(path.join(binaries, api, platform, arch), { recursive: true });
}

function foldersIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Whether a process has this number; one that belongs to another user counts. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
