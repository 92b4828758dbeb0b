import type { SearchResponse } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { padWidth } from './text-width.ts';

/** What a search says of the place that was expected among its hits. */
export type Expectation = NonNullable<SearchResponse['expect']>;

const LABEL_COLUMNS = 20;

/** Where an expected place stands, in a few lines: the reason, its rank on each side that returned it, and what to do. */
export function renderExpectation(expectation: Expectation, { colors }: Screen): string {
  const { target, outcome, reason, hint } = expectation;
  const mark = outcome === 'on_page' ? colors.green('✓') : colors.yellow('✗');
  const ranks = ranksOf(expectation).map(([label, rank], at, all) => {
    const corner = at === all.length - 1 ? '└' : '├';
    return `   ${corner} ${padWidth(label, LABEL_COLUMNS)}${rank}`;
  });
  const lines = [
    `${mark} ${printable(target)}: ${printable(reason)}`,
    ...ranks.map((line) => colors.dim(line)),
    ...(hint === null ? [] : [`  hint: ${printable(hint)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function ranksOf(expectation: Expectation): readonly (readonly [label: string, rank: string])[] {
  const { chunk_id, lexical_rank, vector_rank, has_vector, rank } = expectation;
  if (chunk_id === null) return [];
  const vector = vector_rank === null && has_vector === false ? 'no vector yet' : shown(vector_rank);
  return [
    ['lexical (bm25)', shown(lexical_rank)],
    ...(has_vector === null ? [] : [['vector', vector] as const]),
    ['list of hits', shown(rank)],
  ];
}

function shown(rank: number | null): string {
  return `rank ${rank ?? '-'}`;
}
