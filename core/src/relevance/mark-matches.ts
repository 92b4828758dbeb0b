import type { AnalysedQuery, QueryPhrase } from '../analysis/analyse-query.ts';
import { isLoneCjk } from '../analysis/cjk-run.ts';
import { foldWord, isFunctionWord, scanWords } from '../analysis/words.ts';
import { identifierParts } from '../analysis/identifier-parts.ts';
import { traceableForm } from '../analysis/search-form.ts';
import { stemOf } from '../analysis/index-tokens.ts';

/** A part of a text that a query matched, in UTF-16 units, half-open. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Identifies the matched query word: all of its matches have the same value. */
  readonly of: string;
}

/** Finds the matches of a query in a text: in order, without overlaps. */
export type MatchMarker = (text: string) => readonly Match[];

/**
 * Creates a marker for the matches of a query, word for word as the full-text index compares them: other forms of a word, the parts of an
 * identifier, bigrams of Han, Hangul and kana. Function words are marked only in a query that contains nothing else, and the words of a
 * required phrase only where the phrase occurs.
 */
export function matchMarker(query: AnalysedQuery): MatchMarker {
  const words = query.terms.flatMap((term) => (term.kind === 'word' && !/[._]/.test(term.token) ? [term.token] : []));
  const contentWords = words.filter((word) => !isFunctionWord(word));
  const wanted = contentWords.length > 0 || hasOthers(query) ? contentWords : words;
  const stems = new Set(wanted.map(stemOf));
  const beginnings = wanted.flatMap((word) => (word.endsWith('*') ? [word.slice(0, -1)] : []));
  const isAsked = ({ token, folded }: PlacedToken): boolean =>
    stems.has(token) || beginnings.some((beginning) => folded.startsWith(beginning));
  const pairs = new Set(query.terms.flatMap((term) => (term.kind === 'cjk' ? [term.token] : [])));
  const demanded = (query.demands ?? []).flatMap((demand) => [
    ...demand.phrases,
    ...(demand.kind === 'any' ? demand.words : []),
  ]);
  const phrases = [...query.phrases, ...demanded].map(rowsOf);
  return (text) => {
    const form = traceableForm(text);
    const tokens = tokensIn(form.text);
    const single = tokens.flatMap((token) => {
      if (token.kind === 'word' ? isAsked(token) : pairs.has(token.token)) return [token];
      const lone = firstOf(token);
      return token.kind === 'cjk' && pairs.has(lone.token) ? [lone] : [];
    });
    const rows = phrases.flatMap((parts) => (parts.every((row) => occurrences(tokens, row).length > 0) ? parts : []));
    const inRows = rows.flatMap((row) => occurrences(tokens, row).flat());
    return joined([...single, ...inRows].map((found) => ({ ...found, ...form.written(found) })));
  };
}

function hasOthers({ terms, phrases }: AnalysedQuery): boolean {
  return phrases.length > 0 || terms.some(({ kind }) => kind !== 'word');
}

/** A token of the index, and its position in the text. */
interface PlacedToken {
  readonly kind: 'word' | 'cjk';
  readonly token: string;
  /** The word before stemming. */
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/** The tokens of a text in order; an identifier is followed by its parts. */
function tokensIn(text: string): readonly PlacedToken[] {
  const tokens: PlacedToken[] = [];
  for (const { kind, text: word, start } of scanWords(text)) {
    if (kind === 'cjk') tokens.push(...pairsIn(word, start));
    else for (const piece of word.matchAll(/[^_]+/g)) tokens.push(...formsOf(piece[0], start + piece.index));
  }
  return tokens;
}

function formsOf(word: string, start: number): readonly PlacedToken[] {
  const whole = placed(word, start);
  let from = 0;
  const parts = identifierParts(word)
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const at = word.indexOf(part, from);
      from = at + part.length;
      return placed(part, start + at);
    });
  return [whole, ...parts];
}

function placed(word: string, start: number): PlacedToken {
  const folded = foldWord(word);
  return { kind: 'word', token: stemOf(folded), folded, start, end: start + word.length };
}

/** Each bigram, and the last character alone. */
function pairsIn(run: string, start: number): readonly PlacedToken[] {
  const characters = Array.from(run);
  let at = start;
  return characters.map((character, i) => {
    const token = `${character}${characters[i + 1] ?? ''}`;
    const placedPair = { kind: 'cjk', token, folded: token, start: at, end: at + token.length } as const;
    at += character.length;
    return placedPair;
  });
}

/** The first character of a bigram. */
function firstOf({ kind, token, start }: PlacedToken): PlacedToken {
  const first = String.fromCodePoint(token.codePointAt(0) ?? 0);
  return { kind, token: first, folded: first, start, end: start + first.length };
}

/** A phrase as token sequences, one for each part in words or in a CJK run. */
function rowsOf({ parts }: QueryPhrase): readonly (readonly string[])[] {
  return parts.map(({ column, tokens }) =>
    column === 'cjk' ? tokens : tokens.flatMap((token) => token.split('_').filter(Boolean).map(stemOf)),
  );
}

/** The occurrences of a token sequence. A single character of Han, Hangul or kana may begin a longer token. */
function occurrences(tokens: readonly PlacedToken[], row: readonly string[]): readonly (readonly PlacedToken[])[] {
  return tokens.flatMap((_, at) => {
    const here = tokens
      .slice(at, at + row.length)
      .map((found, i) => (isLoneCjk(row[i] ?? '') ? firstOf(found) : found));
    return row.length > 0 && row.every((wanted, i) => here[i]?.token === wanted) ? [here] : [];
  });
}

/** Matches in order; overlapping or adjacent ones, such as the bigrams of a run and the parts of an identifier, are merged. */
function joined(found: readonly PlacedToken[]): readonly Match[] {
  const matches: Match[] = [];
  for (const { start, end, token } of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = matches.at(-1);
    if (last === undefined || start > last.end) matches.push({ start, end, of: token });
    else if (end > last.end) matches[matches.length - 1] = { ...last, end };
  }
  return matches;
}
