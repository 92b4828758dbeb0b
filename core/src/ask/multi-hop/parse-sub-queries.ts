import { plainQuery } from '../retrieval/plain-query.ts';

const MAX_CHARS = 500;
/** How many brackets are tried on each side: a model that writes more of them wrote no list. */
const MAX_BRACKETS = 16;

/**
 * Reads the sub-queries a model wrote: the first JSON array in the text, whatever stands around it; members that are no text
 * are left out, and so are repetitions. Null when there is no array.
 */
export function parseSubQueries(text: string): readonly string[] | null {
  const starts = [...text.matchAll(/\[/g)].slice(0, MAX_BRACKETS);
  const ends = [...text.matchAll(/\]/g)].slice(-MAX_BRACKETS).toReversed();
  for (const start of starts) {
    for (const end of ends) {
      const list = start.index < end.index ? arrayIn(text.slice(start.index, end.index + 1)) : null;
      if (list !== null) return distinct(list);
    }
  }
  return null;
}

function arrayIn(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function distinct(list: readonly unknown[]): readonly string[] {
  const queries = list.flatMap((item) => (typeof item === 'string' ? [plainQuery(item.slice(0, MAX_CHARS))] : []));
  return [...new Set(queries)].filter((query) => query !== '');
}
