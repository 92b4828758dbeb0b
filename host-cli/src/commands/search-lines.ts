import path from 'node:path';
import {
  formatSourcePath,
  invalidInput,
  nearestName,
  readRegularText,
  printable,
  type App,
  type PassageLine,
  type SearchHit,
  type SearchResponse,
  type ShownPassage,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import type { CommandValues } from '../command/command-values.ts';
import { citedUri } from '../screen/shown-values.ts';
import { noteSearch, unknownNotice } from './search-notices.ts';

/** How many documents `--files` lists without `-k`. */
const DEFAULT_FILES = 10;

/** Flags that choose the output format; only one may be given. */
const FORMS = ['files', 'vimgrep', 'format', 'export', 'json', 'bulk'] as const;

/** Throws `invalid_input` for two formats at once, and for a template with an unknown field. */
export function checkForms(values: CommandValues): void {
  const [first, second] = FORMS.filter((name) => values.has(name));
  if (second !== undefined)
    throw invalidInput(`--${first} and --${second} print different things: leave one out`, { field: `--${second}` });
  parseTemplate(values.text('format') ?? '');
  exportIn(values);
}

/** Prints hits as lines: document paths, matching lines in a format for editors, or a template; notices go to stderr. */
export async function printLines(
  response: SearchResponse,
  context: CommandContext,
  { app, query }: { readonly app: App; readonly query: string },
): Promise<void> {
  const { signal } = context;
  const passagesOf = async (): Promise<ReadonlyMap<string, ShownPassage>> => {
    const chunkIds = response.hits.map(({ chunk_id: id }) => id);
    const passages = await app.showPassages({ query, chunkIds }, { signal });
    return new Map(passages.map((passage) => [passage.chunkId, passage]));
  };
  context.print(await textOf(response, context, passagesOf));
  const unknown = unknownNotice(response);
  if (unknown !== null) context.note(unknown);
  await noteSearch(response, context, app);
}

type Passages = () => Promise<ReadonlyMap<string, ShownPassage>>;

async function textOf({ hits }: SearchResponse, context: CommandContext, passagesOf: Passages): Promise<string> {
  const { values } = context;
  if (hits.length === 0) return '';
  if (values.has('files')) {
    const passages = await passagesOf();
    const fileOf = (hit: SearchHit): string =>
      nearPath(passages.get(hit.chunk_id)?.file ?? null, context) ?? pathOf(hit);
    const files = [...new Set(hits.map(fileOf))].slice(0, values.number('k') ?? DEFAULT_FILES);
    return files.map((file) => `${printable(file)}\n`).join('');
  }
  if (values.has('vimgrep')) {
    const passages = await passagesOf();
    const rows = hits.flatMap((hit) => grepLines(hit, passages.get(hit.chunk_id), context));
    const shown = rows.some(({ matches }) => matches) ? rows.filter(({ matches }) => matches) : rows;
    return [...new Map(shown.map((row) => [row.place, row])).values()].map(({ text }) => text).join('');
  }
  const write = exportIn(values);
  if (write !== undefined) {
    const passages = await passagesOf();
    return write(hits.map((hit) => cleaned(fieldsOf(hit, passages.get(hit.chunk_id)))));
  }
  const parts = parseTemplate(values.text('format') ?? '');
  const passages = parts.some(({ field }) => OF_PASSAGE.has(field)) ? await passagesOf() : new Map<string, never>();
  return hits.map((hit) => `${filled(parts, fieldsOf(hit, passages.get(hit.chunk_id)))}\n`).join('');
}

function pathOf({ source_id: sourceId, doc_path: docPath }: SearchHit): string {
  return formatSourcePath({ sourceId, path: docPath });
}

/** A row for editors with its location, since overlapping passages can produce the same row more than once. */
interface GrepRow {
  readonly place: string;
  readonly text: string;
  /** Whether the line holds words of the query. */
  readonly matches: boolean;
}

/** `path:line:column:text` of every matching line, or else of the first line; columns in bytes, as editors count them. */
function grepLines(hit: SearchHit, passage: ShownPassage | undefined, context: CommandContext): readonly GrepRow[] {
  const inside = linesInFile(passage);
  const matched = inside.filter(({ matches }) => matches.length > 0);
  const file = printable(nearPath(passage?.file ?? null, context) ?? pathOf(hit));
  return (matched.length > 0 ? matched : inside.slice(0, 1)).map(({ text, number, matches, bytesBefore = 0 }) => {
    const column = bytesBefore + Buffer.byteLength(text.slice(0, matches[0]?.start ?? 0)) + 1;
    const place = `${file}:${number ?? 1}:${column}`;
    return { place, text: `${place}:${text}\n`, matches: matches.length > 0 };
  });
}

/** Formats whose files consist of lines, although their passages are cited by row or cell. */
const LINED = /\.(?:csv|tsv|tab|jsonl|ndjson|ipynb|eml|mbox|html?|xml|svg|srt|vtt|ics|vcf|bib)$/i;
const MAX_LINED_BYTES = 2 ** 24;

/** The lines of a passage as they stand in its file; for rows and cells of a text file the lines of the file that hold their words. */
function linesInFile(passage: ShownPassage | undefined): readonly PassageLine[] {
  const inside = passage?.lines.filter(({ isInside }) => isInside) ?? [];
  const file = passage?.file ?? null;
  if (file === null || !LINED.test(file) || inside.every(({ number }) => number !== null)) return inside;
  const words = [
    ...new Set(inside.flatMap(({ text, matches }) => matches.map(({ start, end }) => text.slice(start, end)))),
  ];
  const held = (line: string): number => words.filter((word) => line.includes(word)).length;
  try {
    const lines = readRegularText(file, { maxBytes: MAX_LINED_BYTES }).split(/\r?\n/);
    const most = Math.max(...lines.map(held));
    const best = most === 0 ? [] : [...lines.entries()].filter(([, line]) => held(line) === most);
    return best.map(([at, text]) => {
      const start = Math.min(...words.map((word) => text.indexOf(word)).filter((index) => index >= 0));
      return { text, number: at + 1, isInside: true, matches: [{ start, end: start + 1, of: '' }] };
    });
  } catch {
    return inside; // a file that is gone or too large
  }
}

/** The path of a file relative to the working directory if it is inside, otherwise absolute. */
function nearPath(file: string | null, context: CommandContext): string | null {
  if (file === null) return null;
  const near = path.relative(context.absolute('.'), file);
  return near.startsWith('..') || path.isAbsolute(near) ? file : near;
}

/** Fields that require looking up the document. */
const OF_PASSAGE: ReadonlySet<string> = new Set(['title', 'file']);

/** The fields of `--format`. */
export const FIELD_NAMES = [
  'rank',
  'score',
  'path',
  'source',
  'uri',
  'line',
  'end',
  'page',
  'section',
  'text',
  'title',
  'file',
  'hash',
  'date',
  'chunk_id',
  'doc_id',
] as const;
type FieldName = (typeof FIELD_NAMES)[number];

/** The fields of a template; empty if a hit does not have them. */
function fieldsOf(hit: SearchHit, passage: ShownPassage | undefined): HitFields {
  const { citation } = hit;
  let [line, end]: readonly (number | string)[] = ['', ''];
  if (citation.kind === 'line') [line, end] = [citation.start, citation.end];
  if (citation.kind === 'code') [line, end] = [citation.line_start, citation.line_end];
  return {
    rank: String(hit.rank),
    score: hit.score.toFixed(2),
    path: pathOf(hit),
    source: hit.source_id,
    uri: citedUri(citation),
    line: String(line),
    end: String(end),
    page: citation.kind === 'page' ? String(citation.page) : '',
    section: hit.section_label ?? '',
    text: hit.snippet,
    title: passage?.title.text ?? '',
    file: passage?.file ?? '',
    hash: citation.content_hash,
    date: hit.date?.slice(0, 10) ?? '',
    chunk_id: hit.chunk_id,
    doc_id: hit.doc_id,
  };
}

type HitFields = Readonly<Record<FieldName, string>>;

/** The forms of `--export`. */
const EXPORTS: ReadonlyMap<string, (hits: readonly HitFields[]) => string> = new Map([
  ['csv', csvOf],
  ['bibtex', bibtexOf],
  ['md', markdownOf],
]);

function exportIn(values: CommandValues): ((hits: readonly HitFields[]) => string) | undefined {
  const form = values.text('export');
  const write = EXPORTS.get(form ?? '');
  if (form === undefined || write !== undefined) return write;
  throw invalidInput(`--export knows no ${JSON.stringify(form)}`, {
    field: '--export',
    value: form,
    allowed: [...EXPORTS.keys()],
    hint: 'write --export csv, bibtex or md',
  });
}

/** Fields in one line each, without control characters. */
function cleaned(fields: HitFields): HitFields {
  const entries = Object.entries(fields).map(([name, text]) => [name, printable(text.replaceAll(/\s+/g, ' ').trim())]);
  return Object.fromEntries(entries) as HitFields;
}

const COLUMNS = ['rank', 'score', 'path', 'uri', 'line', 'end', 'page', 'title', 'section', 'date', 'text'] as const;

const csvCell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Text that begins like a formula is marked as text, so that a spreadsheet does not calculate it. */
const asText = (text: string): string => (/^[=+@-]/.test(text) ? `'${text}` : text);

/** As RFC 4180 describes, below a row of names, with the line ends of a terminal. */
function csvOf(hits: readonly HitFields[]): string {
  const rows = hits.map((hit) => COLUMNS.map((name) => csvCell(asText(hit[name]))));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\n`).join('');
}

const escapedForTex = (text: string): string => text.replaceAll(/[\\{}]/g, '').replaceAll(/[&%$#_]/g, String.raw`\$&`);

/** One entry per hit, whose key is the name of its file and its rank. */
function bibtexOf(hits: readonly HitFields[]): string {
  return hits
    .map((hit) => {
      const stem = path.posix.parse(hit.path).name.replaceAll(/[^\p{L}\p{N}]+/gu, '-');
      const members = [
        ['title', escapedForTex(hit.title)],
        ['year', hit.date.slice(0, 4)],
        ['pages', hit.page],
        ['note', escapedForTex(hit.section)],
        ['howpublished', escapedForTex(hit.uri)],
      ].filter(([, text]) => text !== '');
      return `@misc{${stem}-${hit.rank},\n${members.map(([name, text]) => `  ${name} = {${text}},\n`).join('')}}\n`;
    })
    .join('\n');
}

/** A link with its quotation per hit. */
function markdownOf(hits: readonly HitFields[]): string {
  return hits
    .map(({ title, path: file, uri, text }) => {
      const label = (title === '' ? file : title).replaceAll(/[[\]\\]/g, String.raw`\$&`);
      return `- [${label}](<${uri.replaceAll(/[<>]/g, encodeURIComponent)}>)\n  > ${text}\n`;
    })
    .join('');
}

/** Text, and the field after it; the last part has none. */
interface TemplatePart {
  readonly before: string;
  readonly field: FieldName | '';
}

/** Parses a template such as `{path}:{line}`; `\t` and `\n` are a tab and a line end, `{{` is a brace. Throws `invalid_input`. */
function parseTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let before = '';
  for (const [piece] of template.matchAll(/\{\{|\}\}|\{[^{}]*\}|\\[nt\\]|[^]/gu)) {
    if (!piece.startsWith('{') || piece === '{{' || piece === '{') {
      before += ESCAPES[piece] ?? piece;
      continue;
    }
    parts.push({ before, field: fieldNamed(piece.slice(1, -1)) });
    before = '';
  }
  return [...parts, { before, field: '' }];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  [String.raw`\n`]: '\n',
  [String.raw`\t`]: '\t',
  [String.raw`\\`]: '\\',
};

function fieldNamed(name: string): FieldName {
  const field = FIELD_NAMES.find((known) => known === name);
  if (field !== undefined) return field;
  const suggestion = nearestName(name, FIELD_NAMES);
  throw invalidInput(
    `--format knows no {${name}}${suggestion === undefined ? '' : `; did you mean {${suggestion}}?`}`,
    {
      field: '--format',
      value: name,
      allowed: FIELD_NAMES,
      suggestion,
      hint: `the fields are ${FIELD_NAMES.map((known) => `{${known}}`).join(' ')}`,
    },
  );
}

function filled(parts: readonly TemplatePart[], fields: Readonly<Record<FieldName, string>>): string {
  return parts.map(({ before, field }) => before + (field === '' ? '' : printable(fields[field]))).join('');
}
