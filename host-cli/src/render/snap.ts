import type { Snap } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** Where the picture is, how large, and what it shows. */
export function renderSnap({ path, width, height, uri }: Snap, { colors }: Screen): string {
  return `${printable(path)}\n${colors.dim(`${width} × ${height}  ${printable(uri)}`)}\n`;
}
