import { printable } from '../io/printable.ts';

/** A text with the home folder written `~`, wherever a path below it stands. */
export function homePath(text: string, homeDir: string): string {
  const shown = printable(text);
  const home = homeDir.endsWith('/') ? homeDir.slice(0, -1) : homeDir;
  if (home === '') return shown;
  const path = new RegExp(`(?<![\\w.~/-])${escaped(home)}(?=/|$|[\\s,;:)"'\`])`, 'gu');
  return shown.replaceAll(path, '~');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
