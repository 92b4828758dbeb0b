import type { SearchFilters } from '@kebab/core';
import { compilePathGlob, compileReadRules, type ReadRule } from '@kebab/core/store';
import { columnLists, compileTitle, pathRange, rowsOf, type Build, type Steps } from '@kebab/store-kit';
import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { isAnyOf } from '../database/query-parts.ts';
import type { Database } from '../database/tables.ts';

/** Documents under the alias `d`. */
type Documents = Database & { readonly d: Database['documents'] };

const eb = expressionBuilder<Documents, 'd'>();

/** The numbers of documents by filters. */
interface KnownDocuments {
  readonly get: (filters: string) => readonly number[] | undefined;
  readonly set: (filters: string, documents: readonly number[]) => unknown;
}

/**
 * Turns search filters into conditions on the table alias `d` (= documents), all of which must hold; none if nothing is filtered. Globs, rules of
 * reading and titles are compared here, with the documents that the other conditions let through: their meaning is that of kebab, not of the server.
 * `known` has the numbers of these documents by filters, as far as the same snapshot was asked for them before.
 */
export function* documentFilters(
  build: Build,
  filters: SearchFilters,
  known: KnownDocuments = new Map(),
): Steps<readonly Expression<SqlBool>[]> {
  const within = filters.within === undefined ? [] : yield* documentFilters(build, filters.within, known);
  const conditions = [...within, ...columnConditions(filters), ...pathConditions(filters)];
  const accepts = [...pathTests(filters.pathGlob), ...readTests(filters.readable), ...titleTests(filters.title)];
  if (accepts.length === 0) return conditions;
  const key = JSON.stringify(filters);
  const seqs = known.get(key) ?? (yield* acceptedBy(build, conditions, accepts));
  known.set(key, seqs);
  return [isAnyOf('d.seq', seqs, 'bigint')];
}

/** The numbers of the documents that filters let through. */
function* acceptedBy(
  build: Build,
  conditions: readonly Expression<SqlBool>[],
  accepts: readonly Accepts[],
): Steps<readonly number[]> {
  const candidates = yield* rowsOf(
    build
      .selectFrom('documents as d')
      .select(['d.seq', 'd.source_id', 'd.workspace_path', 'd.title'])
      .where((row) => row.and(conditions)),
  );
  return candidates.filter((candidate) => accepts.every((accept) => accept(candidate))).map(({ seq }) => seq);
}

function columnConditions(filters: SearchFilters): readonly Expression<SqlBool>[] {
  const { ingestedAfter, since, until, tag } = filters;
  return [
    ...columnLists(filters).map(({ column, list }) => isAnyOf(column, list)),
    ...(ingestedAfter === undefined ? [] : [eb('d.committed_at', '>=', ingestedAfter.toISOString())]),
    ...(since === undefined ? [] : [eb('d.document_date', '>=', since.toISOString())]),
    ...(until === undefined ? [] : [eb('d.document_date', '<', until.toISOString())]),
    ...(tag === undefined ? [] : [hasTag(tag)]),
  ];
}

/** The stored tags of a document include those above them. */
function hasTag(tags: readonly string[]): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('document_tags as t')
      .select('t.doc_seq')
      .whereRef('t.doc_seq', '=', 'd.seq')
      .where(isAnyOf('t.tag', tags)),
  );
}

/** Restricts paths to ranges of the index, so that globs are compared only with paths in their folders. */
function pathConditions({ pathGlob: globs }: SearchFilters): readonly Expression<SqlBool>[] {
  if (globs === undefined || globs.some((glob) => glob.includes(':'))) return [];
  const ranges = globs.map(pathRange);
  if (ranges.some(([from]) => from === '')) return [];
  return [
    eb.or(
      ranges.map(([from, to]) =>
        eb.and([eb('d.workspace_path', '>=', from), ...(to === null ? [] : [eb('d.workspace_path', '<', to)])]),
      ),
    ),
  ];
}

/** What a glob or a title is compared with. */
interface Named {
  readonly source_id: string;
  readonly workspace_path: string;
  readonly title: string;
}

type Accepts = (document: Named) => boolean;

/** A glob with a colon may also name the source before the path. */
function pathTests(globs: readonly string[] | undefined): readonly Accepts[] {
  if (globs === undefined) return [];
  const plain = globs.map(compilePathGlob);
  const named = globs.filter((glob) => glob.includes(':')).map(compilePathGlob);
  return [
    ({ source_id, workspace_path }) =>
      plain.some((matches) => matches(workspace_path)) ||
      named.some((matches) => matches(`${source_id}:${workspace_path}`)),
  ];
}

function readTests(rules: readonly ReadRule[] | undefined): readonly Accepts[] {
  if (rules === undefined) return [];
  const mayRead = compileReadRules(rules);
  return [({ source_id, workspace_path }) => mayRead(source_id, workspace_path)];
}

function titleTests(titles: readonly string[] | undefined): readonly Accepts[] {
  if (titles === undefined) return [];
  const holds = titles.map(compileTitle);
  return [({ title }) => holds.some((test) => test(title))];
}
