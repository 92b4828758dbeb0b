import type { Open } from '@kebab/core/app';
import { printable } from './printable.ts';
import type { Screen } from './screen.ts';

/** The place as terminals and editors follow it: `/notes/a.md:12`, `/papers/a.pdf#page=3`, `/photos/b.png`. */
export function renderOpen({ path, line, page }: Open, { columns }: Screen): string {
  const place = `${path}${line === null ? '' : `:${line}`}${page === null ? '' : `#page=${page}`}`;
  return `${columns === null ? place : printable(place)}\n`;
}
