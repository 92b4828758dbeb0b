import type { VectorsCopied } from '@kebab/core/app';
import { counted } from './counted.ts';
import { printable } from '../io/printable.ts';

/** What was copied, a line for each collection, and what to do to use the copy. */
export function renderVectorsCopied({ from, to, collections }: VectorsCopied): string {
  if (collections.length === 0) return `${printable(from)} holds no vectors of this knowledge base\n`;
  const lines = collections.map(
    ({ collection, vectors }) => `copied    ${printable(collection)}  ${counted(vectors, 'vector')}`,
  );
  const hint = `hint      set storage.vector_store = "${printable(to)}" (or KEBAB_STORAGE_VECTOR_STORE) to search there`;
  return `${lines.join('\n')}\n${hint}\n`;
}
