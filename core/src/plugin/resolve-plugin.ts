import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The URL of the module that a specifier names: a file, the folder of a package, or the name of a package as an import
 * written in `fromFile` would find it, so that its own node_modules is what counts. Throws when there is none.
 */
export async function resolvePlugin(specifier: string, fromFile: string): Promise<string> {
  if (!isPath(specifier)) return resolvePackage(specifier, fromFile);
  const file = path.resolve(path.dirname(fromFile), specifier);
  return isFolder(file) ? resolveFolder(file) : pathToFileURL(file).href;
}

/** Whether a specifier is a path rather than the name of a package. */
export function isPath(specifier: string): boolean {
  return specifier.startsWith('.') || path.isAbsolute(specifier);
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
