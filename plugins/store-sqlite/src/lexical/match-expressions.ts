import { type AnalysedQuery } from '@kebab/core';
import {
  foldWord,
  isFunctionWord,
  isLoneCjk,
  scanWords,
  searchForm,
  type QueryDemand,
  type QueryPhrase,
  type QueryTerm,
} from '@kebab/core/store';

/** One unit by which a query ranks. */
export interface RankingUnit {
  /** An FTS5 expression. */
  readonly expression: string;
  /** Its weight relative to an ordinary word. */
  readonly weight: number;
  /** Whether it is words that stand side by side in the query, which says less about source code. */
  readonly isNeighbours?: boolean | undefined;
}

/** With more runs than this, a query is a sentence, in which whole runs with all their particles match only by chance. */
const MAX_RUNS_AS_PHRASES = 3;
/** A longer run, as in a pasted paragraph, ranks by its pairs alone: as a phrase it takes a millisecond per character and changes nothing. */
const MAX_RUN_TOKENS = 64;

/**
 * The parameter for repeated words of a query in BM25, `(k3 + 1) · qtf / (k3 + qtf)`: two occurrences count 1.8, four count 3. 8 is the
 * value of Terrier's BM25; Okapi at TREC used 7 or 1000.
 */
const K3 = 8;
/** The weight of a phrase that is not required, relative to a word of the same rarity. */
const RELAXED_PHRASE_WEIGHT = 1;

/**
 * The weight of a passage's words that stand side by side as in the query, relative to a word of the same rarity, for a query of two words;
 * of more pairs each weighs less.
 */
const NEIGHBOUR_WEIGHT = 0.6;
const NEIGHBOUR_DAMPING = 1;
/** A query of more pairs is a pasted text, and no other text has its words in the same order. */
const MAX_NEIGHBOURS = 16;

/**
 * The units by which a query ranks. Every token is quoted, so nothing in a query is syntax. The bigrams of one run are not independent
 * evidence, so each is weighted by the inverse square root of their number; long runs still count more. A whole run ranks as a phrase only
 * in queries of at most three runs, and only if it is no longer than a sentence. Each repetition of a word adds to its weight, but less
 * than the previous one.
 */
export function rankingUnits({
  terms,
  phrases,
  relaxed,
  demands = [],
  embeddingText,
}: AnalysedQuery): readonly RankingUnit[] {
  const pairs = new Map<number, number>();
  for (const term of terms) if (term.kind !== 'word') pairs.set(term.run, pairsOf(term, pairs.get(term.run)));
  const units = new Map<string, number>();
  for (const expression of [...phrases.flatMap(partExpressions), ...demands.flatMap(demandUnits)])
    units.set(expression, 1);
  for (const term of terms) {
    if (term.kind === 'cjk_run' && (pairs.size > MAX_RUNS_AS_PHRASES || term.tokens.length > MAX_RUN_TOKENS)) continue;
    const expression = termExpression(term);
    const weight = term.kind === 'word' ? 1 : 1 / Math.sqrt(pairs.get(term.run) ?? 1);
    if (!units.has(expression)) units.set(expression, weight * repetition(term.times ?? 1));
  }
  for (const expression of relaxed?.phrases.flatMap(partExpressions) ?? [])
    units.set(expression, (units.get(expression) ?? 0) + RELAXED_PHRASE_WEIGHT);
  const isPlain = phrases.length === 0 && demands.length === 0 && relaxed === undefined;
  const neighbours = isPlain ? neighbourExpressions(embeddingText).filter((expression) => !units.has(expression)) : [];
  const weight = NEIGHBOUR_WEIGHT / neighbours.length ** NEIGHBOUR_DAMPING;
  return [
    ...[...units].map(([expression, own]) => ({ expression, weight: own })),
    ...neighbours.map((expression) => ({ expression, weight, isNeighbours: true })),
  ];
}

/** Content words that stand side by side, with the function words between them, as phrases, each once; none in a long query. */
function neighbourExpressions(text: string): readonly string[] {
  const expressions: string[] = [];
  let phrase: string[] = [];
  for (const { kind, text: word } of scanWords(searchForm(text))) {
    const isContent = kind === 'word' && !isFunctionWord(foldWord(word));
    if (kind === 'cjk') phrase = [];
    else if (isContent || phrase.length > 0) phrase.push(foldWord(word));
    if (!isContent) continue;
    if (phrase.length > 1) expressions.push(quote(phrase.join(' ')));
    phrase = [foldWord(word)];
  }
  return expressions.length > MAX_NEIGHBOURS ? [] : [...new Set(expressions)];
}

function repetition(times: number): number {
  return ((K3 + 1) * times) / (K3 + times);
}

/** The expressions of a query's function words; none if the query has no other words, because it then asks for them. */
export function grammarExpressions({ terms, phrases }: AnalysedQuery): ReadonlySet<string> {
  const ofGrammar = terms.filter((term) => term.kind === 'word' && isFunctionWord(term.token));
  return new Set(phrases.length === 0 && ofGrammar.length === terms.length ? [] : ofGrammar.map(termExpression));
}

/** The number of bigrams of a run, from its phrase; some of them may be listed only for an earlier run. */
function pairsOf(term: Exclude<QueryTerm, { kind: 'word' }>, known = 1): number {
  return term.kind === 'cjk_run' ? term.tokens.length : known;
}

/** The expression for rows that may contain a phrase; only their text can confirm it. */
export function phraseExpression(phrase: QueryPhrase): string {
  return partExpressions(phrase).join(' AND ');
}

/** A name to look up, as expressions that all its rows match. */
export interface NameExpressions {
  /** Its words in a row. */
  readonly whole: string;
  /** Its content words; all its words if it has no others. */
  readonly words: readonly string[];
  /** Its content words in pairs, as a search ranks them. */
  readonly pairs: readonly string[];
  /** As typed, in lower case: that of a file, with or without its extension. */
  readonly file: string;
  /** Its last word, with which the symbol of what is called so ends. */
  readonly ending: string;
  /** Whether it is written without spaces between words: the index does not keep such names apart from text. */
  readonly isCjk: boolean;
}

/** The expressions for rows that may have a name. */
export function nameExpressions(phrase: QueryPhrase): NameExpressions {
  const tokens = phrase.parts.flatMap((part) => part.tokens);
  const content = tokens.filter((token) => !isFunctionWord(token));
  return {
    whole: phraseExpression(phrase),
    words: [...new Set((content.length === 0 ? tokens : content).map(tokenExpression))],
    pairs: neighbourExpressions(phrase.text),
    file: phrase.text.trim().toLowerCase(),
    ending: tokens.at(-1) ?? '',
    isCjk: phrase.parts.every(({ column }) => column === 'cjk'),
  };
}

/** The expression for rows that may meet a demand, as far as the index can tell. */
export function demandExpression(demand: QueryDemand): string {
  switch (demand.kind) {
    case 'any':
      // FTS5 reads the rows of an alternative once for each time it occurs in the expression.
      return [...new Set([...demand.phrases, ...demand.words].map(phraseExpression))]
        .map((alternative) => `(${alternative})`)
        .join(' OR ');
    case 'near':
      return `NEAR(${demand.phrases.map(phraseExpression).join(' ')}, ${demand.distance})`;
    default:
      return demand satisfies never;
  }
}

/** The alternatives of a demand rank separately, so that passages with more of them rank higher; a NEAR expression is one unit. */
function demandUnits(demand: QueryDemand): readonly string[] {
  return demand.kind === 'any' ? demand.phrases.flatMap(partExpressions) : [demandExpression(demand)];
}

/** The expression for one index token, or for consecutive ones separated by spaces. */
export function tokenExpression(token: string): string {
  if (token.endsWith('*')) return `${quote(token.slice(0, -1))} *`;
  return isLoneCjk(token) ? `${quote(token)} *` : quote(token);
}

function termExpression(term: QueryTerm): string {
  return term.kind === 'cjk_run' ? quote(term.tokens.join(' ')) : tokenExpression(term.token);
}

function partExpressions({ parts }: QueryPhrase): readonly string[] {
  return parts.map(({ column, tokens }) => {
    // The last character of a run is a token of its own, and a prefix of the bigram if the run continues in the text.
    const endsOpen = column === 'cjk' && isLoneCjk(tokens.at(-1) ?? '');
    if (tokens.length === 1) return tokenExpression(tokens[0] ?? '');
    return endsOpen ? `${quote(tokens.join(' '))} *` : quote(tokens.join(' '));
  });
}

/** A string in FTS5's query language, in which only the quote is special, and which a NUL would end. */
function quote(text: string): string {
  return `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`;
}
