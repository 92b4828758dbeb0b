import { describe, expect, it } from 'vitest';
import type { SearchFilters } from '@kebab/core';
import type { Database } from 'better-sqlite3';
import { build } from '../src/database/tables.ts';
import { compileFilters } from '../src/filter-sql.ts';
import { compilePathGlob } from '@kebab/core/store';
import { memoryDatabase } from './open-test-store.ts';

function addDocuments(db: Database, paths: readonly string[]): void {
  const add =
    db.prepare(`INSERT INTO documents(doc_id, workspace_path, media, lang, source_type, trust_level, committed_at, indexed_at,
      created_at, updated_at, asset_id, title, text_length, first_chunk, chunk_count, doc_version, schema_version, parser_version,
      chunker_version, policy_hash, parser_fingerprint, chunker_fingerprint, metadata_json, provenance_json)
      VALUES (@path, @path, '', '', '', 'primary', '', '', '', '', '', '', 0, 0, 0, 1, 1, '', '', '', '', '', '{}', '{}')`);
  for (const path of paths) add.run({ path });
}

function found(db: Database, filters: SearchFilters): readonly unknown[] {
  const { sql, parameters } = passing(filters);
  return db
    .prepare(sql)
    .pluck()
    .all(...parameters);
}

/** The paths of the documents that pass filters. */
function passing(filters: SearchFilters) {
  return build
    .selectFrom('documents as d')
    .select('d.workspace_path')
    .where((eb) => eb.and(compileFilters(filters)))
    .orderBy('d.workspace_path')
    .compile();
}

describe('compileFilters', () => {
  it('returns no condition if there is no filter', () => expect(compileFilters({})).toEqual([]));

  it('gives the same text for the same filters with other values', () => {
    const a = passing({ lang: ['en'], tag: ['x'], pathGlob: ['c/*'], trustMin: 'primary' });
    const b = passing({ lang: ['ko', 'ja'], tag: [], pathGlob: ['a', 'b'], trustMin: 'generated' });
    expect(a.sql).toBe(b.sql);
    expect(a.parameters).not.toEqual(b.parameters);
  });

  it('matches nothing for an empty list', async () => {
    const db = await memoryDatabase();
    db.pragma('foreign_keys = OFF');
    addDocuments(db, ['a']);
    expect([found(db, {}), found(db, { lang: [] })]).toEqual([['a'], []]);
    db.close();
  });

  it('finds the paths below a folder by a range, and exactly those that the glob matches', async () => {
    const db = await memoryDatabase();
    const paths = [
      'a',
      'a/b',
      'a/b.md',
      'a/b/c.md',
      'a/c',
      'a0',
      'ab',
      'b',
      '\u{d7ff}',
      '\u{e000}',
      '\u{10ffff}',
      '\u{10ffff}x',
    ];
    db.pragma('foreign_keys = OFF');
    addDocuments(db, paths);
    const matching = (glob: string): readonly unknown[] => found(db, { pathGlob: [glob] });
    const globs = [
      'a',
      'a/',
      'a/**',
      'a/b*',
      'a/?',
      'a/{b,c}',
      '\u{d7ff}*',
      '\u{10ffff}*',
      './a/b/',
      'none/**',
      '[a]*',
    ];
    for (const glob of globs) expect(matching(glob), glob).toEqual(paths.filter((path) => compilePathGlob(glob)(path)));
    expect(matching('a/b*')).toEqual(['a/b', 'a/b.md']);
    expect(matching('\u{10ffff}*')).toEqual(['\u{10ffff}', '\u{10ffff}x']);
    const { sql, parameters } = passing({ pathGlob: ['a/**'] });
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
    expect(JSON.stringify(plan)).toMatch(/workspace_path>\? AND workspace_path<\?/);
    expect(JSON.stringify(plan)).not.toMatch(/SCAN d\b/);
    db.close();
  });
});
