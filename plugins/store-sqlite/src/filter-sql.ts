import { TRUST_LEVELS, type SearchFilters } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { compilePathGlob } from './path-glob.ts';

/** A condition on `documents d`, and the values of its `?` in order. */
export interface FilterSql {
  /** `1` when nothing is filtered; else terms joined by AND. The same filters with other values give the same text. */
  readonly sql: string;
  readonly parameters: readonly string[];
}

/**
 * Turns search filters into a condition on the table alias `d` (= documents). A list is one JSON parameter, so that the
 * statement can be prepared once whatever its length. `path_glob` needs {@link registerFilterFunctions}.
 */
export function compileFilters(filters: SearchFilters): FilterSql {
  const terms: string[] = [];
  const parameters: string[] = [];
  const add = (term: string, value: string): void => {
    terms.push(term);
    parameters.push(value);
  };
  const addList = (column: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
  };
  addList('d.doc_id', filters.docId);
  addList('d.source_id', filters.source);
  addList('d.media', filters.media);
  addList('d.lang', filters.lang);
  addList('d.source_type', filters.sourceType);
  addList('d.repo', filters.repo);
  addList('d.code_lang', filters.codeLang);
  if (filters.trustMin !== undefined)
    addList('d.trust_level', TRUST_LEVELS.slice(0, TRUST_LEVELS.indexOf(filters.trustMin) + 1));
  if (filters.ingestedAfter !== undefined) add('d.committed_at >= ?', filters.ingestedAfter.toISOString());
  if (filters.tag !== undefined)
    add(
      'EXISTS (SELECT 1 FROM document_tags t WHERE t.doc_seq = d.seq AND t.tag IN (SELECT value FROM json_each(?)))',
      JSON.stringify(filters.tag),
    );
  if (filters.pathGlob !== undefined) add('path_glob(?, d.workspace_path)', JSON.stringify(filters.pathGlob));
  return { sql: terms.length === 0 ? '1' : terms.join(' AND '), parameters };
}

/** Gives a connection the SQL function `path_glob(globs, path)`: whether any glob of a JSON list matches the path. */
export function registerFilterFunctions(db: Connection): void {
  let compiled: { readonly globs: string; readonly matchers: readonly ((path: string) => boolean)[] } | undefined;
  db.function('path_glob', { deterministic: true }, (globs, path) => {
    if (typeof globs !== 'string' || typeof path !== 'string') return 0;
    if (compiled?.globs !== globs)
      compiled = { globs, matchers: (JSON.parse(globs) as readonly string[]).map(compilePathGlob) };
    return compiled.matchers.some((matches) => matches(path)) ? 1 : 0;
  });
}
