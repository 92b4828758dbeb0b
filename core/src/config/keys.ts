import { SOURCE_TYPES, TRUST_LEVELS } from '../domain/media.ts';
import {
  bool,
  component,
  int,
  number,
  oneOf,
  path,
  paths,
  secret,
  table,
  text,
  texts,
  url,
  type ConfigKey,
  type TablesKey,
} from '../settings/config-key.ts';

const CHUNKER_ID = /^\S*$/;
const OLLAMA = 'http://127.0.0.1:11434';

/** The fields of a `[[workspace.sources]]` table. */
export const SOURCE_FIELDS = {
  id: text('', 'Name of the source.', /^[A-Za-z0-9._-]{1,64}$/),
  root: path('', 'Folder it holds.'),
  connector: component('fs', ['fs'], 'What reads it.'),
  include: texts(null, 'As workspace.include, which it replaces for this source.'),
  exclude: texts(null, 'As workspace.exclude, which it replaces for this source.'),
  trust_level: oneOf(null, TRUST_LEVELS, 'Trust of its documents, unless they say otherwise.'),
  source_type: oneOf(null, SOURCE_TYPES, 'Type of its documents, unless they say otherwise.'),
} as const satisfies Readonly<Record<string, ConfigKey>>;

/** The fields of an entry of `plugins`. */
export const PLUGIN_FIELDS = {
  name: text('', 'Package name, or path.', /\S/),
  config: { kind: 'free_table', doc: 'Settings of the plugin, checked by the plugin.' },
  enabled: bool(true, 'False keeps the plugin listed but switched off.'),
} as const satisfies Readonly<Record<string, ConfigKey>>;

const SOURCES: TablesKey<'sources'> = {
  kind: 'tables',
  of: 'sources',
  fields: SOURCE_FIELDS,
  required: ['id', 'root'],
  shorthand: null,
  doc: 'Further sources: [[workspace.sources]] tables with id, root, connector, include, exclude, trust_level, source_type.',
};

const PLUGINS: TablesKey<'plugins'> = {
  kind: 'tables',
  of: 'plugins',
  fields: PLUGIN_FIELDS,
  required: ['name'],
  shorthand: 'name',
  doc: 'Plugins besides the built-in ones: package names, paths, or { name = "...", config = {...}, enabled = true }.',
};

/**
 * The keys that kebab itself reads, in the order of the file that `init` writes; plugins bring sections of their own. Validation,
 * environment variables, defaults, views, the annotated file, the documentation and the JSON Schema for editors are derived.
 */
export const CORE_KEYS = {
  schema_version: int(1, { min: 1, max: 1 }, 'Version of the format of this file.'),
  plugins: PLUGINS,
  workspace: table('Where documents come from.', {
    root: path('~/KnowledgeBase', 'Folder of the source `default`.'),
    include: texts(['**/*'], 'Files to take: gitignore syntax, relative to the root of the source.'),
    exclude: texts(
      ['.git/**', 'node_modules/**', '.obsidian/**'],
      'Files to leave out, whatever ignore files say: gitignore syntax.',
    ),
    follow_symlinks: bool(true, 'Whether symbolic links are followed.'),
    symlinks_outside: bool(false, 'Whether they are also followed out of the folder of their source.'),
    sources: SOURCES,
  }),
  storage: table('Where kebab keeps what it makes.', {
    data_dir: path('${XDG_DATA_HOME:-~/.local/share}/kebab', 'Folder of the index; {data_dir} in other paths.'),
    sqlite: path('{data_dir}/kebab.sqlite', 'Database.'),
    vector_dir: path('{data_dir}/vectors', 'Vectors of the embedded store.'),
    asset_dir: path('{data_dir}/assets', 'Copies of ingested files.'),
    artifact_dir: path('{data_dir}/artifacts', 'Texts derived from files: OCR, captions, PDF text.'),
    model_dir: path('{data_dir}/models', 'Downloaded models.'),
    runs_dir: path('{data_dir}/runs', 'Reports of evaluation runs.'),
    copy_threshold_mb: int(100, {}, 'Larger files are referred to instead of copied.'),
    cache_ttl_days: int(90, {}, 'Days after which an unused derivation is removed.'),
    vector_store: component('local', ['local', 'qdrant'], 'What holds the vectors.'),
  }),
  indexing: table('Limits of an ingest.', {
    max_parallel_extractors: int(2, { min: 1 }, 'Files extracted at a time.'),
    max_parallel_embeddings: int(1, { min: 1 }, 'Batches embedded at a time.'),
    watch_filesystem: bool(true, 'Whether `kebab mcp` and a service follow changes in the folders while they run.'),
    max_file_mb: int(100, { min: 1 }, 'Larger files are skipped.'),
    extract_timeout_s: int(120, { min: 1 }, 'Seconds one file may take.'),
    extract_memory_mb: int(1024, { min: 16 }, 'Memory one file may take.'),
    secrets: oneOf(
      'allow',
      ['allow', 'redact', 'skip'],
      'What becomes of keys and passwords in documents: indexed, blanked, or their files left out.',
    ),
  }),
  chunking: table('How documents are cut. A change cuts every document again.', {
    target_tokens: int(500, { min: 16 }, 'Size a chunk aims at.'),
    overlap_tokens: int(80, {}, 'Overlap of neighbours in one section; less than target_tokens.'),
    max_chunk_tokens: int(4000, { min: 16 }, 'Size no chunk exceeds; at least target_tokens.'),
    respect_markdown_headings: bool(true, 'Whether a heading starts a new chunk.'),
    chunker_version: component('md-heading-v1', ['md-heading-v1'], 'Chunker of Markdown.'),
    chunker: table(
      "Chunkers by medium, as ids of plugins; empty takes the extractor's, and for Markdown chunker_version.",
      {
        markdown: text('', 'Chunker of Markdown; stands before chunker_version.', CHUNKER_ID),
        text: text('', 'Chunker of plain text.', CHUNKER_ID),
        code: text('', 'Chunker of source code.', CHUNKER_ID),
        pdf: text('', 'Chunker of PDF files.', CHUNKER_ID),
        image: text('', 'Chunker of images.', CHUNKER_ID),
      },
    ),
  }),
  code: table('How source code is taken in.', {
    skip_generated: bool(true, 'Leaves out files that say they are generated.'),
    max_file_bytes: int(262_144, { min: 1 }, 'Larger files are skipped.'),
    max_file_lines: int(5000, { min: 1 }, 'Longer files are skipped.'),
    max_unit_lines: int(200, { min: 1 }, 'A longer function or type is cut.'),
    window_lines: int(80, { min: 2 }, 'Lines of a piece where there is no syntax to follow.'),
    window_overlap_lines: int(20, {}, 'Overlap of such pieces; less than window_lines.'),
  }),
  ocr: table('Text recognition in images.', {
    engine: component('none', ['none', 'tesseract', 'ollama'], 'What reads images.'),
    model: text('', 'Model, where the engine has several.'),
    endpoint: url(OLLAMA, 'Address of the Ollama server.'),
    languages: texts(['eng', 'kor'], 'Languages to expect.'),
    max_pixels: int(2048, { min: 1 }, 'Long edge to which an image is reduced first.'),
    timeout_s: int(180, { min: 1 }, 'Seconds one page may take.'),
  }),
  caption: table('Descriptions of images.', {
    provider: component('none', ['none', 'ollama'], 'What describes images.'),
    model: text('', 'Model that describes images.'),
    endpoint: url(OLLAMA, 'Address of the Ollama server.'),
    max_pixels: int(768, { min: 1 }, 'Long edge to which an image is reduced first.'),
    timeout_s: int(180, { min: 1 }, 'Seconds one image may take.'),
  }),
  models: table('Models.', {
    hub: url('https://huggingface.co', 'Where `kebab models pull` downloads from; nothing else connects to it.'),
    embedding: table('Vector search.', {
      provider: component('transformers', ['transformers', 'ollama', 'none'], 'What makes vectors.'),
      model: text('multilingual-e5-small', 'Model; multilingual-e5-large is better and slower.', /\S/),
      version: text('v1', 'Part of the fingerprint; another value embeds everything again.', /\S/),
      dimensions: int(null, { min: 1 }, "Length of a vector; the model's own when unset, and must agree with it."),
      batch_size: int(4, { min: 1 }, 'Texts embedded at a time.'),
      endpoint: url(OLLAMA, 'Address of the Ollama server.'),
      timeout_s: int(60, { min: 1 }, 'Seconds one request may take.'),
    }),
    llm: table('Answers.', {
      provider: component(
        'ollama',
        ['ollama', 'openai', 'none'],
        'What answers questions; openai: any compatible endpoint.',
      ),
      model: text('qwen2.5:14b-instruct', 'Model that answers questions.', /\S/),
      context_tokens: int(32_768, { min: 1 }, 'Context window asked of the model.'),
      endpoint: url(OLLAMA, 'Address of the server.'),
      api_key: secret('', 'Key sent to an OpenAI-compatible endpoint; none when empty.'),
      temperature: number(0, { max: 2 }, 'Randomness; 0 repeats itself.'),
      seed: int(0, {}, 'Seed of the randomness.'),
      timeout_s: int(300, {}, 'Seconds an answer may take; 0 = no limit.'),
    }),
    rerank: table('Reordering of search results.', {
      provider: component('none', ['none', 'transformers'], 'What reorders.'),
      model: text('', 'Model that reorders.'),
      top_n: int(50, { min: 1 }, 'Results that are reordered.'),
    }),
    nli: table('Verification of multi-hop answers.', {
      provider: component('none', ['none', 'transformers'], 'What verifies.'),
      model: text('Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7', 'Model that verifies.', /\S/),
    }),
  }),
  search: table('Search.', {
    default_k: int(10, { min: 1, max: 100 }, 'Hits of a search.'),
    hybrid_fusion: oneOf(
      'relevance',
      ['relevance', 'rrf'],
      'What the sides of a hybrid search are joined by: what their scores say, or their ranks.',
    ),
    rrf_k: int(60, {}, 'Constant of reciprocal rank fusion, and of the ranks of retrievers that plugins add.'),
    weight_lexical: number(1, {}, 'Weight of the words.'),
    weight_vector: number(1, {}, 'Weight of the vectors.'),
    weight_retrievers: number(1, {}, 'Weight of each retriever that a plugin adds to a hybrid search.'),
    retriever_timeout_s: int(10, { min: 1 }, 'Seconds that such a retriever may take; without it the search goes on.'),
    candidates: int(200, { min: 1 }, 'Results taken from each side of a hybrid search.'),
    min_relevance: number(0.0003, { max: 1 }, 'Hits of a vector or hybrid search below this relevance are left out.'),
    snippet_chars: int(220, { min: 60 }, 'Characters of a snippet.'),
    stale_threshold_days: int(30, {}, 'Days after which a document counts as stale; 0 = never.'),
    refresh: oneOf('auto', ['auto', 'off'], 'Whether a search takes in first what has changed in the folders.'),
    refresh_budget_ms: int(150, {}, 'Milliseconds that this may take; what does not fit is said.'),
    refresh_after_ms: int(2000, {}, 'Milliseconds for which a look at the folders is not repeated.'),
  }),
  rag: table('Questions and answers.', {
    prompt_template_version: oneOf('rag-v2', ['rag-v1', 'rag-v2'], 'Prompt template.'),
    score_gate: number(0.3, { max: 1 }, 'Relevance below which a question is refused.'),
    score_gate_lexical: number(null, { max: 1 }, 'Replaces score_gate in lexical mode.'),
    score_gate_vector: number(null, { max: 1 }, 'Replaces score_gate in vector mode.'),
    score_gate_hybrid: number(null, { max: 1 }, 'Replaces score_gate in hybrid mode.'),
    default_k: int(8, { min: 1, max: 100 }, 'Passages retrieved for a question.'),
    explain_default: bool(false, 'Whether `ask` always behaves as with --explain.'),
    max_context_tokens: int(8000, { min: 1 }, 'Size of a prompt.'),
    history_expand_chars: int(200, {}, 'Characters of the previous answer that join the next search.'),
    multi_hop_max_depth: int(3, { min: 1 }, 'Rounds of a multi-hop question.'),
    multi_hop_max_sub_queries: int(5, { min: 1, max: 10 }, 'Sub-questions of a round.'),
    multi_hop_max_pool_chunks: int(15, { min: 1 }, 'Passages a multi-hop question collects.'),
    nli_threshold: number(0, { max: 1 }, 'Least verification score of a multi-hop answer; 0 = off, 0.5 recommended.'),
  }),
  mcp: table('The MCP server.', {
    default_max_tokens: int(10_000, {}, 'Budget of a response when the caller names none.'),
    ingest_roots: paths('Folders files may be ingested from, besides source roots and the working directory.'),
  }),
  serve: table('The service that keeps models loaded between commands.', {
    mode: oneOf(
      'auto',
      ['auto', 'off'],
      'Whether commands use a service, and start one after a slow search: with a model, or over 5,000 files.',
    ),
    idle_minutes: number(10, { min: 0.01 }, 'Minutes without a question after which it ends.'),
  }),
  plugin_limits: table('Limits of plugins that did not come with kebab; each runs in a process of its own.', {
    load_timeout_s: int(10, { min: 1 }, 'Seconds that loading the module of a plugin may take.'),
    create_timeout_s: int(60, { min: 1 }, 'Seconds for its configuration, and for making each of its contributions.'),
    call_timeout_s: int(
      300,
      { min: 1 },
      'Seconds for a call, or until a stream goes on; extractors and retrievers have their own.',
    ),
    memory_mb: int(
      2048,
      { min: 64 },
      'Memory it may take, buffers and native memory included; extractors have their own.',
    ),
  }),
  logging: table('Log files.', {
    level: oneOf('info', ['debug', 'info', 'warn', 'error'], 'Least level that is logged.'),
    retention_days: int(30, { min: 1 }, 'Days a log file is kept.'),
  }),
} as const;
