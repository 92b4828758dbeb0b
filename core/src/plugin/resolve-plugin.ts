import { statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readRegularText } from '../files/read-regular-file.ts';

/** The location of a plugin. */
export interface PluginPlace {
  /** The folder of its package, its file, or the name of a package that was not found. */
  readonly path: string;
  /** The folder with its package.json; null for a single file, and for a package that was not found. */
  readonly packageFolder: string | null;
  /** The URL of its module. Throws when there is none. */
  readonly moduleUrl: () => Promise<string>;
}

/**
 * Resolves a specifier: the absolute path of a file or of a package folder, or the name of a package in kebab's own plugin folder. A name
 * is not looked up anywhere else: the `node_modules` of a working directory is not the user's choice. The module itself is looked up when
 * its URL is requested.
 */
export function locatePlugin(specifier: string, pluginFolder: string): PluginPlace {
  if (!isPath(specifier)) {
    const folder = installedFolderOf(specifier, pluginFolder);
    if (isFolder(folder)) return { path: folder, packageFolder: folder, moduleUrl: () => resolveFolder(folder) };
    return { path: specifier, packageFolder: null, moduleUrl: () => notInstalled(specifier, pluginFolder) };
  }
  const file = path.resolve(pluginFolder, specifier);
  if (isFolder(file)) return { path: file, packageFolder: file, moduleUrl: () => resolveFolder(file) };
  return { path: file, packageFolder: null, moduleUrl: () => urlOfFile(file) };
}

/** Whether a specifier is a path rather than the name of a package. */
export function isPath(specifier: string): boolean {
  return specifier.startsWith('.') || path.isAbsolute(specifier);
}

function installedFolderOf(specifier: string, pluginFolder: string): string {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1);
  return path.join(pluginFolder, 'node_modules', ...name);
}

async function notInstalled(name: string, pluginFolder: string): Promise<never> {
  throw new Error(`Cannot find package '${name}' in ${path.join(pluginFolder, 'node_modules')}`);
}

async function urlOfFile(file: string): Promise<string> {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) throw new Error(`there is no ${file}`);
  return pathToFileURL(file).href;
}

async function resolvePackage(name: string, fromFile: string): Promise<string> {
  const { resolve } = await import('import-meta-resolve');
  return resolve(name, pathToFileURL(fromFile).href);
}

/** A package can refer to itself by name, which makes Node read its `exports`. */
async function resolveFolder(folder: string): Promise<string> {
  const { name, exports, main } = packageJsonOf(folder);
  if (typeof name === 'string' && exports !== undefined) return resolvePackage(name, path.join(folder, 'package.json'));
  const entry = typeof main === 'string' ? main : 'index.js';
  return pathToFileURL(path.join(folder, entry)).href;
}

/** Far larger than any real package.json. */
const MAX_MANIFEST_BYTES = 1_048_576;

function packageJsonOf(folder: string): {
  readonly name?: unknown;
  readonly exports?: unknown;
  readonly main?: unknown;
} {
  try {
    return JSON.parse(readRegularText(path.join(folder, 'package.json'), { maxBytes: MAX_MANIFEST_BYTES })) as object;
  } catch (error) {
    throw new Error(`${folder} is a folder without a package.json that can be read`, { cause: error });
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
