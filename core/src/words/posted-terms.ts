import { isLoneCjk } from '../analysis/cjk-run.ts';
import { COLUMN_WEIGHTS, indexTokens, type IndexedToken } from '../analysis/index-tokens.ts';
import type { IndexText } from '../analysis/index-text.ts';
import type { WordRun } from './ranking-units.ts';

/**
 * What an engine stores of a chunk. A term is a token; two content words that stand side by side, with the function words between them
 * (`state of art`); or the first character of tokens in scripts without spaces (`한*`).
 */
export interface PostedChunk {
  /** The number of tokens in all columns, by which BM25 measures the length of a chunk. */
  readonly length: number;
  /** How often each term occurs, weighted by column. */
  readonly terms: ReadonlyMap<string, number>;
  /** The tokens of headings, file name and symbol, and their number. */
  readonly names: ReadonlySet<string>;
  readonly nameLength: number;
}

/** BM25's saturation and length parameters, which are those of FTS5. */
const K1 = 1.2;
const B = 0.75;

/** More tokens do not make a term of words side by side. */
const MAX_NEIGHBOUR_TOKENS = 6;

/** The terms of a chunk. */
export function postedTerms(index: IndexText): PostedChunk {
  const terms = new Map<string, number>();
  const names = new Set<string>();
  let length = 0;
  let nameLength = 0;
  for (const column of ['text', 'heading', 'symbol', 'cjk'] as const) {
    const weight = COLUMN_WEIGHTS[column];
    const tokens = indexTokens(index[column]);
    length += tokens.length;
    const add = (term: string): void => void terms.set(term, (terms.get(term) ?? 0) + weight);
    for (let at = 0; at < tokens.length; at++) {
      const { token, opening } = tokens[at] as IndexedToken;
      add(token);
      if (opening === null) addNeighbours(tokens, at, add);
      else add(`${opening}*`);
    }
    if (column !== 'heading' && column !== 'symbol') continue;
    nameLength += tokens.length;
    for (const { token } of tokens) names.add(token);
  }
  return { length, terms, names, nameLength };
}

/** The term-frequency part of BM25: a weighted count, in a chunk of a length, in an index whose chunks have an average length. */
export function saturated(count: number, length: number, average: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / Math.max(1, average)));
}

/** Whether a term is a single token, such as a vocabulary lists. */
export function isToken(term: string): boolean {
  return !term.includes(' ') && !term.endsWith('*');
}

function addNeighbours(tokens: readonly IndexedToken[], at: number, add: (term: string) => void): void {
  const first = tokens[at];
  if (first === undefined || first.isFunctionWord) return;
  let term = first.token;
  for (let next = at + 1; next < tokens.length && next < at + MAX_NEIGHBOUR_TOKENS; next++) {
    const { token, isFunctionWord, opening } = tokens[next] as IndexedToken;
    if (opening !== null) return;
    term += ` ${token}`;
    if (!isFunctionWord) return add(term);
  }
}

/** How an index answers a run: by one term, by the tokens with a beginning, or by candidates whose texts are checked. */
export type RunLookup =
  | { readonly kind: 'none' }
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'beginning'; readonly beginning: string }
  | { readonly kind: 'checked'; readonly tokens: readonly string[]; readonly isPrefix: boolean };

/** How an index answers a run of words. */
export function lookupOf({ words, isPrefix }: WordRun): RunLookup {
  const tokens = words.flatMap((word) => indexTokens(word));
  const [first, second] = tokens;
  if (first === undefined) return { kind: 'none' };
  if (second === undefined) {
    if (!isPrefix) return { kind: 'term', term: first.token };
    return isLoneCjk(first.token)
      ? { kind: 'term', term: `${first.token}*` }
      : { kind: 'beginning', beginning: first.token };
  }
  const row = tokens.map(({ token }) => token);
  return !isPrefix && areNeighbours(tokens)
    ? { kind: 'term', term: row.join(' ') }
    : { kind: 'checked', tokens: row, isPrefix };
}

function areNeighbours(tokens: readonly IndexedToken[]): boolean {
  if (tokens.length > MAX_NEIGHBOUR_TOKENS) return false;
  return tokens.every(({ isFunctionWord, opening }, at) => {
    const isInner = at > 0 && at < tokens.length - 1;
    return opening === null && isFunctionWord === isInner;
  });
}
