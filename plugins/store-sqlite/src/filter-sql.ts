import type { SearchFilters } from '@kebab/core';
import { compilePathGlob, compileReadRules, documentDate, type MayRead, type ReadRule } from '@kebab/core/store';
import { inList, itemsOf } from '@kebab/sqlite-kit';
import { columnLists, compileTitle, decodeUser, pathRange } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { build, type Database } from './database/tables.ts';

const eb = expressionBuilder<Database & { readonly d: Database['documents'] }, 'd'>();

/**
 * Turns search filters into conditions on the table alias `d` (= documents), all of which must hold; none if nothing is filtered. The
 * statement needs {@link registerFilterFunctions}.
 */
export function compileFilters(filters: SearchFilters): readonly Expression<SqlBool>[] {
  const within = filters.within === undefined ? [] : compileFilters(filters.within);
  return [
    ...columnTerms(filters),
    ...pathTerms(filters.pathGlob),
    ...readTerms(filters.readable),
    ...computedTerms(filters),
    ...within,
  ];
}

function columnTerms(filters: SearchFilters): readonly Expression<SqlBool>[] {
  const { ingestedAfter, tag } = filters;
  return [
    ...columnLists(filters).map(({ column, list }) => eb(column, 'in', inList(jsonOf(list)))),
    ...(ingestedAfter === undefined ? [] : [eb('d.committed_at', '>=', ingestedAfter.toISOString())]),
    ...(tag === undefined ? [] : [tagTerm(jsonOf(tag))]),
  ];
}

function pathTerms(globs: readonly string[] | undefined): readonly Expression<SqlBool>[] {
  if (globs === undefined) return [];
  const ranges = globs.map(pathRange);
  const matches = eb.fn<SqlBool>('path_glob', [jsonOf(globs), 'd.workspace_path']);
  const named = globs.filter((glob) => glob.includes(':'));
  if (named.length > 0) {
    const place = eb.fn<string>('printf', [eb.val('%s:%s'), 'd.source_id', 'd.workspace_path']);
    return [eb.or([matches, eb.fn<SqlBool>('path_glob', [jsonOf(named), place])])];
  }
  return ranges.some(([from]) => from === '') ? [matches] : [rangeTerm(jsonOf(ranges)), matches];
}

function readTerms(rules: readonly ReadRule[] | undefined): readonly Expression<SqlBool>[] {
  if (rules === undefined) return [];
  return [eb.fn<SqlBool>('may_read', [jsonOf(rules), 'd.source_id', 'd.workspace_path'])];
}

/** Tested last, since dates read the JSON behind all other columns. */
function computedTerms({ title, since, until }: SearchFilters): readonly Expression<SqlBool>[] {
  const date = eb.fn<string>('document_date', ['d.metadata_json', 'd.updated_at']);
  return [
    ...(title === undefined ? [] : [eb.fn<SqlBool>('title_holds', [jsonOf(title), 'd.title'])]),
    ...(since === undefined ? [] : [eb(date, '>=', since.toISOString())]),
    ...(until === undefined ? [] : [eb(date, '<', until.toISOString())]),
  ];
}

/** A list as one parameter. */
function jsonOf(list: readonly unknown[]): Expression<string> {
  return eb.val(JSON.stringify(list));
}

/** Restricts paths to ranges of the index, so that globs are compared only with paths in their folders. Every text is less than a blob. */
function rangeTerm(ranges: Expression<string>): Expression<SqlBool> {
  return eb(
    'd.seq',
    'in',
    build
      .selectFrom(itemsOf(ranges, 'r'))
      .crossJoin('documents as p')
      .select('p.seq')
      .where('p.workspace_path', '>=', (range) => range.fn<string>('json_extract', ['r.value', range.val('$[0]')]))
      .where('p.workspace_path', '<', (range) =>
        range.fn.coalesce(
          range.fn<string>('json_extract', ['r.value', range.val('$[1]')]),
          range.fn<string>('zeroblob', [range.lit(0)]),
        ),
      ),
  );
}

/**
 * A tag includes all tags below it; a leading `#` in front matter is ignored. A tag is looked up in the list together with those above it,
 * so that the time does not grow with the product of both numbers.
 */
function tagTerm(tags: Expression<string>): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('document_tags as t')
      .select('t.doc_seq')
      .whereRef('t.doc_seq', '=', 'd.seq')
      .where((tag) => {
        const above = tag
          .selectFrom(itemsOf(tag.fn<string>('tags_above', ['t.tag']), 'a'))
          .select('a.value')
          .where('a.value', 'in', inList(tags));
        return tag.or([
          tag(tag.fn<string>('ltrim', ['t.tag', tag.val('#')]), 'in', inList(tags)),
          tag.and([tag(tag.fn<number>('instr', ['t.tag', tag.val('/')]), '>', tag.lit(0)), tag.exists(above)]),
        ]);
      }),
  );
}

/** The tags above a tag: `work` and `work/backend` for `work/backend/search`. */
function tagsAbove(tag: string): readonly string[] {
  const bare = tag.replace(/^#+/, '');
  return [...bare.matchAll(/\//g)].map(({ index }) => bare.slice(0, index));
}

/**
 * Registers the SQL functions that filters use: `path_glob(globs, path)` and `title_holds(texts, title)`, which return whether any item of
 * a JSON list matches, `may_read(rules, source, path)`, the answer of read rules in JSON, `tags_above(tag)`, a JSON list, and `document_date(metadata, updated_at)`, the date of a document as RFC 3339 text in
 * UTC.
 */
export function registerFilterFunctions(db: Connection): void {
  anyOf(db, 'path_glob', compilePathGlob);
  anyOf(db, 'title_holds', compileTitle);
  let compiled: { readonly rules: string; readonly mayRead: MayRead } | undefined;
  db.function('may_read', { deterministic: true }, (rules, source, path) => {
    if (typeof rules !== 'string') return 0;
    if (compiled?.rules !== rules)
      compiled = { rules, mayRead: compileReadRules(JSON.parse(rules) as readonly ReadRule[]) };
    return compiled.mayRead(String(source), String(path)) ? 1 : 0;
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
