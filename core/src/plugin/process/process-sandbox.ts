import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { PluginPermissions } from '../define-plugin.ts';

/** The restrictions of a process that runs third-party code. */
export interface ProcessSandbox {
  /** `process.env` of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Node flags for this process only: its permissions. */
  readonly flags: readonly string[];
  /** Hosts that the global `fetch` of the process may reach. */
  readonly hosts: readonly string[];
}

/** Options of {@link processSandbox}. */
interface ProcessSandboxInit {
  /** The permissions that the plugins in the process declare; each plugin gets the union of them. */
  readonly permissions: readonly PluginPermissions[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program of the process. */
  readonly program: URL;
  /** Folders from which code is loaded besides: those of the plugins. */
  readonly code: readonly string[];
  /** Folders that kebab itself reads in the process, such as its cache. */
  readonly readable?: readonly string[];
  /** A folder that exists. */
  readonly tmpDir: string;
  /** Those of plugins that declare `data-dir`; they exist. */
  readonly dataDirs?: readonly string[];
}

/** Variables that describe the environment of a program, and contain no secrets. */
const PLACE_VARIABLES =
  /^(?:HOME|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|PATH|Path|SSL_CERT_DIR|SSL_CERT_FILE|SystemRoot|TEMP|TMP|TMPDIR|TZ|USERPROFILE|windir)$/;

/** Disables the telemetry of native libraries, whose connections bypass the sandbox: the ONNX runtime. */
const NO_TELEMETRY: readonly (readonly [string, string])[] = [['ORT_DISABLE_TELEMETRY', '1']];

/** The permission flag of Node 22 and later, or that of Node 20. */
const SWITCH = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/**
 * Restricts a process to the declarations of its plugins: no variable that may hold a secret, no undeclared host through `fetch`, no file
 * written outside `tmpDir` and `dataDirs`, none read elsewhere but code (unless a plugin declares `input-only`), and no program started
 * without `spawn`. Native addons and threads, which parsers use, are unrestricted.
 */
export function processSandbox(init: ProcessSandboxInit): ProcessSandbox {
  const { permissions, env, tmpDir, dataDirs = [] } = init;
  const writes = [tmpDir, ...dataDirs];
  const reads = permissions.some(({ fs }) => fs === 'input-only') ? ['*'] : [...codeOf(init), ...writes];
  const spawns = permissions.some(({ spawn }) => spawn.length > 0);
  return {
    env: Object.fromEntries([
      ...Object.entries(env).flatMap(([name, value]) => (isPlace(name, value) ? [[name, value]] : [])),
      ...NO_TELEMETRY,
    ]),
    flags: [
      SWITCH,
      ...reads.map((folder) => `--allow-fs-read=${folder}`),
      ...writes.map((folder) => `--allow-fs-write=${folder}`),
      '--allow-addons',
      '--allow-worker',
      ...(spawns ? ['--allow-child-process'] : []),
    ],
    hosts: [...new Set(permissions.flatMap(({ net }) => net))],
  };
}

/** The folders of all code that the process may load, and what kebab itself reads. */
function codeOf({ program, code, readable = [] }: ProcessSandboxInit): readonly string[] {
  const programs = [fileURLToPath(program), ...preloaded()].map(packageFolderOf);
  return [...moduleFolders([...programs, ...code]), ...readable];
}

/** The files that the flags of this process, which host processes inherit, load first. */
function preloaded(): readonly string[] {
  const flags = process.execArgv.join('\n').matchAll(/^(?:--import|--require|-r)[\n=](.+)$/gm);
  return [...flags].flatMap(([, file = '']) => (file.startsWith('file:') ? [fileURLToPath(file)] : []));
}

function isPlace(name: string, value: string | undefined): value is string {
  return value !== undefined && PLACE_VARIABLES.test(name);
}

/**
 * The folders that a process must be able to read to load code from the given folders, and from those of the given files: these, every
 * `node_modules` that Node searches from there, and the packages elsewhere to which links in these lead, with the same for each. Folders
 * that do not exist are left out, and so are those within another.
 */
export function moduleFolders(places: readonly string[]): readonly string[] {
  const folders: string[] = [];
  const add = (folder: string): boolean => {
    if (!isFolder(folder) || folders.some((known) => isWithin(folder, known))) return false;
    folders.push(folder);
    return true;
  };
  const pending = places.flatMap((place) => [path.resolve(place), realPathOf(place)].map(folderAt));
  for (const folder of pending) {
    add(folder);
    for (const packages of searchedFrom(folder)) if (add(packages)) pending.push(...linkedFrom(packages));
  }
  return folders;
}

/** A folder itself, or that of a file. */
function folderAt(place: string): string {
  return isFolder(place) ? place : path.dirname(place);
}

/** The folder of the package to which a file belongs: the nearest one with a package.json, or else its own. */
export function packageFolderOf(file: string): string {
  const own = path.dirname(file);
  return ancestorsOf(own).find((folder) => existsSync(path.join(folder, 'package.json'))) ?? own;
}

/** The `node_modules` folders that Node searches for an import from a folder. */
function searchedFrom(folder: string): readonly string[] {
  return ancestorsOf(folder).map((parent) => path.join(parent, 'node_modules'));
}

/** A folder and all folders that contain it, nearest first. */
function ancestorsOf(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

/** The real paths of the packages that a `node_modules` links from elsewhere: workspaces, and packages installed by path. */
function linkedFrom(packages: string): readonly string[] {
  const entries = entriesOf(packages);
  const scopes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('@'));
  const inScopes = scopes.map(({ name }) => path.join(packages, name));
  return [packages, ...inScopes].flatMap((folder) =>
    entriesOf(folder).flatMap((entry) => (entry.isSymbolicLink() ? [realPathOf(path.join(folder, entry.name))] : [])),
  );
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file); // a link to nowhere
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);
}
