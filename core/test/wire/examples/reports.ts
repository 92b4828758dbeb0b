import { CAPABILITIES, type Capability } from '../../../src/wire/capabilities.ts';
import { WIRE_SCHEMA_NAMES, type WireObjects } from '../../../src/wire/index.ts';
import { lineCitation, seen, time } from './places.ts';

const session = {
  schema_version: 'session_summary.v1',
  conversation_id: 'tower',
  title: 'When was it built?',
  turn_count: 1,
  created_at: time,
  updated_at: time,
} as const;
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
  plugin_explain: [
    {
      schema_version: 'plugin_explain.v1',
      path: 'src/main.rs',
      media: 'code',
      code_lang: 'rust',
      extractor: { id: 'code-rust', plugin: '@kebab/plugin-code-rust', version: '0.1.0' },
      chunker: { id: 'code-rust-ast-v1', plugin: '@kebab/plugin-code-rust', version: '0.1.0' },
      reason: 'it names rust more closely than the others',
      others: [
        {
          ...{ id: 'code-text', plugin: '@kebab/plugin-plain-text', version: '0.1.0' },
          reason: 'it takes rust without naming it',
        },
      ],
    },
    {
      ...{ schema_version: 'plugin_explain.v1', path: 'a.xyz', media: 'other', code_lang: null },
      ...{ extractor: null, chunker: null, others: [] },
      reason: 'no active extractor takes files that end in ".xyz"',
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
      left_paths: ['/home/me/models/llama/'],
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
  open: [
    { schema_version: 'open.v1', path: '/kb/a.md', line: 12, page: null, uri: 'a.md#L12', freshness: 'fresh' },
    { schema_version: 'open.v1', path: '/kb/a.pdf', line: null, page: 3, uri: 'a.pdf#p=3', freshness: 'deleted' },
  ],
  snap: [
    {
      schema_version: 'snap.v1',
      path: '/home/me/a-p3.png',
      width: 1131,
      height: 1600,
      doc_path: 'papers/a.pdf',
      uri: 'papers/a.pdf#p=3',
      outlined: true,
      freshness: 'changed',
    },
  ],
  vectors_copied: [
    { schema_version: 'vectors_copied.v1', from: 'local', to: 'qdrant', collections: [] },
    {
      schema_version: 'vectors_copied.v1',
      from: 'local',
      to: 'qdrant',
      collections: [{ collection: 'chunk_embeddings_e5_384_0123456789ab', vectors: 12 }],
    },
  ],
  session_summary: [session],
  session_turns: [
    {
      schema_version: 'session_turns.v1',
      session,
      turns: [
        {
          turn_index: 0,
          question: 'When was it built?',
          answer: 'In 1889 [1].',
          grounded: true,
          citations: [
            {
              marker: '[1]',
              citation: lineCitation,
              score: 0.5,
              ...seen,
              quotes: [],
              verified: null,
            },
          ],
          created_at: time,
        },
      ],
    },
  ],
  trust_report: [
    {
      schema_version: 'trust_report.v1',
      entries: [
        {
          path: '/kb/kebab.toml',
          hash: 'ab'.repeat(32),
          trusted: true,
          plugins: [
            {
              name: 'kebab-plugin-epub',
              version: '1.0.0',
              kinds: ['extractor'],
              permissions: { fs: 'none', net: [], spawn: [] },
              reason: null,
            },
            { name: './gone.mjs', version: null, kinds: [], permissions: null, reason: 'it is not there' },
          ],
        },
      ],
    },
  ],
};
