import type { Damage } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { fullTextProblems } from './rebuild-full-text.ts';
import { damagedJson, mistagged, orphans, rowFaults } from './damaged-rows.ts';
import { missingFacts, missingObjects, strangeTables, type WholeSchema } from './whole-schema.ts';

const MAX_FINDINGS = 20;
const OF_FULL_TEXT = /fts5|inverted index|chunks_fts/i;

/**
 * What is missing or malformed in a database, in the order in which it has to be repaired. Where tables are missing nothing more is
 * looked at than those that are there allow. `deep` compares indexes with their tables, and reads every text and every block.
 */
export function findDamage(db: Connection, schema: WholeSchema, deep: boolean): readonly Damage[] {
  const pages = damagedPages(db, deep);
  if (pages.some(({ table }) => table === null)) return pages;
  const missing = missingObjects(db, schema);
  const found: Damage[] = missing.map(({ type, name }) => ({
    table: name === 'chunks_fts' ? name : tableOf(type, name, schema),
    problem: type === 'table' ? 'the table is missing, or a part of it' : `the ${type} ${name} is missing`,
  }));
  for (const table of strangeTables(db, schema))
    found.push({ table, problem: 'the table has other columns than it should' });
  if (missing.some(({ type }) => type === 'table')) return [...pages, ...found].filter(isFirst);
  for (const [table, problem] of missingFacts(db, schema)) found.push({ table, problem });
  for (const { table, column, rows } of damagedJson(db))
    found.push({ table, problem: `${counted(rows, 'row has', 'rows have')} a ${column} that cannot be read` });
  for (const { table, problem, documents } of rowFaults(db, deep))
    found.push({ table, problem: `${documents.length} ${problem}` });
  for (const [table, rows] of orphans(db))
    found.push({ table, problem: `${counted(rows, 'row belongs', 'rows belong')} to no document` });
  const tags = mistagged(db, false);
  if (tags > 0)
    found.push({ table: 'document_tags', problem: `the tags of ${counted(tags, 'document', 'documents')} differ` });
  if (!pages.some(({ table }) => table === 'chunks_fts'))
    for (const problem of attempt(() => fullTextProblems(db))) found.push({ table: 'chunks_fts', problem });
  return [...pages, ...found];
}

/** What SQLite finds in its pages, and FTS5 in its own. */
function damagedPages(db: Connection, deep: boolean): readonly Damage[] {
  const check = deep ? 'integrity_check' : 'quick_check';
  const lines = attempt(() =>
    (db.pragma(`${check}(${MAX_FINDINGS})`) as readonly Readonly<Record<string, string>>[]).map((row) =>
      String(Object.values(row)[0]),
    ),
  ).filter((line) => line !== 'ok');
  const problems = lines.flatMap((line) => line.split('\n'));
  const found = problems.map((problem): Damage => {
    if (OF_FULL_TEXT.test(problem)) return { table: 'chunks_fts', problem: 'the full-text index is malformed' };
    return { table: ofIndex(problem), problem };
  });
  return found.filter(isFirst).filter(({ problem }) => !/^NULL value in|^non-unique entry in/.test(problem));
}

/** An index that does not agree with its table is no damage of pages: it is built again. */
function ofIndex(problem: string): string | null {
  return /(?:missing from|wrong # of entries in) index (\w+)/.exec(problem)?.[1] ?? null;
}

function tableOf(type: string, name: string, { empty }: WholeSchema): string {
  if (type === 'table') return name;
  return String(empty.prepare('SELECT tbl_name FROM sqlite_schema WHERE name = ?').pluck().get(name));
}

function isFirst(one: Damage, at: number, list: readonly Damage[]): boolean {
  return list.findIndex(({ table, problem }) => table === one.table && problem === one.problem) === at;
}

/** What a check throws is what it found. */
function attempt(check: () => readonly string[]): readonly string[] {
  try {
    return check();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
