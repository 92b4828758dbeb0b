import type {
  CitationCheck,
  ConfigPaths,
  ConfigView,
  Doctor,
  IngestItem,
  IngestReport,
  InitReport,
  PluginList,
  ResetReport,
  SchemaV1,
  TrustReport,
} from '@kebab/core/app';
import { docId, otherId, time } from './searches.ts';

export const home = '/home/ada';

export const initReport: InitReport = {
  schema_version: 'init_report.v1',
  created: [`${home}/.config/kebab/config.toml`, `${home}/.local/share/kebab/`, `${home}/KnowledgeBase/`],
  kept: [],
  opened: `${home}/.local/share/kebab/kebab.sqlite`,
  db_schema_version: 4,
  hint: `edit ${home}/.config/kebab/config.toml then \`kebab ingest\``,
};

export const doctor: Doctor = {
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

const newItem: IngestItem = {
  kind: 'new',
  doc_path: 'a.md',
  source_id: 'default',
  doc_id: docId,
  asset_id: otherId,
  byte_len: 31,
  block_count: 2,
  chunk_count: 1,
  parser_version: 'markdown-v1',
  chunker_version: 'md-heading-v1',
  ocr_pages: null,
  warnings: ['malformed_frontmatter: tags'],
  error: null,
  error_code: null,
};

export const errorItem: IngestItem = {
  ...newItem,
  kind: 'error',
  doc_path: 'papers/b.pdf',
  doc_id: null,
  asset_id: null,
  warnings: [],
  error: 'it is encrypted',
  error_code: 'plugin_failed',
};

export const ingestReport: IngestReport = {
  schema_version: 'ingest_report.v1',
  run_id: 'run_018e5c3a0b7d',
  scope: {
    root: `${home}/KnowledgeBase`,
    include: ['**/*'],
    exclude: [],
    sources: [{ id: 'default', root: `${home}/KnowledgeBase` }],
  },
  scanned: 57,
  new: 1,
  updated: 0,
  unchanged: 30,
  skipped: 25,
  errors: 1,
  purged: 7,
  purge_refused: [{ source_id: 'work', vanished: 6, indexed: 9, reason: 'mass_delete' }],
  embeddings_pending: 3,
  aborted: false,
  duration_ms: 1240,
  degraded: [],
  skipped_gitignore: 20,
  skipped_kebabignore: 0,
  skipped_builtin_blacklist: 2,
  skipped_excluded: 0,
  skipped_generated: 0,
  skipped_size_exceeded: 0,
  skipped_binary: 0,
  skipped_by_extension: { exe: 2, '<no-ext>': 1 },
  skip_examples: {
    gitignore: ['out.log'],
    kebabignore: [],
    builtin_blacklist: [],
    excluded: [],
    generated: [],
    size_exceeded: [],
    binary: [],
  },
  items: [newItem, errorItem],
};

export const moved: CitationCheck = {
  schema_version: 'citation_check.v1',
  uri: 'a.md#L1',
  status: 'moved',
  content_hash: '0f3c9a5d1b7e2468',
  found_uri: 'a.md#L2',
  freshness: 'changed',
};

export const gone: CitationCheck = {
  ...moved,
  uri: 'gone.md#L1',
  status: 'gone',
  content_hash: null,
  found_uri: null,
  freshness: null,
};

export const resetReport: ResetReport = {
  schema_version: 'reset_report.v1',
  scope: 'orphans_only',
  removed_paths: [`${home}/.local/share/kebab/kebab.sqlite`],
  embedding_rows_truncated: 2,
  orphans_purged: 1,
  purged_paths: ['old.md'],
  left_paths: [`${home}/models/llama/`],
};

export const trustReport: TrustReport = {
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

export const pluginList: PluginList = {
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

export const configPaths: ConfigPaths = {
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

export const configView: ConfigView = {
  schema_version: 'config_view.v1',
  entries: [
    { key: 'search.default_k', value: 10, origin: 'default' },
    { key: 'workspace.root', value: `${home}/kb`, origin: 'file', path: `${home}/.config/kebab/config.toml` },
    { key: 'models.embedding.model', value: 'multilingual-e5-small', origin: 'env' },
  ],
};

export const schema: SchemaV1 = {
  schema_version: 'schema.v1',
  kebab_version: '0.1.0',
  wire: { schemas: ['answer.v1', 'citation.v1'] },
  capabilities: {
    json_mode: true,
    ingest_progress: true,
    ingest_cancellation: true,
    incremental_ingest: true,
    single_file_ingest: true,
    bulk_search: true,
    citation_verify: true,
    streaming_ask: false,
    rag_multi_turn: false,
    file_refs: false,
    multi_hop: false,
    nli_verification: false,
    reranker: false,
    mcp_server: true,
    mcp_resources: false,
    plugins: true,
    read_only: true,
    search_cache: true,
    http_daemon: false,
    watch: false,
    audio: false,
  },
  models: {
    parser_version: { markdown: 'markdown-v1', text: 'text-v1' },
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
