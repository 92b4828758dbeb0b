import {
  INDEX_VERSION,
  printable,
  type App,
  type BulkSearchItem,
  type Mode,
  type SearchHit,
  type SearchResponse,
  type ShownPassage,
  type Trace,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { noteSearch, unknownNotice } from './search-notices.ts';
import { citedUri, counted } from '../screen/shown-values.ts';
import { createColors } from '../screen/colors.ts';
import type { Screen } from '../screen/screen.ts';
import { fitStart, padWidth, textWidth, wrapWords } from '../screen/text-width.ts';

const INDENT = '   ';
const LABEL_COLUMNS = 20;
const SHOWN_DIGITS = 8;
const COLUMNS_WITHOUT_TERMINAL = 80;
const MAX_SNIPPET_LINES = 2;
const MIN_SHOWN_RELEVANCE = 0.0001;

/** Where a page of hits comes from, if known. */
export interface HitContext {
  readonly app?: App | undefined;
  readonly query?: string | undefined;
  /** The passages to show, if the App that found the hits is already closed. */
  readonly passages?: readonly ShownPassage[] | undefined;
  /** Whether further pages can be requested; otherwise `-k` returns more hits. */
  readonly hasPages?: boolean | undefined;
  /** Whether nothing else is printed, so that the page may go through a pager. */
  readonly isAlone?: boolean | undefined;
}

/**
 * Shows one page of hits to people: hits on stdout, notices on stderr. On a terminal they are shown as lines of their documents, elsewhere
 * as snippets.
 */
export async function showSearch(
  response: SearchResponse,
  context: CommandContext,
  hitContext: HitContext = {},
): Promise<void> {
  const { values } = context;
  const { app } = hitContext;
  const screen = context.screen();
  const options = {
    explain: values.has('explain'),
    wholeSnippets: values.has('snippet-chars'),
    embeddingModel: await modelOf(response, app),
    renderHit: screen.columns === null ? null : await passageRenderer(response, context, hitContext),
  };
  const more = screen.columns !== null && response.next_cursor !== null ? nextPage(context, response, hitContext) : '';
  const text = renderSearch(response, options, screen) + (more === '' ? '' : screen.colors.dim(more));
  if (hitContext.isAlone === true) await context.printLong(text);
  else context.print(text);
  await noteSearch(response, context, app);
  if (response.relaxed !== undefined) context.note(relaxedNotice(response.relaxed));
  if (response.truncated) context.note(truncationNote(response));
  if (response.hits.length === 0 && (values.number('page') ?? 1) > 1)
    context.note(`notice: there is no page ${values.text('page')}: the hits end before it`);
}

const MAX_K = 100;

/** The hint for the next page, if pages are numbered. */
function nextPage(
  { values }: CommandContext,
  { hits, truncated }: SearchResponse,
  { hasPages = true }: HitContext,
): string {
  if (values.has('cursor') || values.has('max-tokens') || truncated) return '';
  if (!hasPages) return hits.length < MAX_K ? `more: -k ${Math.min(MAX_K, hits.length * 2)}\n` : '';
  return `more: --page ${(values.number('page') ?? 1) + 1}\n`;
}

/** Returns a renderer of hits as lines of their documents; null if those are not available, or snippets are requested. */
async function passageRenderer(
  response: SearchResponse,
  context: CommandContext,
  hitContext: HitContext,
): Promise<((hit: SearchHit, screen: Screen) => string) | null> {
  if (context.values.has('snippet-chars') || response.hits.length === 0) return null;
  const { openPassages } = await import('./passages-screen.ts');
  const isExplained = context.values.has('explain');
  return openPassages(response.hits, context, {
    ...hitContext,
    noteOf: (hit, screen) => ({
      tags: tagsOf(hit, screen),
      tagColumns: textWidth(tagsOf(hit, { ...screen, colors: createColors(false) })),
      below: isExplained ? renderTree(hit, response.trace, screen) : [],
    }),
  });
}

/**
 * The embedding model used, if no hit names it: read from the App, or `vector` without one. Null if the vector side did not run, or ran
 * without a model.
 */
async function modelOf({ hits, mode, degraded }: SearchResponse, app: App | undefined): Promise<string | null> {
  const isOff = degraded.some(({ stage, reason }) => stage === 'vector' && reason !== 'vectors_incomplete');
  if (hits.length > 0 || mode === 'lexical' || isOff) return null;
  if (app === undefined) return 'vector';
  const { entries } = await app.configView();
  const valueOf = (name: string): unknown => entries.find(({ key }) => key === name)?.value;
  const model = valueOf('models.embedding.provider') === 'none' ? null : valueOf('models.embedding.model');
  return typeof model === 'string' ? model : null;
}

function truncationNote({ next_cursor }: SearchResponse): string {
  if (next_cursor === null) return '[truncated; widen --max-tokens for fuller text]';
  return `[truncated; use --cursor ${next_cursor} for the next page]`;
}

function relaxedNotice({ phrases, excluded }: NonNullable<SearchResponse['relaxed']>): string {
  const parts = [
    ...(phrases.length === 0 ? [] : [`passages without ${quoted(phrases)} are listed too; insist with +"…"`]),
    ...(excluded.length === 0 ? [] : [`every passage found holds what was excluded: ${quoted(excluded)}`]),
  ];
  return printable(`notice: query relaxed: ${parts.join('; ')}`);
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

/** Shows one item of a bulk search to people: the query, then its hits or why it failed. */
export async function showBulkItem(
  item: BulkSearchItem,
  context: CommandContext,
  { app, line }: { readonly app: App; readonly line: string },
): Promise<void> {
  const { colors } = context.screen();
  const query = item.query?.['query'];
  const title = typeof query === 'string' ? query : item.query === null ? line : JSON.stringify(item.query);
  context.print(`${colors.bold(`» ${printable(title)}`)}\n`);
  if (item.response !== null)
    await showSearch(item.response, context, { app, query: typeof query === 'string' ? query : undefined });
  if (item.error !== null) context.print(`${colors.red('error:')} ${printable(item.error.message)}\n`);
  context.print('\n');
}

interface SearchScreenOptions {
  /** Renders a hit on a terminal; null to show its snippet. */
  readonly renderHit?: ((hit: SearchHit, screen: Screen) => string) | null;
  /** Adds the ranks and scores of each stage. */
  readonly explain: boolean;
  /** Shows full snippets on a terminal. */
  readonly wholeSnippets: boolean;
  /** The embedding model used, for the footer if no hit names it. */
  readonly embeddingModel: string | null;
}

/** Renders one page of hits: a dense block per hit, a blank line after each, and the footer. */
export function renderSearch(response: SearchResponse, options: SearchScreenOptions, screen: Screen): string {
  const footer = renderFooter(response, options, screen);
  const expected = response.expect === undefined ? '' : `\n${renderExpectation(response.expect, screen)}`;
  const unknown = unknownNotice(response);
  const head = unknown === null ? '' : `${screen.colors.yellow(unknown)}\n`;
  if (response.hits.length === 0) return `${head}no hits\n${footer}\n${expected}`;
  const hits = response.hits.map(
    (hit) => `${options.renderHit?.(hit, screen) ?? renderHit(hit, response.trace, { ...options, screen })}\n`,
  );
  const weights = options.explain ? renderWeights(response, screen) : '';
  return `${head}${hits.join('')}${footer}\n${weights}${expected}`;
}

function renderHit(
  hit: SearchHit,
  trace: Trace | undefined,
  { screen, ...options }: SearchScreenOptions & { readonly screen: Screen },
): string {
  const { colors } = screen;
  const isListed = hit.retrieval.lexical_score === 0; // a query of filters alone: newest first
  const order = isListed ? (hit.date ?? '').slice(0, 10) : hit.score.toFixed(2);
  const head = `${colors.dim(`${hit.rank}.`)} ${colors.yellow(order)}  ${colors.cyan(printable(citedUri(hit.citation)))}`;
  const lines = [
    `${head}${tagsOf(hit, screen)}`,
    ...(hit.section_label === null ? [] : [`${INDENT}${colors.bold(printable(hit.section_label))}`]),
    ...snippetLines(shownSnippet(hit), { columns: screen.columns, whole: options.wholeSnippets }).map(
      (line) => `${INDENT}${line}`,
    ),
    ...(options.explain ? renderTree(hit, trace, screen) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A document without a word is found by its name. */
function shownSnippet({ snippet }: SearchHit): string {
  return snippet.trim() === '' ? '(no text)' : printable(snippet);
}

function tagsOf(hit: SearchHit, screen: Screen): string {
  const more = hit.more_in_doc === undefined ? '' : screen.colors.dim(`  (+${hit.more_in_doc} more in this file)`);
  const copies = hit.also_at === undefined ? '' : screen.colors.dim(`  (also at ${printable(hit.also_at.join(', '))})`);
  return `${stateTag(hit, screen)}${copies}${duplicatesTag(hit, screen)}${more}`;
}

function stateTag(hit: SearchHit, { colors }: Screen): string {
  if (hit.freshness === 'deleted') return `  ${colors.red('[deleted]')}`;
  if (hit.freshness === 'changed') return `  ${colors.magenta('[changed]')}`;
  return hit.stale ? `  ${colors.dim('[stale]')}` : '';
}

/** The weight of each side in this query, and the reason. */
function renderWeights({ trace }: SearchResponse, { colors }: Screen): string {
  if (trace?.fusion === undefined) return '';
  const { method = 'rrf', rrf_k, weight_lexical, weight_vector, weight_all_words, reason } = trace.fusion;
  const name = method === 'rrf' ? `rrf (k=${rrf_k})` : method;
  const allWords = weight_all_words === undefined ? '' : `  all words ${weight_all_words.toFixed(2)}`;
  const weights = `lexical ${weight_lexical.toFixed(2)}  vector ${weight_vector.toFixed(2)}${allWords}`;
  return `${colors.dim(`${name}  ${weights}  (${reason.replaceAll('_', ' ')})`)}\n`;
}

function duplicatesTag({ duplicates }: SearchHit, { colors }: Screen): string {
  return duplicates === undefined ? '' : colors.dim(`  (+${duplicates} near-identical)`);
}

/** The retrievers of plugins that returned any of the hits. */
function contributedTo(hits: readonly SearchHit[]): readonly string[] {
  return [...new Set(hits.flatMap(({ retrieval }) => (retrieval.retrievers ?? []).map(({ id }) => id)))];
}

function renderFooter({ hits, mode }: SearchResponse, options: SearchScreenOptions, screen: Screen): string {
  const [first] = hits;
  const version = first?.index_version ?? INDEX_VERSION;
  const model = first === undefined ? options.embeddingModel : first.embedding_model;
  const byRank = mode === 'hybrid' && isFusedByRank(hits) ? '/RRF' : '';
  const retrieval = `${retrieversText(mode, model, contributedTo(hits))}${byRank}`;
  const footer = [counted(hits.length, 'hit'), mode, `index ${printable(version)}`, retrieval].join('  ');
  return (screen.columns === null ? [footer] : wrapWords(footer, screen.columns)).map(screen.colors.dim).join('\n');
}

/** The displayed name of an embedding model; for a folder it is the folder's own name, as in hits. */
function shortModel(model: string): string {
  const folder = /^(?:~|\.{0,2}|[A-Za-z]:)[/\\](?:.*[/\\])?([^/\\]+)[/\\]?$/.exec(model)?.[1];
  return printable(folder ?? model).replace(/^multilingual-/, '');
}

/** Whether hits were fused by rank rather than by score, according to `score_kind` of hits that were not reranked. */
function isFusedByRank(hits: readonly SearchHit[]): boolean {
  return hits.some(({ score_kind: kind }) => kind === 'rrf') && hits.every(({ score_kind: kind }) => kind !== 'fused');
}

/** The retrievers in use: `bm25`, `e5-small`, `bm25+e5-small`, or `bm25+grep` where a plugin's retriever is the second side. */
function retrieversText(mode: Mode, embeddingModel: string | null, contributed: readonly string[] = []): string {
  const model = embeddingModel === null ? [] : [shortModel(embeddingModel)];
  switch (mode) {
    case 'lexical':
      return 'bm25';
    case 'vector':
      return model[0] ?? 'vector';
    case 'hybrid':
      return ['bm25', ...model, ...contributed.map(printable)].join('+');
    default:
      return mode satisfies never;
  }
}

interface SnippetLayout {
  /** Width of the terminal; null if there is none, and nothing is cut. */
  readonly columns: number | null;
  /** Does not cut on a terminal either. */
  readonly whole: boolean;
}

/** A snippet on at most two lines. On a terminal they fit its width, with `…` for omitted text; elsewhere they are as long as necessary. */
export function snippetLines(snippet: string, { columns, whole }: SnippetLayout): readonly string[] {
  const width = Math.max(1, (columns ?? COLUMNS_WITHOUT_TERMINAL) - INDENT.length);
  const lines = wrapWords(snippet, width);
  if (lines.length <= MAX_SNIPPET_LINES) return lines;
  if (columns === null || whole) return inTwo(snippet, width);
  const [first = '', ...rest] = lines;
  return [first, fitStart(rest.join(' '), width)];
}

/** Splits a snippet into two lines of about equal length, without cutting. */
function inTwo(snippet: string, least: number): readonly string[] {
  for (let width = Math.max(least, Math.ceil(textWidth(snippet) / MAX_SNIPPET_LINES)); ; width++) {
    const lines = wrapWords(snippet, width);
    if (lines.length <= MAX_SNIPPET_LINES) return lines;
  }
}

interface Branch {
  readonly label: string;
  readonly rank: number | null;
  /** As displayed; null if this stage did not return the chunk. */
  readonly score: string | null;
}

/** How one hit was found: a line for each stage, then the chunker. */
function renderTree(hit: SearchHit, trace: Trace | undefined, { colors, columns }: Screen): readonly string[] {
  const branches = branchesOf(hit, trace);
  const lines = branches.map(({ label, rank, score }, index) => {
    const corner = index === branches.length - 1 ? '└' : '├';
    return `   ${corner} ${padWidth(`${label} `, LABEL_COLUMNS)}rank ${String(rank ?? '-').padEnd(3)} score ${score ?? '-'}`;
  });
  const hash = columns === null ? '' : `   hash ${hit.citation.content_hash}`; // output to a pipe stays unchanged
  const chunk = `chunker ${hit.chunker_version}   chunk_id ${hit.chunk_id.slice(0, SHOWN_DIGITS)}…${hash}`;
  return [...lines, ...relevanceLines(hit), `   ${chunk}`].map((line) => colors.dim(printable(line)));
}

/** The relevance of a hit and the evidence for it; empty if it was not measured. */
function relevanceLines({ retrieval: { relevance, evidence } }: SearchHit): readonly string[] {
  if (relevance === undefined || evidence === undefined) return [];
  return [`   relevance ${relevanceText(relevance)}: ${evidenceText(evidence)}`];
}

/** Formats a relevance estimate with its significant digits: two, but none if it is close to zero. */
export function relevanceText(relevance: number): string {
  if (relevance >= 0.01) return relevance.toFixed(2);
  return relevance < MIN_SHOWN_RELEVANCE ? `< ${MIN_SHOWN_RELEVANCE}` : relevance.toPrecision(2);
}

/** The evidence for a relevance estimate, in one line. */
export function evidenceText(evidence: NonNullable<SearchHit['retrieval']['evidence']>): string {
  const { held, held_by_two: byTwo, in_order: inOrder, words, nearness, reranked } = evidence;
  const near = nearness === null ? '' : `, nearness ${nearness.toFixed(2)}`;
  const read = reranked === undefined ? '' : `, reranked ${reranked.toFixed(2)}`;
  return `words ${words}, held ${held.toFixed(2)}, by two ${byTwo.toFixed(2)}, in order ${inOrder.toFixed(2)}${near}${read}`;
}

function branchesOf(hit: SearchHit, trace: Trace | undefined): readonly Branch[] {
  const { retrieval, embedding_model } = hit;
  const lexical: Branch = {
    label: 'lexical (bm25)',
    rank: retrieval.lexical_rank,
    score: retrieval.lexical_score?.toFixed(1) ?? null,
  };
  const vector: Branch = {
    label: `vector (${shortModel(embedding_model ?? '-')})`,
    rank: retrieval.vector_rank,
    score: retrieval.vector_score?.toFixed(2) ?? null,
  };
  const fusion: Branch = {
    label: trace?.fusion?.method === 'relevance' ? 'fusion' : 'rrf fusion',
    rank: fusedRank(hit, trace),
    score: retrieval.fusion_score?.toFixed(2) ?? null,
  };
  const contributed = (retrieval.retrievers ?? []).map(({ id, rank, score }): Branch => {
    return { label: id, rank, score: score.toFixed(2) };
  });
  const meant = embedding_model === null && contributed.length > 0 ? [] : [vector];
  const hybrid = [lexical, ...meant, ...contributed, fusion];
  const branches = { lexical: [lexical], vector: [vector], hybrid }[retrieval.method];
  return [...branches, ...laterBranches(hit, trace)];
}

const KINDS = {
  links: 'list of links',
  title: 'title alone',
  notice: 'licence header',
  changes: 'notes of a release',
  prose: 'text beside code',
};

/** The stages after fusion that changed this hit. */
function laterBranches(
  { chunk_id, rank, retrieval, duplicate_of }: SearchHit,
  trace: Trace | undefined,
): readonly Branch[] {
  const code = trace?.code?.find((moved) => moved.chunk_id === chunk_id);
  const { rerank_rank, rerank_score } = retrieval;
  const branches: Branch[] = [];
  if (code !== undefined) {
    const fit = code.fit === undefined ? '' : `+ ${code.fit.toFixed(2)} `;
    branches.push({ label: 'code order', rank: code.rank, score: `${fit}× ${code.factor.toFixed(2)}` });
  }
  if (retrieval.section_factor !== undefined)
    branches.push({ label: 'heading and document', rank, score: `× ${retrieval.section_factor.toFixed(2)}` });
  if (retrieval.kind !== undefined)
    branches.push({ label: KINDS[retrieval.kind], rank, score: `× ${retrieval.kind_factor?.toFixed(2) ?? '-'}` });
  if (retrieval.named !== undefined) branches.push({ label: `named (${retrieval.named})`, rank, score: 'first' });
  if (rerank_rank !== undefined)
    branches.push({ label: 'rerank', rank: rerank_rank, score: rerank_score?.toFixed(2) ?? null });
  if (duplicate_of !== undefined)
    branches.push({ label: 'near-identical', rank, score: `as ${duplicate_of.slice(0, SHOWN_DIGITS)}…` });
  return branches;
}

/** The rank from fusion. Later stages overwrite it in the hit; only the trace still has it. */
function fusedRank({ chunk_id, rank }: SearchHit, trace: Trace | undefined): number {
  const index = trace?.rrf_inputs.findIndex((input) => input.chunk_id === chunk_id) ?? -1;
  return index === -1 ? rank : index + 1;
}

type Expectation = NonNullable<SearchResponse['expect']>;

/** Where an expected place ranks, in a few lines: the reason, its rank on each side that returned it, and what to do. */
function renderExpectation(expectation: Expectation, { colors }: Screen): string {
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
