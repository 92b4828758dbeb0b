import { type AnalysedQuery } from '@kebab/core';
import { isFunctionWord, isLoneCjk, type QueryDemand, type QueryPhrase, type QueryTerm } from '@kebab/core/store';

/** One unit by which a query ranks. */
export interface RankingUnit {
  /** An FTS5 expression. */
  readonly expression: string;
  /** How much it counts against a word. */
  readonly weight: number;
}

/** With more runs than this a query is a sentence, and whole runs with all their particles are found by chance only. */
const MAX_RUNS_AS_PHRASES = 3;

/**
 * What the repetition of a word in a query is worth, as BM25's `(k3 + 1) · qtf / (k3 + qtf)`: twice is 1.8, four times 3.
 * 8 is the value of Terrier's BM25; Okapi at TREC took 7 or 1000.
 */
const K3 = 8;
/** What a phrase that may be missing adds to a passage that holds it, against a word that is as rare. */
const RELAXED_PHRASE_WEIGHT = 1;

/**
 * The units by which a query ranks. Every token is quoted, so nothing in a query is syntax. The pairs of characters of one
 * run are no independent witnesses: each counts the less the more there are (by the square root of their number, so that
 * long runs still count more). A whole run ranks as a phrase only in queries of at most three runs. A word that the query
 * repeats counts more often, and less each time.
 */
export function rankingUnits({ terms, phrases, relaxed, demands = [] }: AnalysedQuery): readonly RankingUnit[] {
  const pairs = new Map<number, number>();
  for (const term of terms) if (term.kind !== 'word') pairs.set(term.run, pairsOf(term, pairs.get(term.run)));
  const units = new Map<string, number>();
  for (const expression of [...phrases.flatMap(partExpressions), ...demands.flatMap(demandUnits)])
    units.set(expression, 1);
  for (const term of terms) {
    if (term.kind === 'cjk_run' && pairs.size > MAX_RUNS_AS_PHRASES) continue;
    const expression = termExpression(term);
    const weight = term.kind === 'word' ? 1 : 1 / Math.sqrt(pairs.get(term.run) ?? 1);
    if (!units.has(expression)) units.set(expression, weight * repetition(term.times ?? 1));
  }
  for (const expression of relaxed?.phrases.flatMap(partExpressions) ?? [])
    units.set(expression, (units.get(expression) ?? 0) + RELAXED_PHRASE_WEIGHT);
  return [...units].map(([expression, weight]) => ({ expression, weight }));
}

function repetition(times: number): number {
  return ((K3 + 1) * times) / (K3 + times);
}

/** The expressions of a query's words of grammar; none for a query without other words, which asks for these. */
export function grammarExpressions({ terms, phrases }: AnalysedQuery): ReadonlySet<string> {
  const ofGrammar = terms.filter((term) => term.kind === 'word' && isFunctionWord(term.token));
  return new Set(phrases.length === 0 && ofGrammar.length === terms.length ? [] : ofGrammar.map(termExpression));
}

/** A run's pairs may have been taken by runs before it; its phrase says how many there are. */
function pairsOf(term: Exclude<QueryTerm, { kind: 'word' }>, known = 1): number {
  return term.kind === 'cjk_run' ? term.tokens.length : known;
}

/** The expression of rows in which a phrase may stand; whether it does, only the text shows. */
export function phraseExpression(phrase: QueryPhrase): string {
  return partExpressions(phrase).join(' AND ');
}

/** The expression of rows that meet a demand, as far as the index knows. */
export function demandExpression(demand: QueryDemand): string {
  switch (demand.kind) {
    case 'any':
      return [...demand.phrases, ...demand.words].map((phrase) => `(${phraseExpression(phrase)})`).join(' OR ');
    case 'near':
      return `NEAR(${demand.phrases.map(phraseExpression).join(' ')}, ${demand.distance})`;
    default:
      return demand satisfies never;
  }
}

/** A passage with more of the alternatives ranks higher, one in which all stand near each other highest. */
function demandUnits(demand: QueryDemand): readonly string[] {
  return demand.kind === 'any' ? demand.phrases.flatMap(partExpressions) : [demandExpression(demand)];
}

/** The expression of one index token, or of several that stand in a row, separated by spaces. */
export function tokenExpression(token: string): string {
  if (token.endsWith('*')) return `${quote(token.slice(0, -1))} *`;
  return isLoneCjk(token) ? `${quote(token)} *` : quote(token);
}

/** The tokens of an expression that is one whole token or a phrase of them; undefined for prefixes and everything else. */
export function wordsIn(expression: string): readonly string[] | undefined {
  return /^"([^" ]+(?: [^" ]+)*)"$/.exec(expression)?.[1]?.split(' ');
}

function termExpression(term: QueryTerm): string {
  return term.kind === 'cjk_run' ? quote(term.tokens.join(' ')) : tokenExpression(term.token);
}

function partExpressions({ parts }: QueryPhrase): readonly string[] {
  return parts.map(({ column, tokens }) => {
    // A run ends with its last character alone, which is also how the next pair begins.
    const endsOpen = column === 'cjk' && isLoneCjk(tokens.at(-1) ?? '');
    if (tokens.length === 1) return tokenExpression(tokens[0] ?? '');
    return endsOpen ? `${quote(tokens.join(' '))} *` : quote(tokens.join(' '));
  });
}

/** A string of FTS5's query language: only the quote has a meaning in it, and a NUL would end it. */
function quote(text: string): string {
  return `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`;
}
