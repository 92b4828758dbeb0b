import { analyseQuery, TRUST_LEVELS, type SearchFilters } from '@kebab/core';
import { documentDate, SearchedText } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { decodeUser } from './documents/columns.ts';
import { compilePathGlob, literalPrefix } from './path-glob.ts';

/** A condition on `documents d`, and the values of its parameters. */
export interface FilterSql {
  /**
   * `1` if nothing is filtered; otherwise terms joined by AND. The same filters with other values give the same text, unless a glob begins
   * with a wildcard.
   */
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Turns search filters into a condition on the table alias `d` (= documents). A list is one JSON parameter, so that the
 * statement can be prepared once whatever its length. It needs {@link registerFilterFunctions}.
 */
export function compileFilters(filters: SearchFilters): FilterSql {
  const terms: string[] = [];
  const values: Record<string, string> = {};
  for (let at: SearchFilters | undefined = filters, depth = 0; at !== undefined; at = at.within, depth++)
    addTerms(at, depth === 0 ? '' : String(depth), { terms, values });
  return { condition: terms.length === 0 ? '1' : terms.join(' AND '), values };
}

/** Adds the terms of one set of filters; `mark` distinguishes its parameters from those of others. */
function addTerms(
  filters: SearchFilters,
  mark: string,
  { terms, values }: { readonly terms: string[]; readonly values: Record<string, string> },
): void {
  const add = (name: string, value: string, termOf: (parameter: string) => string): void => {
    terms.push(termOf(`@${name}${mark}`));
    values[`${name}${mark}`] = value;
  };
  const addList = (column: string, list: readonly string[] | undefined): void => {
    if (list !== undefined)
      add(column, JSON.stringify(list), (parameter) => `d.${column} IN (SELECT value FROM json_each(${parameter}))`);
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
    add('ingested_after', filters.ingestedAfter.toISOString(), (after) => `d.committed_at >= ${after}`);
  if (filters.tag !== undefined) add('tag', JSON.stringify(filters.tag), tagTerm);
  if (filters.pathGlob !== undefined) {
    const prefixes = filters.pathGlob.map(literalPrefix);
    if (!prefixes.includes('')) add('path_range', JSON.stringify(prefixes.map(rangeOf)), rangeTerm);
    add('path_glob', JSON.stringify(filters.pathGlob), (globs) => `path_glob(${globs}, d.workspace_path)`);
  }
  if (filters.title !== undefined)
    add('title', JSON.stringify(filters.title), (titles) => `title_holds(${titles}, d.title)`);
  // Last, since they read the JSON behind all other columns.
  if (filters.since !== undefined) add('since', filters.since.toISOString(), (since) => `${DATE} >= ${since}`);
  if (filters.until !== undefined) add('until', filters.until.toISOString(), (until) => `${DATE} < ${until}`);
}

/** The range of paths with a prefix: from the prefix up to the next text of the same length, if there is one. */
function rangeOf(prefix: string): readonly [from: string, to: string | null] {
  const characters = Array.from(prefix);
  while (characters.at(-1) === LAST_CHARACTER) characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return [prefix, null];
  const next = last + 1 === SURROGATES.from ? SURROGATES.to : last + 1;
  return [prefix, characters.join('') + String.fromCodePoint(next)];
}

const LAST_CHARACTER = '\u{10ffff}';
/** Code points that are not characters. */
const SURROGATES = { from: 0xd800, to: 0xe000 };

/** Restricts paths to ranges of the index, so that globs are compared only with paths in their folders. Every text is less than a blob. */
function rangeTerm(ranges: string): string {
  return `d.seq IN (SELECT p.seq FROM json_each(${ranges}) r CROSS JOIN documents p
    ON p.workspace_path >= r.value ->> 0 AND p.workspace_path < coalesce(r.value ->> 1, x''))`;
}

const DATE = 'document_date(d.metadata_json, d.updated_at)';

/**
 * A tag includes all tags below it; a leading `#` in front matter is ignored. A tag is looked up in the list together with those above it,
 * so that the time does not grow with the product of both numbers.
 */
function tagTerm(tags: string): string {
  const wanted = `IN (SELECT value FROM json_each(${tags}))`;
  const isBelow = `EXISTS (SELECT 1 FROM json_each(tags_above(t.tag)) a WHERE a.value ${wanted})`;
  const fits = `ltrim(t.tag, '#') ${wanted} OR (instr(t.tag, '/') > 0 AND ${isBelow})`;
  return `EXISTS (SELECT 1 FROM document_tags t WHERE t.doc_seq = d.seq AND (${fits}))`;
}

/** The tags above a tag: `work` and `work/backend` for `work/backend/search`. */
function tagsAbove(tag: string): readonly string[] {
  const bare = tag.replace(/^#+/, '');
  return [...bare.matchAll(/\//g)].map(({ index }) => bare.slice(0, index));
}

/**
 * Registers the SQL functions that filters use: `path_glob(globs, path)` and `title_holds(texts, title)`, which return whether any item of
 * a JSON list matches, `tags_above(tag)`, a JSON list, and `document_date(metadata, updated_at)`, the date of a document as RFC 3339 text in
 * UTC.
 */
export function registerFilterFunctions(db: Connection): void {
  anyOf(db, 'path_glob', compilePathGlob);
  anyOf(db, 'title_holds', (text) => {
    const phrase = {
      text,
      parts: analyseQuery(`"${text.replaceAll('"', ' ')}"`).phrases.flatMap(({ parts }) => parts),
    };
    return (title) => new SearchedText(title).holds(phrase);
  });
  db.function('tags_above', { deterministic: true }, (tag) => JSON.stringify(tagsAbove(String(tag))));
  db.function('document_date', { deterministic: true }, (metadata, updatedAt) =>
    documentDate(decodeUser(String(metadata)), new Date(String(updatedAt))).toISOString(),
  );
}

/** A function of a JSON list and a text, which compiles the list once as long as it stays the same. */
function anyOf(db: Connection, name: string, compile: (pattern: string) => (text: string) => boolean): void {
  let compiled: { readonly patterns: string; readonly matchers: readonly ((text: string) => boolean)[] } | undefined;
  db.function(name, { deterministic: true }, (patterns, text) => {
    if (typeof patterns !== 'string' || typeof text !== 'string') return 0;
    if (compiled?.patterns !== patterns)
      compiled = { patterns, matchers: (JSON.parse(patterns) as readonly string[]).map(compile) };
    return compiled.matchers.some((matches) => matches(text)) ? 1 : 0;
  });
}
