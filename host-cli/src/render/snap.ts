import type { Snap } from '@kebab/core/app';
import { printable } from './printable.ts';
import type { Screen } from './screen.ts';

/** Where the picture is, how large, and what it shows. */
export function renderSnap({ path, width, height, uri }: Snap, { columns, colors }: Screen): string {
  const file = columns === null ? path : printable(path);
  return `${file}\n${colors.dim(`${width} × ${height}  ${printable(uri)}`)}\n`;
}
