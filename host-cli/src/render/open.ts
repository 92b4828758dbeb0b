import type { Open } from '@kebab/core/app';
import { printable } from '../io/printable.ts';

/** The place as terminals and editors follow it: `/notes/a.md:12`, `/papers/a.pdf#page=3`, `/photos/b.png`. */
export function renderOpen({ path, line, page }: Open): string {
  const place = `${path}${line === null ? '' : `:${line}`}${page === null ? '' : `#page=${page}`}`;
  return `${printable(place)}\n`;
}
