import {
  printable,
  type App,
  type MarkedText,
  type PassageLine,
  type SearchHit,
  type ShownPassage,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { type Hyperlinks, hyperlinksOf } from '../screen/hyperlink.ts';
import { markedFrom, markedRows } from '../screen/marked-text.ts';
import type { Screen } from '../screen/screen.ts';
import { citedUri } from '../screen/shown-values.ts';
import { textWidth, wrapWords } from '../screen/text-width.ts';

const INDENT = '   ';
const GAP = '  ';
const MIN_NUMBER_COLUMNS = 4;
const NARROW = 60;
const COLUMNS_WITHOUT_TERMINAL = 80;
/** Without `--context`, at most this many lines of a passage are shown: those that match most of the query. */
const MAX_LINES = 3;
const MIN_LINES = 2;
/** With `--context`, at most this many lines are shown. */
const MAX_LINES_WITH_CONTEXT = 60;

/** What is shown with a hit besides its passage. */
interface HitNote {
  /** After its location: that its file changed, that other passages are nearly identical. */
  readonly tags: string;
  /** The width of the tags in columns. */
  readonly tagColumns: number;
  /** Lines below the passage: how it was found. */
  readonly below: readonly string[];
}

/** Where passages come from, and what is shown with them. */
interface PassageSource {
  readonly app?: App | undefined;
  readonly query?: string | undefined;
  /** The passages themselves, if the App that found them is already closed. */
  readonly passages?: readonly ShownPassage[] | undefined;
  readonly noteOf: (hit: SearchHit, screen: Screen) => HitNote;
}

/** Looks up the passages of hits, and returns a function that renders a hit; null if they cannot be looked up. */
export async function openPassages(
  hits: readonly SearchHit[],
  context: CommandContext,
  { app, query, passages, noteOf }: PassageSource,
): Promise<((hit: SearchHit, screen: Screen) => string) | null> {
  const { values, signal } = context;
  const hyperlinks = hyperlinksOf(values.text('hyperlink-format'), (name) => context.variable(name));
  const lines = values.number('context');
  const chunkIds = hits.map(({ chunk_id: id }) => id);
  const canAsk = app !== undefined && query !== undefined;
  const known = passages ?? (canAsk ? await app.showPassages({ query, chunkIds, context: lines }, { signal }) : null);
  if (known === null) return null;
  const byId = new Map(known.map((passage) => [passage.chunkId, passage]));
  return (hit, screen) => {
    const options = { ...noteOf(hit, screen), screen, context: lines, hyperlinks };
    return renderPassage(hit, byId.get(hit.chunk_id), options);
  };
}

interface PassageOptions extends HitNote {
  readonly screen: Screen;
  /** Lines around each matching line; undefined for only the best lines. */
  readonly context: number | undefined;
  readonly hyperlinks: Hyperlinks;
}

/** A hit as lines of its document: its name, its location, and the lines that match the query. */
function renderPassage(
  hit: SearchHit,
  passage: ShownPassage | undefined,
  { screen, context, hyperlinks, tags, tagColumns, below }: PassageOptions,
): string {
  const { bold, dim, red } = screen.colors;
  const rank = `${hit.rank}. `.padEnd(INDENT.length);
  const width = Math.max(20, (screen.columns ?? COLUMNS_WITHOUT_TERMINAL) - rank.length);
  const mark: Paint = (text) => bold(red(text));
  const name = nameOf(hit, passage);
  const title = name === null ? [] : markedRows(name, { columns: width, maxRows: 2, mark }).map((row) => bold(row));
  const link = linkTo(hit, passage, { screen, hyperlinks });
  const uri = citedUri(hit.citation);
  const place = textWidth(uri) <= width ? [printable(uri)] : wrapWords(uri, width);
  const score = [hit.retrieval.lexical_score === 0 ? '' : hit.score.toFixed(2), hit.date?.slice(0, 10) ?? '']
    .join(GAP)
    .trim();
  const taken = textWidth(place.at(-1) ?? '') + GAP.length + score.length + tagColumns;
  const isRoomy = taken <= width;
  const linked = place.map((row) => dim(link(row)));
  const tail = `${dim(score)}${tags}`;
  const head = [
    ...title,
    ...linked.slice(0, -1),
    ...(isRoomy ? [`${linked.at(-1) ?? ''}${GAP}${tail}`] : [linked.at(-1) ?? '', tail]),
  ];
  const lines = passage === undefined ? [snippetOf(hit)] : linesOf(passage, { name, context, width });
  const body = lineRows(lines, { width, mark, dim });
  const hasText = passage?.lines.some(({ text }) => text.trim() !== '') ?? true;
  const rows = [...head, ...(hasText ? body : [dim('(no text)')])];
  const numbered = rows.map((row, at) => `${at === 0 ? dim(rank) : INDENT}${row}`);
  return `${[...numbered, ...below].join('\n')}\n`;
}

/** The snippet, for a passage that has disappeared since it was found. */
function snippetOf({ snippet }: SearchHit): PassageLine {
  return { text: snippet, matches: [], number: null, isInside: true };
}

type Paint = (text: string) => string;

/** The name of a hit: its symbol or section, otherwise the title of its document; null if that only repeats the path. */
function nameOf(hit: SearchHit, passage: ShownPassage | undefined): MarkedText | null {
  const file = hit.doc_path.slice(hit.doc_path.lastIndexOf('/') + 1);
  if (hit.section_label !== null) {
    const label = passage?.label ?? { text: hit.section_label, matches: [] };
    const module = `${hit.doc_path.replace(/\.[^./]+$/, '')}.`; // symbols are prefixed with the path of their file
    return markedFrom(label, label.text.startsWith(module) ? module.length : 0);
  }
  const title = passage?.title ?? null;
  const isPath = title === null || ['', file, file.replace(/\.[^.]+$/, '')].includes(title.text);
  return isPath ? null : title;
}

function linkTo(
  { citation }: SearchHit,
  passage: ShownPassage | undefined,
  { screen, hyperlinks }: { readonly screen: Screen; readonly hyperlinks: Hyperlinks },
): Paint {
  const file = passage?.file ?? null;
  if (file === null || hyperlinks === null) return (text) => text;
  const line = citation.kind === 'line' ? citation.start : citation.kind === 'code' ? citation.line_start : null;
  const first = passage?.lines.find(({ matches, isInside }) => isInside && matches.length > 0)?.number;
  const url = hyperlinks({ file, line: first ?? line, page: citation.kind === 'page' ? citation.page : null });
  return (text) => screen.link(text, url);
}

/** A line to show, or null for a gap. */
type Shown = PassageLine | null;

/** The lines of a passage to show, without a line that only repeats its name. */
function linesOf(
  { lines }: ShownPassage,
  {
    name,
    context,
    width,
  }: { readonly name: MarkedText | null; readonly context: number | undefined; readonly width: number },
): readonly Shown[] {
  const isName = ({ text }: PassageLine): boolean => name?.text === text.replaceAll(/^[#\s]+|[#\s]+$/g, '');
  const contentLines = lines.flatMap((line, at) =>
    line.isInside && line.text.trim() !== '' && !isName(line) ? [at] : [],
  );
  const matchLines = contentLines.filter((at) => (lines[at]?.matches.length ?? 0) > 0);
  if (context !== undefined)
    return around(lines, matchLines.length > 0 ? matchLines : contentLines.slice(0, 1), context);
  const best = mostRelevantLines(lines, matchLines);
  const [only] = best;
  if (only === undefined) return contentLines.slice(0, MIN_LINES).map((at) => lines[at] ?? null);
  const isShort = best.length < MIN_LINES && textWidth(lines[only]?.text ?? '') <= width;
  const next = isShort ? contentLines.filter((at) => at > only).slice(0, MIN_LINES - best.length) : [];
  return [...best, ...next].toSorted((a, b) => a - b).map((at) => lines[at] ?? null);
}

/** The lines that match most of the query, each adding matches that the previous ones do not have. */
function mostRelevantLines(lines: readonly PassageLine[], matchLines: readonly number[]): readonly number[] {
  const chosen: number[] = [];
  const held = new Set<string>();
  while (chosen.length < MAX_LINES) {
    const gain = (at: number): number =>
      new Set(lines[at]?.matches.map(({ of }) => of).filter((of) => !held.has(of))).size;
    const [best] = matchLines.toSorted((a, b) => gain(b) - gain(a) || a - b);
    if (best === undefined || gain(best) === 0) break;
    chosen.push(best);
    for (const { of } of lines[best]?.matches ?? []) held.add(of);
  }
  return chosen;
}

/** The given lines with `context` lines before and after each. */
function around(lines: readonly PassageLine[], centres: readonly number[], context: number): readonly Shown[] {
  const nearby = [...lines.keys()].filter((at) => centres.some((one) => Math.abs(one - at) <= context));
  const visible = nearby.slice(0, MAX_LINES_WITH_CONTEXT);
  return visible.flatMap((at, i): readonly Shown[] => {
    const line = lines[at] ?? null;
    return i > 0 && visible[i - 1] !== at - 1 ? [null, line] : [line];
  });
}

/** Lines with their numbers; if there is little room, without their common indentation. */
function lineRows(
  lines: readonly Shown[],
  { width, mark, dim }: { readonly width: number; readonly mark: Paint; readonly dim: Paint },
): readonly string[] {
  const present = lines.filter((line) => line !== null);
  const digits = String(present.at(-1)?.number ?? '').length;
  const gutter = digits === 0 ? 0 : Math.max(MIN_NUMBER_COLUMNS, digits);
  const columns = width - (gutter === 0 ? 0 : gutter + GAP.length);
  const isNarrow = columns < NARROW;
  const indents = present
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }) => /^\s*/.exec(text)?.[0].length ?? 0);
  const shift = isNarrow && indents.length > 0 ? Math.min(...indents) : 0;
  return lines.flatMap((line) => {
    if (line === null) return [dim('⋮'.padStart(gutter))];
    const rows = markedRows(markedFrom(line, shift), { columns, maxRows: isNarrow ? 3 : 2, mark });
    const number = gutter === 0 ? '' : `${String(line.number ?? '').padStart(gutter)}${GAP}`;
    const paint = line.isInside ? (text: string) => text : dim;
    return (rows.length === 0 ? [''] : rows).map(
      (row, at) => `${dim(at === 0 ? number : ' '.repeat(number.length))}${paint(row)}`,
    );
  });
}
