import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where a plugin lies. */
export interface PluginPlace {
  /** The folder of its package, its file, or the name of a package that was not found. */
  readonly path: string;
  /** The folder with its package.json; null for a single file, and for a package that was not found. */
  readonly packageFolder: string | null;
  /** The URL of its module. Throws when there is none. */
  readonly moduleUrl: () => Promise<string>;
}

/**
 * Where a specifier points: a file, the folder of a package, or the name of a package as an import written in `fromFile` would
 * find it, so that its own node_modules is what counts. The module itself is looked for when its URL is asked for.
 */
export function locatePlugin(specifier: string, fromFile: string): PluginPlace {
  if (!isPath(specifier)) {
    const packageFolder = packageFolderOf(specifier, fromFile);
    return { path: packageFolder ?? specifier, packageFolder, moduleUrl: () => resolvePackage(specifier, fromFile) };
  }
  const file = path.resolve(path.dirname(fromFile), specifier);
  if (isFolder(file)) return { path: file, packageFolder: file, moduleUrl: () => resolveFolder(file) };
  return { path: file, packageFolder: null, moduleUrl: () => urlOfFile(file) };
}

/** Whether a specifier is a path rather than the name of a package. */
export function isPath(specifier: string): boolean {
  return specifier.startsWith('.') || path.isAbsolute(specifier);
}

/** The nearest node_modules that holds a package, looked for by hand: what a search does with thirty of them must cost little. */
function packageFolderOf(specifier: string, fromFile: string): string | null {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  for (let folder = path.dirname(fromFile); ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    if (isFolder(found)) return found;
    if (folder === path.dirname(folder)) return null;
  }
}

async function urlOfFile(file: string): Promise<string> {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) throw new Error(`there is no ${file}`);
  return pathToFileURL(file).href;
}

async function resolvePackage(name: string, fromFile: string): Promise<string> {
  const { resolve } = await import('import-meta-resolve');
  return resolve(name, pathToFileURL(fromFile).href);
}

/** A package can name itself, which is how Node reads its `exports`. */
async function resolveFolder(folder: string): Promise<string> {
  const { name, exports, main } = packageJsonOf(folder);
  if (typeof name === 'string' && exports !== undefined) return resolvePackage(name, path.join(folder, 'package.json'));
  const entry = typeof main === 'string' ? main : 'index.js';
  return pathToFileURL(path.join(folder, entry)).href;
}

function packageJsonOf(folder: string): {
  readonly name?: unknown;
  readonly exports?: unknown;
  readonly main?: unknown;
} {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as object;
  } catch (error) {
    throw new Error(`${folder} is a folder without a package.json that can be read`, { cause: error });
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
