import { CAPABILITIES, type Capability } from '../../../src/wire/capabilities.ts';
import { WIRE_SCHEMA_NAMES, type WireObjects } from '../../../src/wire/index.ts';
import { time } from './places.ts';

const metrics = { mrr: 0.75, groundedness: null, hit_at_k: { '1': 0.5, '3': null } };

type Report = Exclude<
  keyof WireObjects,
  `${'answer' | 'bulk' | 'chunk' | 'citation' | 'doc' | 'fetch' | 'ingest' | 'search'}${'' | `_${string}`}` | 'error'
>;

/** One example of each object that stands for a whole command. */
export const reports: { readonly [N in Report]: readonly WireObjects[N][] } = {
  config_paths: [
    {
      schema_version: 'config_paths.v1',
      config_files: [{ path: '/home/me/.config/kebab/config.toml', trusted: true, exists: false }],
      data_dir: '/data',
      cache_dir: '/cache',
      state_dir: '/state',
      workspace_root: '/kb',
    },
  ],
  config_view: [
    {
      schema_version: 'config_view.v1',
      entries: [
        { key: 'search.default_k', value: 10, origin: 'default' },
        { key: 'plugins', value: null, origin: 'file', path: '/kb/kebab.toml' },
      ],
    },
  ],
  doctor: [
    {
      schema_version: 'doctor.v1',
      ok: false,
      checks: [
        { name: 'sqlite_open', ok: true, detail: 'kebab.sqlite (schema v4)' },
        { name: 'ollama_reachable', ok: false, detail: 'refused', hint: 'ollama serve' },
      ],
    },
  ],
  eval_aggregate: [{ schema_version: 'eval_aggregate.v1', run_id: 'run_018e5c3a', metrics }],
  eval_compare: [
    {
      schema_version: 'eval_compare.v1',
      a: 'run_1',
      b: 'run_2',
      metrics: {
        mrr: { a: 0.5, b: 0.75, delta: 0.25, ci95: [-0.1, 0.4] },
        groundedness: { a: null, b: null, delta: null, ci95: null },
      },
      queries: [{ id: 'q1', outcome: 'regression', rank_a: 1, rank_b: null }],
    },
  ],
  eval_run: [
    {
      schema_version: 'eval_run.v1',
      run_id: 'run_018e5c3a',
      suite: 'fixtures/golden_queries.yaml',
      queries: 2,
      failed: 0,
      aggregate: metrics,
      created_at: time,
    },
  ],
  init_report: [
    {
      schema_version: 'init_report.v1',
      created: ['/kb'],
      kept: [],
      opened: '/data/kebab.sqlite',
      db_schema_version: 4,
      hint: 'kebab ingest',
    },
  ],
  model_list: [
    {
      schema_version: 'model_list.v1',
      models: [
        { id: 'e5', role: 'embedding', provider: 'transformers', present: false, bytes: null, configured: true },
      ],
    },
  ],
  model_pull: [
    {
      schema_version: 'model_pull.v1',
      ts: time,
      kind: 'progress',
      model: 'e5',
      bytes_done: 1,
      bytes_total: null,
      path: null,
    },
  ],
  plugin_list: [
    {
      schema_version: 'plugin_list.v1',
      plugins: [
        {
          name: 'kebab-plugin-epub',
          version: '1.0.0',
          api_version: 1,
          kinds: ['extractor'],
          permissions: { fs: 'input-only', net: [], spawn: [] },
          state: 'untrusted',
          reason: 'named by a project file that is not trusted',
          origin: 'package',
        },
      ],
    },
  ],
  plugin_new: [{ schema_version: 'plugin_new.v1', name: 'epub', kind: 'extractor', created: ['epub/package.json'] }],
  plugin_test: [
    {
      schema_version: 'plugin_test.v1',
      plugin: 'epub',
      passed: 1,
      failed: 0,
      skipped: 0,
      results: [{ suite: 'extractor', name: 'works on empty input', status: 'pass', message: null }],
    },
  ],
  reset_report: [
    {
      schema_version: 'reset_report.v1',
      scope: 'orphans_only',
      removed_paths: [],
      embedding_rows_truncated: 0,
      orphans_purged: 1,
      purged_paths: ['old.md'],
    },
  ],
  schema: [
    {
      schema_version: 'schema.v1',
      kebab_version: '0.1.0',
      wire: { schemas: WIRE_SCHEMA_NAMES },
      capabilities: Object.fromEntries(CAPABILITIES.map((flag) => [flag, flag !== 'watch'])) as Record<
        Capability,
        boolean
      >,
      models: {
        parser_version: { markdown: 'markdown-v1' },
        chunker_version: { markdown: 'md-heading-v1' },
        embedding_version: null,
        prompt_template_version: 'rag-v2',
        index_version: 'v1.0',
        corpus_revision: 12,
        llm: 'qwen2.5:14b-instruct',
        reranker: null,
        nli: null,
      },
      stats: {
        doc_count: 1,
        chunk_count: 3,
        asset_count: 1,
        last_ingest_at: null,
        media_breakdown: { markdown: 1, text: 0, pdf: 0, image: 0, audio: 0, code: 0, other: 0 },
        lang_breakdown: { en: 1 },
        code_lang_breakdown: {},
        code_lang_chunk_breakdown: {},
        repo_breakdown: {},
        source_breakdown: { default: 1 },
        index_bytes: { sqlite: 4096, vectors: 0 },
        stale_doc_count: 0,
        embeddings_pending: 1,
      },
      plugins: [{ name: '@kebab/plugin-md', version: '0.1.0', kinds: ['extractor', 'chunker'], state: 'active' }],
    },
  ],
  trust_report: [
    {
      schema_version: 'trust_report.v1',
      entries: [{ path: '/kb/kebab.toml', hash: 'ab'.repeat(32), trusted: true }],
    },
  ],
};
