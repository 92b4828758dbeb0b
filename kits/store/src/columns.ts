import type { MediaType, Metadata, PageRange, SourceSpan } from '@kebab/core';
import type { ProvenanceEvent } from '@kebab/core/store';
import type { Row } from './tables.ts';

/** An unreadable value in a column of a row. */
export class DamagedColumn extends Error {
  readonly table: string;

  constructor(table: string, column: string, cause: unknown) {
    super(`${table}.${column} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.table = table;
  }
}

/** Decodes a stored value; any failure is reported as damage of its column. */
export function decoded<T>(table: string, column: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedColumn(table, column, error);
  }
}

/** Stored for a label that is null although there are headings. */
const NO_LABEL = '\0';

/** Encodes a heading path as JSON. Most paths begin with the document's title, which is stored as 0. */
export function encodeHeadingPath(path: readonly string[], title: string): string {
  if (path[0] !== title) return JSON.stringify(path);
  return path.length === 1 ? '[0]' : `[0,${JSON.stringify(path.slice(1)).slice(1)}`;
}

/** Decodes the output of {@link encodeHeadingPath}. */
export function decodeHeadingPath(json: string, title: string): readonly string[] {
  return decoded('chunks', 'heading_path_json', () => {
    const [first, ...rest] = JSON.parse(json) as readonly [string | 0, ...(readonly string[])] | readonly [];
    return first === undefined ? [] : [first === 0 ? title : first, ...rest];
  });
}

/** Encodes the label of a section. Most labels equal the last heading, which is stored as null. */
export function encodeSectionLabel(label: string | null, path: readonly string[]): string | null {
  if (label === (path.at(-1) ?? null)) return null;
  return label ?? NO_LABEL;
}

/** Decodes the output of {@link encodeSectionLabel}. */
export function decodeSectionLabel(stored: string | null, path: readonly string[]): string | null {
  if (stored === null) return path.at(-1) ?? null;
  return stored === NO_LABEL ? null : stored;
}

/** Encodes the spans of a chunk as JSON. A line span becomes a pair of lines; a single one, as in nearly all chunks, is not in a list. */
export function encodeSpans(spans: readonly SourceSpan[]): string {
  const [only] = spans;
  if (only !== undefined && only.kind === 'line' && spans.length === 1) return `[${only.start},${only.end}]`;
  return JSON.stringify(spans.map((span) => (span.kind === 'line' ? [span.start, span.end] : span)));
}

/** Decodes the output of {@link encodeSpans}. */
export function decodeSpans(json: string): readonly SourceSpan[] {
  return decoded('chunks', 'source_spans_json', () => {
    const spans = JSON.parse(json) as Pair | readonly (SourceSpan | Pair)[];
    return isPair(spans) ? [lineSpan(spans)] : spans.map((span) => (isPair(span) ? lineSpan(span) : span));
  });
}

type Pair = readonly [start: number, end: number];

function isPair(value: SourceSpan | Pair | readonly (SourceSpan | Pair)[]): value is Pair {
  return Array.isArray(value) && typeof value[0] === 'number';
}

function lineSpan([start, end]: Pair): SourceSpan {
  return { kind: 'line', start, end };
}

/** The second part of a media type: the language of code, the type of an image or audio, the extension of the rest. */
export function mediaSubtype(type: MediaType): string | null {
  switch (type.kind) {
    case 'markdown':
    case 'text':
    case 'pdf':
      return null;
    case 'image':
    case 'audio':
      return type.type;
    case 'code':
      return type.lang;
    case 'other':
      return type.ext;
    default:
      throw new TypeError(`unknown media type ${JSON.stringify(type satisfies never)}`);
  }
}

/** Decodes a media type from its two columns. */
export function toMediaType(media: string, subtype: string | null): MediaType {
  const kind = media as MediaType['kind'];
  switch (kind) {
    case 'markdown':
    case 'text':
    case 'pdf':
      return { kind };
    case 'image':
    case 'audio':
      return { kind, type: subtype ?? '' };
    case 'code':
      return { kind, lang: subtype ?? '' };
    case 'other':
      return { kind, ext: subtype ?? '' };
    default:
      throw new RangeError(`the database holds the unknown media type ${String(kind satisfies never)}`);
  }
}

/** A media type as a single name: `markdown`, `code/rust`. */
export function mediaTypeName(type: MediaType): string {
  const subtype = mediaSubtype(type);
  return subtype === null ? type.kind : `${type.kind}/${subtype}`;
}

/** The columns of a document that each hold one member of its metadata. */
export type MetadataColumns = Pick<
  Row<'documents'>,
  'created_at' | 'updated_at' | 'source_type' | 'trust_level' | 'repo' | 'code_lang'
>;

/** The contents of `metadata_json`: metadata without a column of its own, except empty members. */
interface StoredMetadata {
  readonly aliases?: Metadata['aliases'];
  readonly tags?: Metadata['tags'];
  readonly inline_tags?: Metadata['tags'];
  readonly user_id_alias?: string;
  readonly user?: Metadata['user'];
  readonly git_branch?: string;
  readonly git_commit?: string;
}

/** Encodes the metadata that has no column of its own. */
export function encodeMetadata(metadata: Metadata): string {
  const { aliases, tags, inlineTags = [], userIdAlias, user, gitBranch, gitCommit } = metadata;
  return JSON.stringify({
    ...(aliases.length > 0 && { aliases }),
    ...(tags.length > 0 && { tags }),
    ...(inlineTags.length > 0 && { inline_tags: inlineTags }),
    ...(userIdAlias !== null && { user_id_alias: userIdAlias }),
    ...(Object.keys(user).length > 0 && { user }),
    ...(gitBranch !== null && { git_branch: gitBranch }),
    ...(gitCommit !== null && { git_commit: gitCommit }),
  } satisfies StoredMetadata);
}

/** The aliases in the JSON of {@link encodeMetadata}. */
export function aliasesIn(json: string): readonly string[] {
  return readMetadata(json).aliases ?? [];
}

/** Decodes metadata from its JSON and its columns. */
export function decodeMetadata(json: string, columns: MetadataColumns): Metadata {
  const stored = readMetadata(json);
  return {
    aliases: stored.aliases ?? [],
    tags: stored.tags ?? [],
    ...(stored.inline_tags === undefined ? {} : { inlineTags: stored.inline_tags }),
    createdAt: new Date(columns.created_at),
    updatedAt: new Date(columns.updated_at),
    sourceType: columns.source_type as Metadata['sourceType'],
    trustLevel: columns.trust_level as Metadata['trustLevel'],
    userIdAlias: stored.user_id_alias ?? null,
    user: stored.user ?? {},
    repo: columns.repo,
    gitBranch: stored.git_branch ?? null,
    gitCommit: stored.git_commit ?? null,
    codeLang: columns.code_lang,
  };
}

/** Decodes only the tags, in their order in the metadata. */
export function decodeTags(json: string): Pick<Metadata, 'tags' | 'inlineTags'> {
  if (!json.includes('tags":')) return { tags: [] };
  const { tags = [], inline_tags: inlineTags } = readMetadata(json);
  return { tags, ...(inlineTags === undefined ? {} : { inlineTags }) };
}

/** Decodes only the front matter keys that have no meaning for kebab. */
export function decodeUser(json: string): Metadata['user'] {
  return !json.includes('"user":') ? {} : (readMetadata(json).user ?? {});
}

function readMetadata(json: string): StoredMetadata {
  return decoded('documents', 'metadata_json', () => JSON.parse(json) as StoredMetadata);
}

/** A note that equals one of the document's labels is stored as the index of the label. */
type StoredEvent = readonly [afterMs: number, agent: string, kind: number, note?: string | number];

/** The columns that name the document's parser and chunker, which most notes equal. */
type ProvenanceLabels = Pick<Row<'documents'>, 'parser_version' | 'chunker_version'>;

/** The index of a kind of step is its number in stored provenance, so new kinds are appended. */
const EVENT_KINDS: readonly ProvenanceEvent['kind'][] = [
  'discovered',
  'parsed',
  'normalized',
  'chunked',
  'ocr_applied',
  'caption_applied',
  'transcribed',
  'embedded',
  'indexed',
  'warning',
  'error',
];

/** Encodes provenance as a list of `[milliseconds since the previous event, agent, kind, note?]`; the first counts from 1970. */
export function encodeProvenance(events: readonly ProvenanceEvent[], labels: ProvenanceLabels): string {
  let beforeMs = 0;
  const stored = events.map(({ at, agent, kind, note }): StoredEvent => {
    const afterMs = at.getTime() - beforeMs;
    beforeMs += afterMs;
    if (note === null) return [afterMs, agent, EVENT_KINDS.indexOf(kind)];
    const label = labelsOf(labels).indexOf(note);
    return [afterMs, agent, EVENT_KINDS.indexOf(kind), label === -1 ? note : label];
  });
  return JSON.stringify(stored);
}

/** Decodes the output of {@link encodeProvenance}. */
export function decodeProvenance(json: string, labels: ProvenanceLabels): readonly ProvenanceEvent[] {
  return decoded('documents', 'provenance_json', () => {
    const events = JSON.parse(json) as readonly StoredEvent[];
    let atMs = 0;
    return events.map(([afterMs, agent, number, note]) => {
      atMs += afterMs;
      const kind = EVENT_KINDS[number];
      if (kind === undefined) throw new RangeError(`a document has a step of the unknown kind ${number}`);
      return {
        at: new Date(atMs),
        agent,
        kind,
        note: (typeof note === 'number' ? labelsOf(labels)[note] : note) ?? null,
      };
    });
  });
}

function labelsOf({ parser_version, chunker_version }: ProvenanceLabels): readonly string[] {
  return [parser_version, chunker_version];
}

/** Encodes the page map as a list of `[page, start, end]`. */
export function encodePages(pages: readonly PageRange[]): string {
  return pages.length === 0 ? '[]' : JSON.stringify(pages.map(({ page, start, end }) => [page, start, end]));
}

/** Decodes the output of {@link encodePages}. */
export function decodePages(json: string): readonly PageRange[] {
  if (json === '[]') return [];
  return decoded('documents', 'pages_json', () => {
    const pages = JSON.parse(json) as readonly (readonly [page: number, start: number, end: number])[];
    return pages.map(([page, start, end]) => ({ page, start, end }));
  });
}
