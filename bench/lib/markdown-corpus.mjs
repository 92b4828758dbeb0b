import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ARCHIVE = fileURLToPath(new URL('../../../shared/data/md5k/md5k.tar.gz', import.meta.url));

/** The folder of Markdown files named by `given`; without it, 5,000 files of `../shared/data/md5k`, unpacked into `home`. */
export function markdownCorpus(home, given) {
  if (given !== undefined) return path.resolve(given);
  if (!existsSync(ARCHIVE)) throw new Error(`${ARCHIVE} does not exist; name a folder of Markdown files instead`);
  if (spawnSync('tar', ['-xzf', ARCHIVE, '-C', home]).status !== 0) throw new Error(`cannot unpack ${ARCHIVE}`);
  return path.join(home, 'corpus-md5k');
}
