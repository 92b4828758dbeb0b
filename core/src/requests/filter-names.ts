import { MEDIA, SOURCE_TYPES, TRUST_LEVELS } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';

/** One filter as hosts offer it. */
export interface FilterName {
  /** Its name in requests; the command line writes it `--path-glob`. */
  readonly key: string;
  readonly field: keyof SearchFilters;
  readonly type: 'list' | 'one' | 'time';
  /** Whether the command line takes several values with commas. */
  readonly commas: boolean;
  /** The values it knows, when these are all there are. */
  readonly allowed: readonly string[] | null;
  /** Other spellings of a value. */
  readonly aliases: Readonly<Record<string, string>>;
  /** One line for help texts and tool descriptions. */
  readonly summary: string;
}

const list = { type: 'list', commas: false, allowed: null, aliases: {} } as const;

/** Every filter, in the order of the documentation: the one table behind flags, tool inputs and bulk requests. */
export const FILTERS: readonly FilterName[] = [
  { ...list, key: 'tag', field: 'tag', summary: 'documents with one of these tags' },
  { ...list, key: 'lang', field: 'lang', commas: true, summary: 'documents in one of these languages' },
  { ...list, key: 'path_glob', field: 'pathGlob', summary: 'globs on the path; * does not cross /, ** does' },
  {
    ...list,
    key: 'trust_min',
    field: 'trustMin',
    type: 'one',
    allowed: TRUST_LEVELS,
    summary: 'at least this trust: primary > secondary > generated',
  },
  {
    ...list,
    key: 'media',
    field: 'media',
    commas: true,
    allowed: MEDIA,
    aliases: { md: 'markdown', txt: 'text' },
    summary: 'kinds of document; md and txt are short for markdown and text',
  },
  {
    ...list,
    key: 'ingested_after',
    field: 'ingestedAfter',
    type: 'time',
    summary: 'committed at or after this time, as in 2026-03-01T00:00:00Z',
  },
  { ...list, key: 'doc_id', field: 'docId', summary: 'these documents only' },
  { ...list, key: 'repo', field: 'repo', summary: 'code of these repositories' },
  { ...list, key: 'code_lang', field: 'codeLang', commas: true, summary: 'code in these programming languages' },
  { ...list, key: 'source', field: 'source', commas: true, summary: 'ids of sources' },
  {
    ...list,
    key: 'source_type',
    field: 'sourceType',
    commas: true,
    allowed: SOURCE_TYPES,
    summary: 'what the document is to its owner',
  },
];

/** The names of all filters in requests. */
export const FILTER_KEYS: readonly string[] = FILTERS.map(({ key }) => key);
