import { bigrams } from '../analysis/cjk-run.ts';
import { identifierParts } from '../analysis/identifier-parts.ts';
import type { AnalysedQuery, QueryTerm } from '../analysis/analyse-query.ts';
import { searchForm, traceableForm } from '../analysis/search-form.ts';
import { foldWord, scanWords } from '../analysis/words.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import { questionWords } from '../relevance/question-words.ts';
import { asLookedUp } from './near-tokens.ts';

/** A content word of a query and how it is looked up: it is known when one of its forms is, and a form when all of its tokens are. */
interface LookedUpWord {
  readonly shown: string;
  readonly forms: readonly (readonly string[])[];
}

/** What the index knows of the content words of a query. */
export interface WordsKnown {
  /** In lower case, in the order of the query: no passage contains them, whole or in parts. */
  readonly unknown: readonly string[];
  /** Whether a passage contains at least one of them. */
  readonly knowsSome: boolean;
}

/** The content words of a query that no passage of the index contains, whatever the mode and the filters. */
export async function unknownWords(
  { embeddingText }: Pick<AnalysedQuery, 'embeddingText'>,
  index: Pick<LexicalIndex, 'termStats'>,
): Promise<WordsKnown> {
  const words = lookedUpWords(embeddingText);
  if (words.length === 0) return { unknown: [], knowsSome: true };
  const tokens = [...new Set(words.flatMap(({ forms }) => forms.flat()))];
  const { chunks, df } = await index.termStats(tokens);
  if (chunks === 0) return { unknown: [], knowsSome: true };
  const isKnown = new Map(tokens.map((token, at) => [token, (df[at] ?? 0) > 0]));
  const unknown = words.filter(
    ({ forms }) => !forms.some((form) => form.every((token) => isKnown.get(token) === true)),
  );
  return { unknown: [...new Set(unknown.map(({ shown }) => shown))], knowsSome: unknown.length < words.length };
}

function lookedUpWords(text: string): readonly LookedUpWord[] {
  const content = questionWords(text);
  const folded = new Set(content.flatMap((word) => (word.kind === 'word' ? [word.folded] : [])));
  const stems = content.flatMap((word) => (word.kind === 'cjk' ? [word.stem] : []));
  const form = traceableForm(text);
  return scanWords(form.text).flatMap(({ kind, text: word, ...range }): readonly LookedUpWord[] => {
    if (kind !== 'cjk') {
      const { start, end } = form.written(range);
      return folded.has(foldWord(word)) ? [{ shown: text.slice(start, end).toLowerCase(), forms: formsOf(word) }] : [];
    }
    const own = stems.filter((stem) => word.includes(stem) && bigrams(stem).length > 0 && Array.from(stem).length > 1);
    const pieces = own.map((stem): LookedUpWord => ({ shown: stem, forms: pairsOf(stem) }));
    const isWhole = pieces.length === 1 ? /^\p{Script=Hangul}+$/u : /^\p{Script=Han}+$/u; // what seems an ending may be none
    if (pieces.length === 0 || !isWhole.test(word)) return pieces;
    return [{ shown: word, forms: pieces.flatMap(({ forms }) => forms) }];
  });
}

/**
 * Two characters in a row that a passage has anywhere make a piece known; a long one only where it begins, or with half of its pairs: its end
 * alone is another word.
 */
function pairsOf(stem: string): LookedUpWord['forms'] {
  const pairs = bigrams(stem);
  if (pairs.length < 3) return pairs.map((pair) => [pair]);
  const [first = '', ...others] = pairs;
  return [[first], ...others.flatMap((one, at) => others.slice(at + 1).map((other) => [one, other]))];
}

function formsOf(word: string): readonly (readonly string[])[] {
  const pieces = [word.split(/[._]/), identifierParts(word).split(' ')];
  const forms = pieces.map((piece) => piece.filter((part) => part !== '').map(foldWord));
  return [[foldWord(word)], ...forms.filter((form) => form.length > 0)];
}

/** Languages that write several nouns as one word. */
const WITH_COMPOUNDS = { lang: ['da', 'de', 'fi', 'hu', 'is', 'nb', 'nl', 'nn', 'no', 'sv'] };
/** Endings of their nouns and adjectives. */
const ENDING = /(?:e[nmrs]?|n|s)$/;
/** Fewer letters are in words that have nothing to do with them. */
const MIN_LETTERS_BEGINNING = 4;
const MIN_LETTERS_INSIDE = 5;
/** How many compounds are counted, and of these searched for. */
const MAX_COUNTED = 64;
const MAX_COMPOUNDS = 6;

/**
 * A query whose unknown words are replaced by those of a language with compounds that they are a part of, or another form of:
 * `Handwerkerrechnung` for `Rechnungen`; for `Rechnung des Handwerkers` that alone. The query itself if there are none.
 */
export async function withCompounds(
  query: AnalysedQuery,
  unknown: readonly string[],
  index: Pick<LexicalIndex, 'termStats' | 'vocabulary'>,
  options: AbortOptions,
): Promise<AnalysedQuery> {
  const words = unknown.flatMap((word) => (/^\p{Script=Latin}+$/u.test(word) ? [{ word, parts: partsOf(word) }] : []));
  if (words.length === 0 || index.vocabulary === undefined) return query;
  if ((await index.termStats([], WITH_COMPOUNDS)).chunks === 0) return query;
  const compounds = new Map(words.flatMap(({ parts }) => parts.map((part) => [part, [] as string[]])));
  for (const { token } of await index.vocabulary(options))
    for (const [part, held] of compounds)
      if (part.length >= (token.startsWith(part) ? MIN_LETTERS_BEGINNING : MIN_LETTERS_INSIDE) && token.includes(part))
        held.push(asLookedUp(token, 'word'));
  const sharing = ([token]: readonly [string, number]): number =>
    words.filter(({ parts }) => parts.some((part) => token.includes(part))).length;
  let { terms, embeddingText } = query;
  for (const { word, parts } of words) {
    const held = parts.flatMap((part) => compounds.get(part)?.slice(0, MAX_COUNTED) ?? []);
    const { df } = await index.termStats(held, WITH_COMPOUNDS);
    const counted = [...new Map(held.map((token, at) => [token, df[at] ?? 0]))].filter(([, count]) => count > 0);
    const most = Math.max(...counted.map(sharing));
    const shared = counted.filter((one) => sharing(one) === most);
    const found = shared.toSorted(([, a], [, b]) => b - a).slice(0, MAX_COMPOUNDS);
    if (found[0] === undefined) continue;
    const own = found.map(([token]): QueryTerm => ({ kind: 'word', token }));
    terms = terms.flatMap((term) => (term.kind === 'word' && term.token === parts[0] ? own : [term]));
    const whole = new RegExp(String.raw`(?<!\p{L})${word}(?!\p{L})`, 'giu');
    embeddingText = embeddingText.replaceAll(whole, found[0][0].replace('*', ''));
  }
  return { ...query, terms, embeddingText };
}

/** A word as an index has it, and without its ending. */
function partsOf(word: string): readonly [string, string] {
  const folded = foldWord(searchForm(word));
  return [folded, folded.replace(ENDING, '')];
}
