import { TRUST_LEVELS, type SearchFilters } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { compilePathGlob } from './path-glob.ts';

/** A condition on `documents d`, and the values of its parameters. */
export interface FilterSql {
  /** `1` when nothing is filtered; else terms joined by AND. The same filters with other values give the same text. */
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Turns search filters into a condition on the table alias `d` (= documents). A list is one JSON parameter, so that the
 * statement can be prepared once whatever its length. `path_glob` needs {@link registerFilterFunctions}.
 */
export function compileFilters(filters: SearchFilters): FilterSql {
  const terms: string[] = [];
  const values: Record<string, string> = {};
  const add = (name: string, value: string, term: string): void => {
    terms.push(term);
    values[name] = value;
  };
  const addList = (column: string, list: readonly string[] | undefined): void => {
    if (list !== undefined)
      add(column, JSON.stringify(list), `d.${column} IN (SELECT value FROM json_each(@${column}))`);
  };
  addList('doc_id', filters.docId);
  addList('source_id', filters.source);
  addList('media', filters.media);
  addList('lang', filters.lang);
  addList('source_type', filters.sourceType);
  addList('repo', filters.repo);
  addList('code_lang', filters.codeLang);
  if (filters.trustMin !== undefined)
    addList('trust_level', TRUST_LEVELS.slice(0, TRUST_LEVELS.indexOf(filters.trustMin) + 1));
  if (filters.ingestedAfter !== undefined)
    add('ingested_after', filters.ingestedAfter.toISOString(), 'd.committed_at >= @ingested_after');
  if (filters.tag !== undefined)
    add(
      'tag',
      JSON.stringify(filters.tag),
      'EXISTS (SELECT 1 FROM document_tags t WHERE t.doc_seq = d.seq AND t.tag IN (SELECT value FROM json_each(@tag)))',
    );
  if (filters.pathGlob !== undefined)
    add('path_glob', JSON.stringify(filters.pathGlob), 'path_glob(@path_glob, d.workspace_path)');
  return { condition: terms.length === 0 ? '1' : terms.join(' AND '), values };
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
