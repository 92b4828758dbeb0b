import type { IngestReport } from '@kebab/core/app';
import { printable } from '../io/printable.ts';

const MOST_EXTENSIONS = 6;

/** Why entries were skipped, most frequent first: `.gitignore 20, .exe 12, binary 8`. */
export function skippedText(report: IngestReport): string {
  const reasons: readonly (readonly [reason: string, count: number])[] = [
    ['.gitignore', report.skipped_gitignore],
    ['.kebabignore', report.skipped_kebabignore],
    ['built-in list', report.skipped_builtin_blacklist],
    ['configuration', report.skipped_excluded],
    ['generated', report.skipped_generated],
    ['too large', report.skipped_size_exceeded],
    ['binary', report.skipped_binary],
  ];
  const extensions = Object.entries(report.skipped_by_extension).toSorted(([, a], [, b]) => b - a);
  const named = extensions
    .slice(0, MOST_EXTENSIONS)
    .map(([extension, count]) => [extension === '<no-ext>' ? 'no extension' : `*.${extension}`, count] as const);
  const others = extensions.slice(MOST_EXTENSIONS).reduce((sum, [, count]) => sum + count, 0);
  const all: typeof reasons = [...reasons, ...named, ['other types', others]];
  return all
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${printable(reason)} ${count}`)
    .join(', ');
}
