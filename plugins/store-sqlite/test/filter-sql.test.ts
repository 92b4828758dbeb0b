import { describe, expect, it } from 'vitest';
import { compileFilters } from '../src/filter-sql.ts';
import { compilePathGlob } from '../src/path-glob.ts';
import { memoryDatabase } from './open-test-store.ts';

describe('compileFilters', () => {
  it('returns no condition if there is no filter', () =>
    expect(compileFilters({})).toEqual({ condition: '1', values: {} }));

  it('gives the same text for the same filters with other values, so that it is prepared once', () => {
    const a = compileFilters({ lang: ['en'], tag: ['x'], pathGlob: ['c/*'], trustMin: 'primary' });
    const b = compileFilters({ lang: ['ko', 'ja'], tag: [], pathGlob: ['a', 'b'], trustMin: 'generated' });
    expect(a.condition).toBe(b.condition);
    expect(a.values).not.toEqual(b.values);
  });

  it('matches nothing for an empty list', async () => {
    const db = await memoryDatabase();
    const { condition, values } = compileFilters({ lang: [] });
    const count = db.prepare(`SELECT count(*) FROM (SELECT 'en' AS lang) d WHERE ${condition}`).pluck();
    expect(count.get(values)).toBe(0);
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
    const add =
      db.prepare(`INSERT INTO documents(doc_id, workspace_path, media, lang, source_type, trust_level, committed_at, indexed_at,
      created_at, updated_at, asset_id, title, text_length, first_chunk, chunk_count, doc_version, schema_version, parser_version,
      chunker_version, policy_hash, parser_fingerprint, chunker_fingerprint, metadata_json, provenance_json)
      VALUES (@path, @path, '', '', '', 'primary', '', '', '', '', '', '', 0, 0, 0, 1, 1, '', '', '', '', '', '{}', '{}')`);
    for (const path of paths) add.run({ path });
    const found = (glob: string): readonly unknown[] => {
      const { condition, values } = compileFilters({ pathGlob: [glob] });
      return db.prepare(`SELECT d.workspace_path FROM documents d WHERE ${condition} ORDER BY 1`).pluck().all(values);
    };
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
    for (const glob of globs) expect(found(glob), glob).toEqual(paths.filter((path) => compilePathGlob(glob)(path)));
    expect(found('a/b*')).toEqual(['a/b', 'a/b.md']);
    expect(found('\u{10ffff}*')).toEqual(['\u{10ffff}', '\u{10ffff}x']);
    const { condition, values } = compileFilters({ pathGlob: ['a/**'] });
    const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT d.seq FROM documents d WHERE ${condition}`).all(values);
    expect(JSON.stringify(plan)).toMatch(/workspace_path>\? AND workspace_path<\?/);
    expect(JSON.stringify(plan)).not.toMatch(/SCAN d\b/);
    db.close();
  });
});
