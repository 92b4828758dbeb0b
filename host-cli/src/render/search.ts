import { INDEX_VERSION, type SearchHit, type SearchResponse, type Trace } from '@kebab/core/app';
import { counted } from './counted.ts';
import { renderExpectation } from './expectation.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { renderTree } from './search-tree.ts';
import { snippetLines } from './snippet-lines.ts';
import { retrieversText } from './retrievers.ts';

/** How the hits are to be shown. */
export interface SearchScreenOptions {
  /** Adds the ranks and scores of each stage. */
  readonly explain: boolean;
  /** Shows snippets whole on a terminal, however long they are. */
  readonly wholeSnippets: boolean;
  /** The embedding model that took part, for a footer without hits that tell it. */
  readonly embeddingModel: string | null;
}

const INDENT = '   ';

/** One page of hits: a dense block a hit, a blank line behind each, and the footer. */
export function renderSearch(response: SearchResponse, options: SearchScreenOptions, screen: Screen): string {
  const footer = renderFooter(response, options, screen);
  const expected = response.expect === undefined ? '' : `\n${renderExpectation(response.expect, screen)}`;
  if (response.hits.length === 0) return `no hits\n${footer}\n${expected}`;
  const hits = response.hits.map((hit) => `${renderHit(hit, response.trace, { ...options, screen })}\n`);
  const weights = options.explain ? renderWeights(response, screen) : '';
  return `${hits.join('')}${footer}\n${weights}${expected}`;
}

function renderHit(
  hit: SearchHit,
  trace: Trace | undefined,
  { screen, ...options }: SearchScreenOptions & { readonly screen: Screen },
): string {
  const { colors } = screen;
  const head = `${colors.dim(`${hit.rank}.`)} ${colors.yellow(hit.score.toFixed(2))}  ${colors.cyan(printable(hit.citation.uri))}`;
  const lines = [
    `${head}${stateTag(hit, screen)}${duplicatesTag(hit, screen)}`,
    `${INDENT}${colors.bold(printable(hit.section_label ?? '-'))}`,
    ...snippetLines(printable(hit.snippet), { columns: screen.columns, whole: options.wholeSnippets }).map(
      (line) => `${INDENT}${line}`,
    ),
    ...(options.explain ? renderTree(hit, trace, screen) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function stateTag(hit: SearchHit, { colors }: Screen): string {
  if (hit.freshness === 'deleted') return `  ${colors.red('[deleted]')}`;
  if (hit.freshness === 'changed') return `  ${colors.magenta('[changed]')}`;
  return hit.stale ? `  ${colors.dim('[stale]')}` : '';
}

/** What the two sides weighed in this query, and what that follows from. */
function renderWeights({ trace }: SearchResponse, { colors }: Screen): string {
  if (trace?.fusion === undefined) return '';
  const { rrf_k, weight_lexical, weight_vector, reason } = trace.fusion;
  const weights = `lexical ${weight_lexical.toFixed(2)}  vector ${weight_vector.toFixed(2)}`;
  return `${colors.dim(`rrf (k=${rrf_k})  ${weights}  (${reason.replaceAll('_', ' ')})`)}\n`;
}

function duplicatesTag({ duplicates }: SearchHit, { colors }: Screen): string {
  return duplicates === undefined ? '' : colors.dim(`  (+${duplicates} near-identical)`);
}

/** The retrievers of plugins that returned any of the hits. */
function contributedTo(hits: readonly SearchHit[]): readonly string[] {
  return [...new Set(hits.flatMap(({ retrieval }) => (retrieval.retrievers ?? []).map(({ id }) => id)))];
}

function renderFooter({ hits, mode }: SearchResponse, options: SearchScreenOptions, { colors }: Screen): string {
  const [first] = hits;
  const version = first?.index_version ?? INDEX_VERSION;
  const model = first === undefined ? options.embeddingModel : first.embedding_model;
  const found = retrieversText(mode, model, contributedTo(hits));
  return colors.dim([counted(hits.length, 'hit'), mode, `index ${printable(version)}`, found].join('  '));
}
