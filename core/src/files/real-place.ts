import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Whether a real path is a real folder or lies below it. */
export function isInside(real: string, realRoot: string): boolean {
  return real === realRoot || real.startsWith(realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep);
}

/** Whether a file that is there lies below a folder once all links are followed; the folder itself may be reached by links. */
export function liesInside(file: string, root: string): boolean {
  try {
    return isInside(realpathSync.native(file), realpathSync.native(root));
  } catch {
    return false;
  }
}
