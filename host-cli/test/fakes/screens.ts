import picocolors from 'picocolors';
import type { Screen } from '../../src/render/screen.ts';
import { home } from '../examples/reports.ts';

/** A pipe: no colour, no width. */
export const plain: Screen = {
  columns: null,
  colors: picocolors.createColors(false),
  exact: String,
  homeDir: home,
};
