import { REPOSITORY_URL, REPOSITORY_URL_DOC } from '../git/repository-source.ts';
import { SOURCE_TYPES, TRUST_LEVELS } from '../domain/kinds.ts';
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
  type FieldOf,
  type Fields,
} from '../schema/field.ts';

const ID_OR_EMPTY = [/^\S*$/, 'a name without spaces'] as const;
const OLLAMA = 'http://127.0.0.1:11434';

/** The fields of a `[[workspace.sources]]` table. */
export const SOURCE_FIELDS = {
  id: {
    ...text(
      '',
      'Name of the source.',
      /^[A-Za-z0-9._-]{1,64}$/,
      '1 to 64 letters, digits, dots, dashes or underscores',
    ),
    required: true,
  },
  root: path('', 'Folder of its documents; required, unless `git` is set.'),
  git: {
    ...text(
      '',
      'URL of a git repository: kebab keeps a clone of its last commit, which `kebab ingest` brings up to date.',
      new RegExp(`^$|${REPOSITORY_URL.source}`, 'u'),
      REPOSITORY_URL_DOC,
    ),
  },
  connector: component('fs', ['fs'], 'What reads it.'),
  include: texts(null, 'Replaces workspace.include for this source.'),
  exclude: texts(null, 'Replaces workspace.exclude for this source.'),
  trust_level: oneOf(null, TRUST_LEVELS, 'Trust level of documents that do not state one.'),
  source_type: oneOf(null, SOURCE_TYPES, 'Type of documents that do not state one.'),
} as const satisfies Fields;

/** An address that need not be set. */
function optionalUrl(doc: string) {
  return text('', doc, /^(?:https?:\/\/\S+)?$/, 'an http or https URL');
}

/** The fields of an `[[access.rules]]` table. */
export const RULE_FIELDS = {
  source: text('', 'Source whose documents it concerns; empty for all.'),
  path: text('**', 'Glob on their paths: * stays within a folder, ** does not.', /\S/),
  readers: {
    ...texts([], 'Who may read them: user:NAME, group:NAME, token:NAME, or everyone; nobody else may.'),
    required: true,
  },
} as const satisfies Fields;

/** The fields of an entry of `plugins`. */
export const PLUGIN_FIELDS = {
  name: { ...text('', 'Package name or path.', /\S/), required: true },
  config: { kind: 'free_table', doc: 'Settings of the plugin, validated by the plugin.' },
  enabled: bool(true, 'False disables the plugin but keeps it listed.'),
} as const satisfies Fields;

const SOURCES = {
  kind: 'tables',
  of: 'sources',
  fields: SOURCE_FIELDS,
  doc: 'Further sources: [[workspace.sources]] tables with id, root or git, connector, include, exclude, trust_level, source_type.',
} as const satisfies FieldOf<'tables'>;

const RULES = {
  kind: 'tables',
  of: 'rules',
  fields: RULE_FIELDS,
  doc: 'Who may read what: [[access.rules]] tables with source, path, readers. The first that fits a document decides; once there is one, what none fits is for administrators.',
} as const satisfies FieldOf<'tables'>;

const PLUGINS = {
  kind: 'tables',
  of: 'plugins',
  fields: PLUGIN_FIELDS,
  shorthand: 'name',
  doc: 'Plugins in addition to the built-in ones: package names, paths, or { name = "...", config = {...}, enabled = true }.',
} as const satisfies FieldOf<'tables'>;

/**
 * The keys of kebab itself, in the order of the file that `init` writes; plugins add their own sections. Validation, environment variables,
 * defaults, views, the annotated file, the documentation and the JSON Schema for editors are derived from this table.
 */
export const CORE_KEYS = {
  schema_version: int(1, { min: 1, max: 1 }, 'Version of the format of this file.'),
  plugins: PLUGINS,
  workspace: table('Where documents come from.', {
    root: path('~/KnowledgeBase', 'Folder of the source `default`.'),
    include: texts(['**/*'], 'Files to index: gitignore syntax, relative to the root of the source.'),
    exclude: texts(
      ['.git/**', 'node_modules/**', '.obsidian/**'],
      'Files to leave out, regardless of ignore files: gitignore syntax.',
    ),
    follow_symlinks: bool(true, 'Whether symbolic links are followed.'),
    symlinks_outside: bool(false, 'Whether links that lead out of their source are followed as well.'),
    sources: SOURCES,
  }),
  storage: table('Where kebab stores its data.', {
    data_dir: path('${XDG_DATA_HOME:-~/.local/share}/kebab', 'Data folder; other paths refer to it as {data_dir}.'),
    sqlite: path('{data_dir}/kebab.sqlite', 'Database.'),
    asset_dir: path('{data_dir}/assets', 'Copies of ingested files.'),
    model_dir: path('{data_dir}/models', 'Downloaded models.'),
    runs_dir: path('{data_dir}/runs', 'Reports of evaluation runs.'),
    copy_threshold_mb: int(100, {}, 'Larger files are referenced instead of copied.'),
    cache_ttl_days: int(90, {}, 'Days after which an unused cache entry is removed.'),
    document_store: component(
      'sqlite',
      ['sqlite', 'postgres'],
      'Where documents and conversations are stored: in the file storage.sqlite, or on a server.',
    ),
    lexical_index: {
      ...text('', 'What indexes words; empty means the index that comes with document_store.', ...ID_OR_EMPTY),
      known: ['sqlite-fts5', 'postgres', 'qdrant'],
    },
    vector_store: component('local', ['local', 'qdrant'], 'Where vectors are stored.'),
  }),
  indexing: table('Limits of an ingest.', {
    max_parallel_extractors: int(2, { min: 1 }, 'Files extracted in parallel.'),
    max_parallel_embeddings: int(1, { min: 1 }, 'Batches embedded in parallel.'),
    watch_filesystem: bool(true, 'Whether `kebab mcp` and the service watch the folders for changes while they run.'),
    max_file_mb: int(100, { min: 1 }, 'Larger files are skipped.'),
    extract_timeout_s: int(120, { min: 1 }, 'Seconds extracting one file may take.'),
    extract_memory_mb: int(1024, { min: 16 }, 'Memory extracting one file may take, in MiB.'),
    secrets: oneOf(
      'allow',
      ['allow', 'redact', 'skip'],
      'Keys and passwords in documents: index them, blank them, or skip their files.',
    ),
  }),
  chunking: table('How documents are cut into chunks. A change re-chunks every document.', {
    target_tokens: int(500, { min: 16 }, 'Target size of a chunk.'),
    overlap_tokens: int(80, {}, 'Overlap of adjacent chunks of a section; less than target_tokens.'),
    max_chunk_tokens: int(4000, { min: 16 }, 'Maximum size of a chunk; at least target_tokens.'),
    respect_markdown_headings: bool(true, 'Whether a heading starts a new chunk.'),
    chunker_version: component('md-heading-v1', ['md-heading-v1'], 'Chunker of Markdown.'),
    chunker: table(
      "Chunkers by medium, as plugin ids; empty means the extractor's choice, and for Markdown chunker_version.",
      {
        markdown: text('', 'Chunker of Markdown; overrides chunker_version.', ...ID_OR_EMPTY),
        text: text('', 'Chunker of plain text.', ...ID_OR_EMPTY),
        code: text('', 'Chunker of source code.', ...ID_OR_EMPTY),
        pdf: text('', 'Chunker of PDF files.', ...ID_OR_EMPTY),
        image: text('', 'Chunker of images.', ...ID_OR_EMPTY),
      },
    ),
  }),
  code: table('How source code is indexed.', {
    skip_generated: bool(true, 'Whether only the beginning of files marked as generated is indexed.'),
    max_file_bytes: int(null, { min: 1 }, 'Larger files are skipped; without it, indexing.max_file_mb limits them.'),
    max_file_lines: int(null, { min: 1 }, 'Longer files are skipped; no limit by default.'),
    max_unit_lines: int(200, { min: 1 }, 'A longer function or type is split.'),
    window_lines: int(80, { min: 2 }, 'Lines of a piece of code that is not split by syntax.'),
    window_overlap_lines: int(20, {}, 'Overlap of such pieces; less than window_lines.'),
  }),
  ocr: table('Text recognition in images.', {
    engine: component('none', ['none', 'tesseract', 'ollama'], 'What recognises text.'),
    model: text('', 'Model, if the engine has several.'),
    endpoint: url(OLLAMA, 'Address of the Ollama server.'),
    languages: texts(['eng', 'kor'], 'Languages of the texts.'),
    max_pixels: int(2048, { min: 1 }, 'Images are first reduced to this length of the longer edge.'),
    timeout_s: int(180, { min: 1 }, 'Seconds one page may take.'),
  }),
  caption: table('Descriptions of images.', {
    provider: component('none', ['none', 'ollama'], 'What describes images.'),
    model: text('', 'Model that describes images.'),
    endpoint: url(OLLAMA, 'Address of the Ollama server.'),
    max_pixels: int(768, { min: 1 }, 'Images are first reduced to this length of the longer edge.'),
    timeout_s: int(180, { min: 1 }, 'Seconds one image may take.'),
  }),
  models: table('Models.', {
    hub: url(
      'https://huggingface.co',
      'Where `kebab models pull` downloads models from; no other command connects to it.',
    ),
    embedding: table('Vector search.', {
      provider: component('transformers', ['transformers', 'ollama', 'none'], 'What makes vectors.'),
      model: text('multilingual-e5-small', 'Embedding model; multilingual-e5-large is better and slower.', /\S/),
      version: text('v1', 'Part of the fingerprint; a new value re-embeds everything.', /\S/),
      dimensions: int(null, { min: 1 }, "Length of a vector; must match the model's, which is the default."),
      batch_size: int(4, { min: 1 }, 'Texts per batch.'),
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
      context_tokens: int(32_768, { min: 1 }, 'Context window requested from the model.'),
      endpoint: url(OLLAMA, 'Address of the server.'),
      api_key: {
        ...secret('', 'Key of the server, sent as a bearer token; empty sends none.'),
        pattern: /^\s*[!-~]*\s*$/,
        patternDoc: 'a key without spaces, as it stands after "Bearer"',
      },
      temperature: number(0, { max: 2 }, 'Sampling temperature; 0 is the most repeatable.'),
      seed: int(0, {}, 'Seed of the sampling.'),
      timeout_s: int(300, {}, 'Seconds an answer may take; 0 = no limit.'),
    }),
    rerank: table('Reranking of search results.', {
      provider: component('none', ['none', 'transformers'], 'What reranks.'),
      model: text('', 'Model that reranks.'),
      top_n: int(50, { min: 1 }, 'How many of the first results are reranked.'),
    }),
    nli: table('Verification of multi-hop answers.', {
      provider: component('none', ['none', 'transformers'], 'What verifies.'),
      model: text('Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7', 'Model that verifies.', /\S/),
    }),
  }),
  search: table('Search.', {
    default_k: int(10, { min: 1, max: 100 }, 'Hits per search.'),
    hybrid_fusion: oneOf(
      'relevance',
      ['relevance', 'rrf'],
      'How the sides of a hybrid search are fused: by what their scores say, or by rank.',
    ),
    rrf_k: int(60, {}, 'Constant of reciprocal rank fusion, also used for retrievers that plugins add.'),
    weight_lexical: number(1, {}, 'Weight of the lexical ranking.'),
    weight_vector: number(1, {}, 'Weight of the vector ranking.'),
    weight_retrievers: number(1, {}, 'Weight of each retriever that a plugin adds to a hybrid search.'),
    retriever_timeout_s: int(
      10,
      { min: 1 },
      'Seconds such a retriever may take; then the search continues without it.',
    ),
    candidates: int(200, { min: 1 }, 'Results taken from each side of a hybrid search.'),
    min_relevance: number(0.0003, { max: 1 }, 'Hits of a vector or hybrid search below this relevance are left out.'),
    snippet_chars: int(220, { min: 60 }, 'Maximum length of a snippet in characters.'),
    stale_threshold_days: int(30, {}, 'Days after which a document counts as stale; 0 = never.'),
    refresh: oneOf('auto', ['auto', 'off'], 'Whether a search first indexes files that have changed.'),
    refresh_budget_ms: int(150, {}, 'Milliseconds this may take; a notice reports what was left.'),
    refresh_after_ms: int(2000, {}, 'Milliseconds before the folders are checked again.'),
  }),
  rag: table('Questions and answers.', {
    prompt_template_version: oneOf(
      'rag-v3',
      ['rag-v1', 'rag-v2', 'rag-v3'],
      'Prompt template; rag-v3 is made for small models and works with large ones.',
    ),
    answer_format: oneOf(
      'json',
      ['json', 'text'],
      'What rag-v3 asks the model for: sentences with passage numbers as JSON, where its server can hold it to that, or plain text.',
    ),
    score_gate: number(0.3, { max: 1 }, 'Relevance below which a question is refused.'),
    score_gate_lexical: number(null, { max: 1 }, 'Replaces score_gate in lexical mode.'),
    score_gate_vector: number(null, { max: 1 }, 'Replaces score_gate in vector mode.'),
    score_gate_hybrid: number(null, { max: 1 }, 'Replaces score_gate in hybrid mode.'),
    default_k: int(8, { min: 1, max: 100 }, 'Passages retrieved per question.'),
    explain_default: bool(false, 'Whether `ask` always explains, as with --explain.'),
    max_context_tokens: int(8000, { min: 1 }, 'Maximum size of a prompt.'),
    max_answer_tokens: int(
      2048,
      { min: 1 },
      'Maximum length of an answer, the reasoning of the model included; at most a quarter of models.llm.context_tokens.',
    ),
    history_expand_chars: int(200, {}, 'Characters of the previous answer that are added to the next search.'),
    answer_checker: component(
      'claims',
      ['claims', 'none'],
      'What checks answers against their passages; none: no answer is grounded.',
    ),
    multi_hop_max_depth: int(3, { min: 1 }, 'Maximum rounds of a multi-hop question.'),
    multi_hop_max_sub_queries: int(5, { min: 1, max: 10 }, 'Maximum sub-questions per round.'),
    multi_hop_max_pool_chunks: int(15, { min: 1 }, 'Maximum passages of a multi-hop question.'),
    nli_threshold: number(0, { max: 1 }, 'Minimum verification score of a multi-hop answer; 0 = off, 0.5 recommended.'),
  }),
  mcp: table('The MCP server.', {
    default_max_tokens: int(10_000, { min: 1 }, 'Token budget of a response, unless the caller sets one.'),
    ingest_roots: paths('Folders that files may be ingested from, besides sources and the working directory.'),
  }),
  access: table('Clients of `kebab mcp --port 8765` and `kebab ui` that send a token.', {
    rules: RULES,
    issuer: optionalUrl(
      'OpenID Connect issuer of access tokens that are accepted beside those of `kebab token create`.',
    ),
    audience: text('', 'Audience of these access tokens; required with issuer, unless that only logs browsers in.'),
    client_id: text('', 'Client that is registered with issuer: browsers then log in to `kebab ui` there.'),
    client_secret: secret('', 'Secret of this client; empty for a public client.'),
    login_scopes: texts(['profile'], 'Scopes that a login requests beside openid, so that issuer names groups.'),
    groups_claim: text('groups', 'Claim of an access token with the groups of its user.', /\S/),
    scopes: {
      ...texts(['read', 'ask'], 'Scopes of an access token whose claim scope names none, as in kebab:read.'),
      values: ['read', 'ask', 'ingest', 'admin'],
    },
    requests_per_minute: int(600, {}, 'Requests with one token; 0 = no limit.'),
    public_url: optionalUrl('Address at which a proxy or balancer receives the requests of other machines.'),
    listen: text(
      '127.0.0.1',
      'Address to listen on; any but 127.0.0.1 requires tokens and public_url.',
      /^[\w.:]+$/,
      'an address of this machine, as 0.0.0.0',
    ),
    audit: bool(false, 'Whether every request with a token is recorded, with the ids of what it was shown.'),
  }),
  serve: table('The service that keeps models loaded between commands.', {
    mode: oneOf(
      'auto',
      ['auto', 'off'],
      'Whether commands use a service, and start one after loading a model or checking 5,000 files.',
    ),
    idle_minutes: number(10, { min: 0.01 }, 'Minutes without a request after which it stops.'),
  }),
  plugin_limits: table('Limits of third-party plugins; each runs in a process of its own.', {
    load_timeout_s: int(10, { min: 1 }, 'Seconds loading the module of a plugin may take.'),
    create_timeout_s: int(
      60,
      { min: 1 },
      'Seconds validating its configuration, or creating one contribution, may take.',
    ),
    call_timeout_s: int(
      300,
      { min: 1 },
      'Seconds for a call, or between two parts of a stream; extractors and retrievers have their own limits.',
    ),
    memory_mb: int(
      2048,
      { min: 64 },
      'Memory in MiB, buffers and native memory included; extractors have their own limit.',
    ),
  }),
  logging: table('Log files.', {
    level: oneOf('info', ['debug', 'info', 'warn', 'error'], 'Minimum level that is logged.'),
    retention_days: int(30, { min: 1 }, 'Days a log file is kept.'),
  }),
} as const;
