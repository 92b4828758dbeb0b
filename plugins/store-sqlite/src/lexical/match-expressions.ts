import type { AnalysedQuery } from '@kebab/core';
import {
  isFunctionWord,
  rankingUnits as unitsOf,
  runsOf,
  tokenRun,
  type QueryDemand,
  type QueryPhrase,
  type RankingUnit as QueryUnit,
  type WordRun,
} from '@kebab/core/store';

/** One unit by which a query ranks, as an FTS5 expression. */
export interface RankingUnit extends Omit<QueryUnit, 'match'> {
  readonly expression: string;
}

/** The units by which a query ranks. Every token is quoted, so nothing in a query is syntax. */
export function rankingUnits(query: AnalysedQuery): readonly RankingUnit[] {
  return unitsOf(query).map(({ match, ...unit }) => ({
    expression: match.kind === 'run' ? runExpression(match) : demandExpression(match),
    ...unit,
  }));
}

/** The expression for rows that may contain a phrase; only their text can confirm it. */
export function phraseExpression(phrase: QueryPhrase): string {
  return runsOf(phrase).map(runExpression).join(' AND ');
}

/** A name to look up, as expressions that all its rows match. */
export interface NameExpressions {
  /** Its words in a row. */
  readonly whole: string;
  /** Its content words; all its words if it has no others. */
  readonly words: readonly string[];
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

/** The expression for one index token, or for consecutive ones separated by spaces. */
export function tokenExpression(token: string): string {
  return runExpression(tokenRun(token));
}

function runExpression({ words, isPrefix }: WordRun): string {
  return isPrefix ? `${quote(words.join(' '))} *` : quote(words.join(' '));
}

/** A string in FTS5's query language, in which only the quote is special, and which a NUL would end. */
function quote(text: string): string {
  return `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`;
}
