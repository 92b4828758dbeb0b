import { promises as fs } from 'node:fs';
import path from 'node:path';

const MAX_LINKS = 40;

/** Where a path really leads, and whether anything is there. */
export interface RealPath {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Follows every symbolic link of an absolute path, also those that lead to nothing: what is not there lies where it would
 * lie. So the answer to "is it inside?" does not depend on "does it exist?". Throws ELOOP for links in a circle.
 */
export async function realPath(absolute: string): Promise<RealPath> {
  const { root } = path.parse(absolute);
  let pending = absolute.slice(root.length).split(path.sep).filter(Boolean);
  let real = root;
  let links = 0;
  for (let segment = pending.shift(); segment !== undefined; segment = pending.shift()) {
    const here = path.join(real, segment);
    const entry = await lookAt(here);
    if (entry.kind === 'nothing') return { path: path.join(here, ...pending), exists: false };
    if (entry.kind === 'real') {
      real = here;
      continue;
    }
    if (++links > MAX_LINKS) throw Object.assign(new Error(`too many links at ${absolute}`), { code: 'ELOOP' });
    const followed = path.resolve(real, entry.target);
    const base = path.parse(followed).root;
    pending = [...followed.slice(base.length).split(path.sep).filter(Boolean), ...pending];
    real = base;
  }
  return { path: real, exists: true };
}

type Entry =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'real' }
  | { readonly kind: 'link'; readonly target: string };

/** What stands at a path. What may not be looked at counts as nothing. */
async function lookAt(file: string): Promise<Entry> {
  try {
    if (!(await fs.lstat(file)).isSymbolicLink()) return { kind: 'real' };
    return { kind: 'link', target: await fs.readlink(file) };
  } catch {
    return { kind: 'nothing' };
  }
}

/** Whether a real path lies below a real folder. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
