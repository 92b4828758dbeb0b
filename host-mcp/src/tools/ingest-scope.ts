import { realpathSync } from 'node:fs';
import path from 'node:path';
import { invalidInput } from '@kebab/core/app';
import type { Settings } from '../settings.ts';

/**
 * The real path of a file that may be ingested: one in a source root, the working directory or a folder that the
 * configuration allows, links followed on both sides. Throws `invalid_input` for any other, whether or not it exists.
 */
export function placeInScope(typed: string, { cwd, sourceRoots, ingestRoots }: Settings): string {
  if (typed.includes('\0') || typed.trim() === '')
    throw invalidInput('path is the path of a file', { field: 'path', value: typed });
  const real = realPathOf(path.resolve(cwd, typed));
  const roots = [...sourceRoots, ...ingestRoots, ...workingFolder(cwd)];
  if (roots.some((root) => isInside(real, realPathOf(root)))) return real;
  throw invalidInput(`${typed} lies outside the folders that files may be ingested from`, {
    field: 'path',
    value: typed,
    allowed: roots,
    hint: 'add its folder to mcp.ingest_roots in the configuration',
  });
}

/** A host that starts servers in the root of the file system has chosen no folder: it would allow everything. */
function workingFolder(cwd: string): readonly string[] {
  return path.dirname(cwd) === cwd ? [] : [cwd];
}

/** The real path, also of what does not exist: then that of the nearest folder that does, with the rest behind it. */
function realPathOf(absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPathOf(parent), path.basename(absolute));
  }
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
