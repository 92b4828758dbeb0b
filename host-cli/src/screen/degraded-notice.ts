import type { Degraded, Mode } from '@kebab/core/app';
import { printable } from '../io/printable.ts';

/** A skipped stage as a notice for people, where `mode` is how the rest of the search was made. */
export function degradedNotice({ stage, reason, hint }: Degraded, mode: Mode = 'lexical'): string {
  if (reason === 'source_root_differs') return printable(`notice: ${hint}`); // nothing was skipped
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
