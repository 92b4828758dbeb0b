import type { TrustReport } from '@kebab/core/app';
import { homePath } from './home-path.ts';
import type { Screen } from './screen.ts';

const STATE_COLUMNS = 9;
const SHOWN_DIGITS = 12;

/** Project files, a line each: whether it is trusted as it is now, and the beginning of its hash. */
export function renderTrust({ entries }: TrustReport, { colors, homeDir }: Screen): string {
  if (entries.length === 0) return 'no trusted files\n';
  return entries
    .map(({ path, hash, trusted }) => {
      const state = (trusted ? 'trusted' : 'untrusted').padEnd(STATE_COLUMNS);
      const shown = `${homePath(path, homeDir)}  ${colors.dim(hash.slice(0, SHOWN_DIGITS))}`;
      return `${(trusted ? colors.green : colors.yellow)(state)}  ${shown}\n`;
    })
    .join('');
}
