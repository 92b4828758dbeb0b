// One example of each object that is the output of a command, as tests expect its text.
import type { WireObjects } from '@kebab/core/app';
import { CAPABILITIES, WIRE_SCHEMA_NAMES } from '../../../core/src/wire/names.ts';
import { home, lineCitation, seen, time } from './places.ts';

export const session = {
  schema_version: 'session_summary.v1',
  conversation_id: 'chunking',
  title: 'What are the Markdown chunking rules?',
  turn_count: 1,
  created_at: time,
  updated_at: time,
} as const;

const nothingByK = { 1: null, 3: null, 5: null, 10: null };

const metrics = {
  hit_at_k: { 1: 0.5, 3: 0.75, 5: 0.75, 10: 1 },
  mrr: 0.6458,
  recall_at_k_doc: { 1: 0.5, 3: 0.75, 5: 1, 10: 1 },
  precision_at_k_chunk: nothingByK,
  must_contain: null,
  refusal_correctness: 1,
  empty_result_rate: 0,
  failed_queries: 1,
};

export const blame: WireObjects['blame'] = {
  schema_version: 'blame.v1',
  uri: 'src/gauge.py#L1-L2',
  doc_path: 'src/gauge.py',
  source_id: 'default',
  lines: [
    {
      line: 1,
      text: 'def read_gauge():',
      commit: '3f2a1b9c'.repeat(5),
      author: 'Kim',
      date: '2026-03-01T01:20:30.000Z',
      subject: 'Start',
      is_boundary: true,
    },
    { line: 2, text: '    return 2', commit: null, author: null, date: null, subject: null },
  ],
};

export const commitResult: WireObjects['commit_result'] = {
  schema_version: 'commit_result.v1',
  commits: [
    {
      source_id: 'widgets',
      commit: '3f2a1b9c'.repeat(5),
      author: 'Kim',
      date: '2026-03-01T10:20:30+09:00',
      subject: 'Read the gauge twice',
      message_line: 'The first reading is stale.',
      score: 4.117,
      lines: [
        { path: 'src/gauge.py', line: 12, side: 'removed', text: 'return read()' },
        { path: 'src/gauge.py', line: 13, side: 'added', text: 'return read_twice()' },
      ],
      more_lines: 3,
    },
  ],
  searched: [{ source_id: 'widgets', root: `${home}/widgets`, commits: 200 }],
  is_partial: true,
  notices: [{ text: 'AND', hint: 'read as words' }],
};

export const configEntry: WireObjects['config_entry'] = {
  schema_version: 'config_entry.v1',
  key: 'search.default_k',
  value: 7,
  origin: 'env',
  file: `${home}/.config/kebab/config.toml`,
  written: 20,
  changed: true,
  overridden_by: 'KEBAB_SEARCH_DEFAULT_K',
  needs_trust: false,
};

export const configPaths: WireObjects['config_paths'] = {
  schema_version: 'config_paths.v1',
  config_files: [
    { path: `${home}/.config/kebab/config.toml`, trusted: true, exists: false },
    { path: `${home}/kb/kebab.toml`, trusted: false, exists: true },
  ],
  data_dir: `${home}/.local/share/kebab`,
  cache_dir: `${home}/.cache/kebab`,
  state_dir: `${home}/.local/state/kebab`,
  workspace_root: `${home}/KnowledgeBase`,
};

export const configView: WireObjects['config_view'] = {
  schema_version: 'config_view.v1',
  entries: [
    { key: 'search.default_k', value: 10, origin: 'default' },
    { key: 'workspace.root', value: `${home}/kb`, origin: 'file', path: `${home}/.config/kebab/config.toml` },
    { key: 'models.embedding.model', value: 'multilingual-e5-small', origin: 'env' },
    { key: 'models.llm.model', value: null, origin: 'default' },
  ],
};

export const statusNow: WireObjects['status'] = {
  schema_version: 'status.v1',
  database: `${home}/.local/share/kebab/kebab.sqlite`,
  knowledge_base: '0123456789abcdef0123456789abcdef',
  sources: [
    { id: 'default', root: `${home}/notes`, configured_root: `${home}/kb`, documents: 402, readable: true },
    { id: 'work', root: `${home}/work`, configured_root: null, documents: 3, readable: false },
  ],
  documents: 405,
  chunks: 2310,
  last_ingest_at: time,
  changes: { added: 37, changed: 4, gone: 1 },
  not_taken_in: 1,
  embedding: { provider: 'transformers', model: 'multilingual-e5-small', state: 'missing', pending: 405 },
  answers: {
    provider: 'ollama',
    model: 'qwen2.5:14b-instruct',
    endpoint: 'http://127.0.0.1:11434',
    state: 'missing',
  },
  notes: ['source "work" was indexed from /home/me/work and is no longer configured'],
  next: 'kebab ingest',
};

export const doctor: WireObjects['doctor'] = {
  schema_version: 'doctor.v1',
  ok: false,
  checks: [
    { name: 'config_loaded', ok: true, detail: `${home}/.config/kebab/config.toml` },
    { name: 'config_trusted', ok: true, detail: 'no project file' },
    { name: 'data_dir_writable', ok: true, detail: `${home}/.local/share/kebab/` },
    { name: 'sqlite_open', ok: true, detail: 'kebab.sqlite (schema v4)' },
    { name: 'vector_store_open', ok: true, detail: 'local' },
    { name: 'embedding_model', ok: true, detail: 'multilingual-e5-small (384d)' },
    { name: 'embeddings_complete', ok: true, detail: '0 pending' },
    { name: 'ollama_reachable', ok: true, detail: 'http://127.0.0.1:11434' },
    {
      name: 'ollama_model_pulled',
      ok: false,
      detail: 'qwen2.5:14b-instruct missing',
      hint: 'ollama pull qwen2.5:14b-instruct',
    },
    { name: 'source_roots', ok: true, detail: '1 of 1 readable' },
    { name: 'plugins_loaded', ok: true, detail: 'built-ins only' },
  ],
};

export const evalAggregate: WireObjects['eval_aggregate'] = {
  schema_version: 'eval_aggregate.v1',
  run_id: 'run_018e5c3a0b7d',
  metrics: { ...metrics, failed_queries: 0 },
};

export const evalCompare: WireObjects['eval_compare'] = {
  schema_version: 'eval_compare.v1',
  a: 'run_018e5c3a0b7d',
  b: 'run_018e5c3a0b7e',
  metrics: {
    hit_at_1: { a: 0.5, b: 0.75, delta: 0.25, ci95: [-0.25, 0.75] },
    mrr: { a: 0.6458, b: 0.5, delta: -0.1458, ci95: null },
    must_contain: { a: null, b: null, delta: null, ci95: null },
    failed_queries: { a: 1, b: 0, delta: -1, ci95: null },
  },
  queries: [
    { id: 'same', outcome: 'draw', rank_a: 1, rank_b: 1 },
    { id: 'better', outcome: 'win', rank_a: 10, rank_b: 1 },
    { id: 'new', outcome: 'win', rank_a: null, rank_b: 2 },
    { id: 'worse', outcome: 'loss', rank_a: 1, rank_b: 2 },
    { id: 'gone', outcome: 'regression', rank_a: 3, rank_b: null },
  ],
};

export const evalRun: WireObjects['eval_run'] = {
  schema_version: 'eval_run.v1',
  run_id: 'run_018e5c3a0b7d',
  suite: `${home}/kb/fixtures/golden_queries.yaml`,
  queries: 5,
  failed: 1,
  aggregate: metrics,
  created_at: time,
};

export const initReport: WireObjects['init_report'] = {
  schema_version: 'init_report.v1',
  created: [`${home}/.config/kebab/config.toml`, `${home}/.local/share/kebab/`, `${home}/KnowledgeBase/`],
  kept: [],
  opened: `${home}/.local/share/kebab/kebab.sqlite`,
  db_schema_version: 4,
  hint: `edit ${home}/.config/kebab/config.toml then \`kebab ingest\``,
};

export const pluginList: WireObjects['plugin_list'] = {
  schema_version: 'plugin_list.v1',
  plugins: [
    {
      name: '@kebab/plugin-md',
      version: '0.1.0',
      api_version: 1,
      kinds: ['extractor', 'chunker'],
      permissions: { fs: 'none', net: [], spawn: [] },
      state: 'active',
      reason: null,
      origin: 'builtin',
    },
    {
      name: 'kebab-plugin-epub',
      version: '1.0.0',
      api_version: 1,
      kinds: ['extractor'],
      permissions: { fs: 'input-only', net: ['example.org'], spawn: [] },
      state: 'untrusted',
      reason: 'named by a project file that is not trusted',
      origin: 'package',
    },
    {
      name: 'kebab-plugin-gone',
      version: '0.0.0',
      api_version: 1,
      kinds: [],
      permissions: { fs: 'none', net: [], spawn: [] },
      state: 'failed',
      reason: 'Cannot find package',
      origin: 'package',
    },
  ],
};

export const resetReport: WireObjects['reset_report'] = {
  schema_version: 'reset_report.v1',
  scope: 'orphans_only',
  removed_paths: [`${home}/.local/share/kebab/kebab.sqlite`],
  embedding_rows_truncated: 2,
  orphans_purged: 1,
  purged_paths: ['old.md'],
  left_paths: [`${home}/models/llama/`],
};

export const schema: WireObjects['schema'] = {
  schema_version: 'schema.v1',
  kebab_version: '0.1.0',
  wire: { schemas: WIRE_SCHEMA_NAMES },
  capabilities: Object.fromEntries(
    Object.keys(CAPABILITIES).map((flag) => [flag, flag !== 'watch']),
  ) as typeof CAPABILITIES,

  models: {
    parser_version: { markdown: 'markdown-v1', text: 'text-v1' },
    chunker_version: { markdown: 'md-heading-v1' },
    embedding_version: null,
    prompt_template_version: 'rag-v2',
    index_version: 'v1.2',
    corpus_revision: 12,
    llm: 'qwen2.5:14b-instruct',
    reranker: null,
    nli: null,
  },
  stats: {
    doc_count: 3,
    chunk_count: 40,
    asset_count: 3,
    last_ingest_at: time,
    media_breakdown: { markdown: 2, text: 0, pdf: 0, image: 0, audio: 0, code: 1, other: 0 },
    lang_breakdown: { en: 2, und: 1 },
    code_lang_breakdown: { rust: 1 },
    code_lang_chunk_breakdown: { rust: 9 },
    repo_breakdown: {},
    source_breakdown: { default: 3 },
    index_bytes: { sqlite: 40_960, vectors: 0 },
    stale_doc_count: 0,
    embeddings_pending: 3,
  },
  plugins: [{ name: '@kebab/plugin-md', version: '0.1.0', kinds: ['extractor', 'chunker'], state: 'active' }],
};

export const outlined: WireObjects['outline'] = {
  schema_version: 'outline.v1',
  files: [
    {
      doc_path: 'src/oven.ts',
      source_id: 'default',
      total_lines: 40,
      units: [
        { name: 'Oven', depth: 0, line_start: 3, line_end: 20, text: 'export class Oven' },
        { name: 'heat', depth: 1, line_start: 5, line_end: 9, text: 'heat(): void' },
      ],
    },
    {
      doc_path: 'papers/a.pdf',
      source_id: 'default',
      total_lines: 90,
      units: [{ name: 'Results', depth: 0, place: 'page 3', text: 'Results' }],
    },
  ],
  total: 5,
  next_cursor: null,
};

export const symbolResult: WireObjects['symbol_result'] = {
  schema_version: 'symbol_result.v1',
  name: 'heat',
  find: 'references',
  units: [
    {
      doc_path: 'src/bake.ts',
      source_id: 'default',
      symbol: 'src/bake.bake',
      line_start: 2,
      line_end: 8,
      lines: [{ line: 4, text: '  oven.heat();', defines: false }],
    },
    {
      doc_path: 'src/main.ts',
      source_id: 'default',
      symbol: null,
      line_start: 1,
      line_end: 1,
      lines: [{ line: 1, text: 'oven.heat();', defines: false }],
    },
  ],
  total: 3,
  next_cursor: 'c',
};

export const sessionTurns: WireObjects['session_turns'] = {
  schema_version: 'session_turns.v1',
  session: { ...session, turn_count: 2 },
  turns: [
    {
      turn_index: 0,
      question: 'What are the Markdown chunking rules?',
      answer: 'Heading boundaries come first [1].',
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
    {
      turn_index: 1,
      question: 'And what do they cost?',
      answer: 'Not enough evidence. The knowledge base has nothing on this.',
      grounded: false,
      refusal_reason: 'score_gate',
      citations: [],
      unsupported: [],
      created_at: time,
    },
  ],
};

export const sourceAdded: WireObjects['source_added'] = {
  schema_version: 'source_added.v1',
  id: 'work',
  root: `${home}/work`,
  file: `${home}/.config/kebab/config.toml`,
  holds: { files: { markdown: 1200, pdf: 1, image: 1, other: 14 }, unread: 3, is_complete: true },
  hint: 'kebab ingest',
};

export const sourceList: WireObjects['source_list'] = {
  schema_version: 'source_list.v1',
  sources: [
    {
      id: 'default',
      root: `${home}/KnowledgeBase`,
      configured_root: `${home}/KnowledgeBase`,
      connector: 'fs',
      documents: 12,
      last_ingest_at: time,
      state: 'ready',
    },
    {
      id: 'work',
      root: `${home}/work`,
      configured_root: `${home}/work`,
      connector: 'fs',
      documents: 0,
      last_ingest_at: null,
      state: 'not_ingested',
    },
  ],
};

export const sourceRemoved: WireObjects['source_removed'] = {
  schema_version: 'source_removed.v1',
  id: 'work',
  root: `${home}/work`,
  file: `${home}/.config/kebab/config.toml`,
  documents: 412,
  vectors_left: 0,
  hint: null,
};

export const tokenReport: WireObjects['token_report'] = {
  schema_version: 'token_report.v1',
  tokens: [
    {
      name: 'ci',
      scopes: ['read', 'ask'],
      principals: ['group:crew'],
      created_at: '2026-01-02T03:04:05.000Z',
      expires_at: '2026-04-02T03:04:05.000Z',
      is_expired: false,
    },
  ],
  token: 'kebab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
};

export const trustReport: WireObjects['trust_report'] = {
  schema_version: 'trust_report.v1',
  entries: [
    {
      path: `${home}/kb/kebab.toml`,
      hash: 'ab'.repeat(32),
      trusted: true,
      plugins: [
        {
          name: 'kebab-plugin-wiki',
          version: '1.2.0',
          kinds: ['source', 'extractor'],
          permissions: { fs: 'input-only', net: ['wiki.example.org', '*.media.example'], spawn: ['pandoc'] },
          reason: null,
        },
        {
          name: './mine.mjs',
          version: null,
          kinds: [],
          permissions: null,
          reason: 'a single file says in its code what it touches, and that has not run',
        },
      ],
    },
    { path: '/srv/kb/kebab.toml', hash: 'cd'.repeat(32), trusted: false, plugins: [] },
  ],
};
