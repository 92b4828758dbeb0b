import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '@kebab/core/app';

/** Notices that were shown on one day. */
interface ShownNotices {
  readonly date: string;
  readonly keys: readonly string[];
}

/**
 * Whether a notice has not been shown on this day, and remembers that it is now, in a file of the state folder that its owner alone
 * reads. A file that cannot be read or written costs nothing but the notice once more.
 */
export function isFirstToday(
  key: string,
  { stateDir, now }: { readonly stateDir: string; readonly now: Date },
): boolean {
  const file = path.join(stateDir, 'notices.json');
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const { keys } = readShown(file, date);
  if (keys.includes(key)) return false;
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    const shown: ShownNotices = { date, keys: [...keys, key] };
    writeAtomically(file, `${JSON.stringify(shown)}\n`, { mode: 0o600, flush: false });
  } catch {
    // shown again next time
  }
  return true;
}

function readShown(file: string, date: string): ShownNotices {
  const nothing = { date, keys: [] };
  try {
    const shown = JSON.parse(readFileSync(file, 'utf8')) as Partial<ShownNotices> | null;
    return shown?.date === date && Array.isArray(shown.keys) ? { date, keys: shown.keys } : nothing;
  } catch {
    return nothing;
  }
}
