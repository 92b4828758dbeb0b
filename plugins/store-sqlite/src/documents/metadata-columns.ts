import type { Metadata, PageRange, ProvenanceEvent } from '@kebab/core';
import type { Row } from '../database/tables.ts';

/** The columns of a document that hold metadata as they are. */
export type MetadataColumns = Pick<
  Row<'documents'>,
  'created_at' | 'updated_at' | 'source_type' | 'trust_level' | 'repo' | 'code_lang'
>;

/** What `metadata_json` holds: what no column holds, without what is empty. */
interface StoredMetadata {
  readonly aliases?: Metadata['aliases'];
  readonly tags?: Metadata['tags'];
  readonly user_id_alias?: string;
  readonly user?: Metadata['user'];
  readonly git_branch?: string;
  readonly git_commit?: string;
}

/** Writes the part of the metadata that has no column of its own. */
export function encodeMetadata(metadata: Metadata): string {
  const { aliases, tags, userIdAlias, user, gitBranch, gitCommit } = metadata;
  return JSON.stringify({
    ...(aliases.length > 0 && { aliases }),
    ...(tags.length > 0 && { tags }),
    ...(userIdAlias !== null && { user_id_alias: userIdAlias }),
    ...(Object.keys(user).length > 0 && { user }),
    ...(gitBranch !== null && { git_branch: gitBranch }),
    ...(gitCommit !== null && { git_commit: gitCommit }),
  } satisfies StoredMetadata);
}

/** Puts metadata together again from its JSON and its columns. */
export function decodeMetadata(json: string, columns: MetadataColumns): Metadata {
  const stored = JSON.parse(json) as StoredMetadata;
  return {
    aliases: stored.aliases ?? [],
    tags: stored.tags ?? [],
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

/** The tags alone, in the order of the metadata. */
export function decodeTags(json: string): readonly string[] {
  return !json.includes('"tags":') ? [] : ((JSON.parse(json) as StoredMetadata).tags ?? []);
}

type StoredEvent = readonly [afterMs: number, agent: string, kind: number, note?: string];

/** The kinds of step that documents have, by their numbers in stored provenance; a new kind goes to the end. */
const EVENT_KINDS: readonly ProvenanceEvent['kind'][] = [
  ...(['discovered', 'parsed', 'normalized', 'chunked', 'ocr_applied', 'caption_applied'] as const),
  ...(['transcribed', 'embedded', 'indexed', 'warning', 'error'] as const),
];

/** Writes provenance as a list of `[milliseconds since the event before, agent, kind, note?]`; the first counts from 1970. */
export function encodeProvenance(events: readonly ProvenanceEvent[]): string {
  let beforeMs = 0;
  const stored = events.map(({ at, agent, kind, note }): StoredEvent => {
    const afterMs = at.getTime() - beforeMs;
    beforeMs += afterMs;
    return note === null
      ? [afterMs, agent, EVENT_KINDS.indexOf(kind)]
      : [afterMs, agent, EVENT_KINDS.indexOf(kind), note];
  });
  return JSON.stringify(stored);
}

/** Reads what {@link encodeProvenance} wrote. */
export function decodeProvenance(json: string): readonly ProvenanceEvent[] {
  const events = JSON.parse(json) as readonly StoredEvent[];
  let atMs = 0;
  return events.map(([afterMs, agent, number, note]) => {
    atMs += afterMs;
    const kind = EVENT_KINDS[number];
    if (kind === undefined) throw new RangeError(`a document has a step of the unknown kind ${number}`);
    return { at: new Date(atMs), agent, kind, note: note ?? null };
  });
}

/** Writes the page map as a list of `[page, start, end]`. */
export function encodePages(pages: readonly PageRange[]): string {
  return pages.length === 0 ? '[]' : JSON.stringify(pages.map(({ page, start, end }) => [page, start, end]));
}

/** Reads what {@link encodePages} wrote. */
export function decodePages(json: string): readonly PageRange[] {
  if (json === '[]') return [];
  const pages = JSON.parse(json) as readonly (readonly [page: number, start: number, end: number])[];
  return pages.map(([page, start, end]) => ({ page, start, end }));
}
