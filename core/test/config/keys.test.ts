import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readValue } from '../../src/config/read-value.ts';
import { defaultOf, type Field } from '../../src/schema/field.ts';
import { problemWith } from '../../src/schema/value.ts';
import { bundledKeys } from './bundled-keys.ts';

const specification = fileURLToPath(new URL('../../../../shared/SPEC.md', import.meta.url));
/** Only comments in the specification: they have no default. */
const OPTIONAL = [
  'models.embedding.dimensions',
  'rag.score_gate_lexical',
  'rag.score_gate_vector',
  'rag.score_gate_hybrid',
];

/** Defaults that differ from the specification (docs/decisions/0014, 0045 and 0081; no source file is too long). */
const CHANGED: Readonly<Record<string, unknown>> = {
  'search.hybrid_fusion': 'relevance',
  'indexing.watch_filesystem': true,
  'rag.prompt_template_version': 'rag-v3',
  'code.max_file_bytes': null,
  'code.max_file_lines': null,
};

/** Keys of the specification that nothing would read: vectors and derived texts are in the database. */
const REMOVED = ['storage.vector_dir', 'storage.artifact_dir'];

describe('the keys of the configuration', () => {
  it('accepts the default of every key as a value', () => {
    for (const { name, key } of bundledKeys.keys) {
      const value = defaultOf(key);
      if (value === null) continue;
      expect(readValue(key, value, { origin: { origin: 'default' }, key: name })).toEqual(value);
    }
  });

  it('says in words what a text must be, also those of plugins', () => {
    const fields = bundledKeys.keys.flatMap(({ name, key }): readonly (readonly [string, Field])[] =>
      key.kind === 'tables'
        ? Object.entries(key.fields).map(([member, field]) => [`${name}.${member}`, field] as const)
        : [[name, key] as const],
    );
    const wrong = ['ftp://db.example.org', 'pg://db', 'a b', 'http:/x', ' ', 'UPPER CASE', 'x'.repeat(2000)];
    for (const [name, field] of fields) {
      if (field.kind !== 'text') continue;
      for (const value of wrong) expect(problemWith(field, value)?.expected ?? name).not.toMatch(/[\^$\\]/);
    }
  });

  it('describes every key in one sentence', () => {
    expect(bundledKeys.keys.filter(({ key }) => !/^[A-Z].*[.}]$/.test(key.doc))).toEqual([]);
  });

  it.skipIf(!existsSync(specification))(
    'has the keys and defaults of the specification, except where a decision changes them',
    () => {
      const block = /### 14\.2[\s\S]*?```toml\n([\s\S]*?)```/.exec(readFileSync(specification, 'utf8'))?.[1] ?? '';
      const specified = new Map(leaves(parse(block), '').filter(([name]) => !REMOVED.includes(name)));
      expect(specified.size).toBeGreaterThan(80);
      const ours = bundledKeys.keys.filter(({ name }) => !OPTIONAL.includes(name));
      const defaults = ours.map(({ name, key }) => [name, defaultOf(key)] as const);
      expect(Object.fromEntries(defaults)).toMatchObject({ ...Object.fromEntries(specified), ...CHANGED });
      for (const name of OPTIONAL) expect(block).toContain(name.split('.').at(-1));
    },
  );
});

function leaves(table: object, prefix: string): (readonly [string, unknown])[] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leaves(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as const],
  );
}
