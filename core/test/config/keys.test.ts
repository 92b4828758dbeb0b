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

/** Keys beyond the specification (docs/decisions/0002), with their defaults. */
const ADDED: Readonly<Record<string, unknown>> = {
  'access.audience': '',
  'access.audit': false,
  'access.client_id': '',
  'access.client_secret': '',
  'access.groups_claim': 'groups',
  'access.issuer': '',
  'access.listen': '127.0.0.1',
  'access.login_scopes': ['profile'],
  'access.public_url': '',
  'access.requests_per_minute': 600,
  'access.rules': [],
  'access.scopes': ['read', 'ask'],
  'chunking.chunker.markdown': '',
  'chunking.chunker.text': '',
  'chunking.chunker.code': '',
  'chunking.chunker.pdf': '',
  'chunking.chunker.image': '',
  'workspace.symlinks_outside': false,
  'indexing.secrets': 'allow',
  'models.hub': 'https://huggingface.co',
  'models.embedding.timeout_s': 60,
  'models.llm.api_key': '',
  'ocr.endpoint': 'http://127.0.0.1:11434',
  'caption.endpoint': 'http://127.0.0.1:11434',
  'pdf.password': '',
  'search.min_relevance': 0.0003,
  'serve.mode': 'auto',
  'serve.idle_minutes': 10,
  'search.weight_retrievers': 1,
  'search.retriever_timeout_s': 10,
  'rag.answer_format': 'json',
  'rag.max_answer_tokens': 2048,
  'rag.answer_checker': 'claims',
  'search.refresh': 'auto',
  'plugin_limits.load_timeout_s': 10,
  'plugin_limits.create_timeout_s': 60,
  'plugin_limits.call_timeout_s': 300,
  'plugin_limits.memory_mb': 2048,
  'search.refresh_budget_ms': 150,
  'search.refresh_after_ms': 2000,
  's3.endpoint': '',
  's3.path_style': false,
  's3.region': 'us-east-1',
  's3.timeout_s': 60,
  'storage.document_store': 'sqlite',
  'storage.lexical_index': '',
  'storage.postgres.url': '',
  'storage.postgres.job_lease_s': 60,
  'storage.postgres.read_url': '',
  'storage.postgres.schema': 'kebab',
  'storage.postgres.tls': 'auto',
  'storage.postgres.pool_size': 8,
  'storage.postgres.connect_timeout_s': 10,
  'storage.postgres.statement_timeout_s': 30,
  'storage.qdrant.on_disk': false,
  'storage.qdrant.quantization': 'none',
  'storage.qdrant.shard_number': null,
  'storage.qdrant.replication_factor': null,
  'storage.qdrant.timeout_s': 30,
};

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
      expect(Object.fromEntries(defaults)).toEqual({ ...Object.fromEntries(specified), ...ADDED, ...CHANGED });
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
