import type { JsonValue } from './canonical-json.ts';
import { readPeriod } from './period.ts';

/** The front matter keys that date a document, the most telling first; `created` dates are older than what is written below them. */
const DATE_KEYS = ['updated', 'modified', 'lastmod', 'date'] as const;

const MIDNIGHT_UTC = 'T00:00:00.000Z';

/**
 * The date of a document, by which it is filtered: what its front matter says under `updated`, `modified`, `lastmod` or `date`, in
 * this order, else when its content was last changed (`updatedAt`: the key `updated_at`, the date inside a PDF, or the time of the
 * file). A day without a time is that day here, wherever it was written.
 */
export function documentDate(user: Readonly<Record<string, JsonValue>>, updatedAt: Date): Date {
  for (const key of DATE_KEYS) {
    const value = user[key];
    const stated = typeof value === 'string' ? readPeriod(value) : undefined;
    if (stated !== undefined) return stated.start;
  }
  const iso = updatedAt.toISOString();
  return iso.endsWith(MIDNIGHT_UTC) ? (readPeriod(iso.slice(0, -MIDNIGHT_UTC.length))?.start ?? updatedAt) : updatedAt;
}
