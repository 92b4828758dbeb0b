import { printable, type Citation, type Degraded, type Mode } from '@kebab/core/app';

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** The URI of a citation as it is printed: with the hash that `kebab cite verify` compares; citations of old sessions have none. */
export function citedUri({ permalink, uri }: Citation): string {
  return permalink ?? uri;
}

/** A number with its noun: `1 hit`, `2 hits`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A size for people: `31 bytes`, `29.5 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}

/** A duration for people: `840 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Replaces the home folder by `~` in every path of a text. */
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

/** A notice for a skipped stage; `mode` is the mode in which the search ran instead. */
export function degradedNotice({ stage, reason, hint }: Degraded, mode: Mode): string {
  if (reason === 'source_root_differs' || stage === 'update') return printable(`notice: ${hint}`); // nothing was skipped
  return printable(`notice: ${headline(stage, reason, mode)} — ${hint}`);
}

function headline(stage: Degraded['stage'], reason: Degraded['reason'], mode: Mode): string {
  if (stage === 'vector' && reason === 'vectors_incomplete')
    return `vector search incomplete (${reason}); some documents are found by their words only`;
  if (stage === 'vector' && mode === 'lexical') return `vector search off (${reason}); lexical results only`;
  if (stage === 'vector') return `vector search off (${reason})`;
  if (stage === 'freshness') return `files could not be compared (${reason}); hits of that source count as deleted`;
  return `${stage} off (${reason})`;
}
