import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { SearchFilters } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { ReadQuery } from './read-operators.ts';

/** What may be an operator, or be meant as one. Most queries hold nothing of the kind, and need not load what reads them. */
const LIKE_AN_OPERATOR = /\*|\b(?:OR|AND|NOT|NEAR)\b|&&|\|\||(?:^|[\s-])[a-z][a-z_]+:/;

/** The text of a query taken apart; `within` is null where it has no fields. Throws `invalid_input` for one of exclusions only. */
export async function readText(
  text: string,
  analyse: (text: string) => AnalysedQuery,
): Promise<Omit<ReadQuery, 'within'> & { readonly within: SearchFilters | null }> {
  const hasOpenQuote = text.split('"').length % 2 === 0;
  if (!hasOpenQuote && !LIKE_AN_OPERATOR.test(text)) {
    const analysed = analyse(text);
    rejectExclusionsOnly(analysed);
    return { analysed, within: null, notices: [] };
  }
  const { readOperators } = await import('./read-operators.ts');
  const { within, analysed, notices } = readOperators(text, analyse);
  rejectExclusionsOnly(analysed);
  return { analysed, notices, within: Object.keys(within).length === 0 ? null : within };
}

function rejectExclusionsOnly({ text, terms, phrases, excluded }: AnalysedQuery): void {
  if (terms.length > 0 || phrases.length > 0 || excluded.length === 0) return;
  throw invalidInput('the query only says what must not occur', {
    field: 'query',
    value: text,
    hint: 'add a word or a phrase to look for',
  });
}
