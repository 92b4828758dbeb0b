import {
  ASK,
  COMMITS,
  FETCH,
  FILTERS,
  INGEST,
  INGEST_STDIN,
  RELATED,
  SEARCH,
  SYMBOL,
  VERIFY_CITATION,
  flagsOf,
} from '@kebab/core/app';
import type { ArgumentSpec, CommandSpec, FlagSpec } from '../command/command-spec.ts';
import { DEFAULT_SUITE, PDF_PASSWORD } from '../command/command-values.ts';

const DOCUMENT: ArgumentSpec = {
  name: 'DOC',
  completes: 'path',
  required: true,
  summary: 'a path as kebab prints it, or a document id or its first digits',
};
const CHUNK_ID: ArgumentSpec = {
  name: 'ID',
  completes: 'chunk_id',
  required: true,
  summary: 'a chunk id, or its first digits',
};
const CITED_PLACE: ArgumentSpec = {
  name: 'URI|CHUNK_ID',
  completes: 'place',
  required: true,
  summary: 'a citation URI or a path, or a chunk id or its first digits',
};
const NO_PAGER: FlagSpec = { name: 'no-pager', kind: 'boolean', summary: 'do not use $PAGER' };
const NO_REFRESH: FlagSpec = { name: 'no-refresh', kind: 'boolean', summary: 'do not check for changed files first' };
const SESSION: ArgumentSpec = {
  name: 'NAME',
  completes: 'session',
  required: true,
  summary: 'the name given with ask --session',
};

const CONFIG_KEY: ArgumentSpec = {
  name: 'KEY',
  completes: 'config_key',
  required: true,
  summary: 'the name of a setting, as `kebab config show` prints it',
};
/** The agents that `kebab mcp install` configures: written down here too, so that help and completion do not load their table. */
const AGENTS =
  `amazon-q claude-code claude-desktop cline codex continue copilot-cli cursor gemini goose junie kiro opencode qwen roo vscode windsurf zed`.split(
    ' ',
  );
const SCOPE: FlagSpec = {
  name: 'scope',
  kind: 'string',
  value: 'WHERE',
  choices: ['project', 'user'],
  summary: 'the file of this project, or of the user, where an agent has both',
};
const AGENT = {
  name: 'CLIENT',
  required: false,
  completes: AGENTS,
  summary: 'the agent; without it, list the known agents',
};
const USER: FlagSpec = { name: 'user', kind: 'boolean', summary: 'use your own configuration, even within a project' };

const YES: FlagSpec = { name: 'yes', kind: 'boolean', summary: 'do not ask for confirmation' };
const PLUGIN_INSTALL_FLAGS: readonly FlagSpec[] = [
  YES,
  { name: 'allow-scripts', kind: 'boolean', summary: 'run the install scripts of packages; they can do anything' },
];

/** The kinds of contribution that `plugin new` generates; a test compares them with those of the generator, which is only loaded on use. */
const KINDS = [
  'extractor',
  'chunker',
  'embedder',
  'retriever',
  'reranker',
  'vector_store',
  'llm',
  'ocr',
  'captioner',
  'source',
  'groundedness',
  'interceptor',
  'hook',
];

/** Every command of kebab, in the order of `kebab --help`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'try',
    summary: 'search a folder once, without configuration; nothing is stored',
    args: [
      { name: 'FOLDER', completes: 'folder', required: true, summary: 'the folder to read' },
      { name: 'QUESTION', required: true, rest: true, summary: 'what to look for' },
    ],
    flags: [...flagsOf(SEARCH, ['k', 'mode', 'explain']), PDF_PASSWORD],
    output: ['search_response.v1'],
    load: async () => (await import('../commands/try.ts')).tryFolder,
  },
  {
    name: 'init',
    summary: 'create a knowledge base, for a project or your own',
    flags: [
      { name: 'project', kind: 'boolean', summary: 'create one for the working directory, in .kebab/' },
      { name: 'user', kind: 'boolean', summary: 'create your own, even within a project' },
      { name: 'force', kind: 'boolean', summary: 'overwrite the configuration file; the old one is kept as .bak' },
    ],
    output: ['init_report.v1'],
    load: async () => (await import('../commands/sources.ts')).init,
  },
  {
    name: 'add',
    summary: 'add a folder, or a git repository or bucket by URL, as a source',
    args: [
      {
        name: 'PATH',
        completes: 'folder',
        required: true,
        summary: 'the folder, s3://BUCKET/PREFIX, or a URL of git: its last commit is cloned into a folder of kebab',
      },
    ],
    flags: [
      {
        name: 'name',
        kind: 'string',
        value: 'NAME',
        summary: 'name of the source (default: that of the folder or repository)',
      },
      { name: 'user', kind: 'boolean', summary: 'in your own knowledge base, even within a project' },
    ],
    output: ['source_added.v1'],
    load: async () => (await import('../commands/sources.ts')).add,
  },
  {
    name: 'remove',
    removes: true,
    summary: 'remove a source from the index; your files stay',
    args: [{ name: 'NAME', completes: 'own_source', required: true, summary: 'a name from `kebab list sources`' }],
    flags: [
      { name: 'user', kind: 'boolean', summary: 'from your own knowledge base, even within a project' },
      { name: 'yes', kind: 'boolean', summary: 'do not ask for confirmation' },
    ],
    output: ['source_removed.v1'],
    load: async () => (await import('../commands/sources.ts')).remove,
  },
  {
    name: 'ingest',
    summary: 'update the index to match the sources',
    flags: [
      ...flagsOf(INGEST),
      { name: 'no-update', kind: 'boolean', summary: 'do not fetch what has changed in cloned repositories' },
      PDF_PASSWORD,
    ],
    strayHint: 'add a folder with `kebab add FOLDER`, one file with `kebab ingest-file PATH`',
    output: ['ingest_progress.v1', 'ingest_report.v1'],
    load: async () => (await import('../commands/ingest.ts')).ingest,
  },
  {
    name: 'ingest-file',
    summary: 'add one file from outside the sources',
    args: [{ name: 'PATH', completes: 'file', required: true, summary: 'the file' }],
    flags: [PDF_PASSWORD],
    output: ['ingest_report.v1'],
    load: async () => (await import('../commands/ingest.ts')).ingestFile,
  },
  {
    name: 'ingest-stdin',
    summary: 'add Markdown from standard input',
    flags: flagsOf(INGEST_STDIN, ['title', 'source_uri']),
    output: ['ingest_report.v1'],
    load: async () => (await import('../commands/ingest.ts')).ingestStdin,
  },
  {
    name: 'rm',
    removes: true,
    summary: 'remove a document that ingest-file or ingest-stdin added',
    args: [{ name: 'PATH', completes: 'added_path', required: true, summary: 'a path, citation URI or document id' }],
    output: ['document_removed.v1'],
    load: async () => (await import('../commands/reset.ts')).rm,
  },
  {
    name: 'search',
    summary: 'find passages',
    args: [
      {
        name: 'QUERY',
        required: false,
        rest: true,
        summary: 'words; "a phrase" must occur, -word must not, +word always',
      },
    ],
    flags: [
      ...flagsOf(SEARCH),
      ...flagsOf(COMMITS, ['commits']),
      {
        name: 'files',
        short: 'l',
        kind: 'boolean',
        summary: 'print the files of the documents found, each once, for xargs',
      },
      { name: 'vimgrep', kind: 'boolean', summary: 'print path:line:column:text of each line that matches' },
      {
        name: 'format',
        kind: 'string',
        value: 'T',
        summary:
          'print each hit with a template, such as "{path}:{line} {score}"; fields: rank score path source uri line end page section text title file hash date chunk_id doc_id',
      },
      {
        name: 'export',
        kind: 'string',
        value: 'FORM',
        offers: ['csv', 'bibtex', 'md'],
        summary: 'print the hits for a spreadsheet (csv), a bibliography (bibtex) or notes (md)',
      },
      {
        name: 'context',
        short: 'C',
        kind: 'integer',
        min: 0,
        max: 1000,
        value: 'N',
        summary: 'on a terminal: every line that matches, with N lines before and after',
      },
      {
        name: 'hyperlink-format',
        kind: 'string',
        value: 'F',
        offers: ['auto', 'none', 'file', 'vscode'],
        summary:
          'links for paths on a terminal: auto (from $EDITOR), none, file, vscode or others, or a template with {path}',
      },
      NO_PAGER,
      { name: 'no-cache', kind: 'boolean', summary: 'do not reuse results cached in this process' },
      NO_REFRESH,
      {
        name: 'bulk',
        kind: 'boolean',
        summary: 'read up to 100 queries from standard input, one per line: a JSON object or a JSON string',
      },
      { name: 'pick', kind: 'boolean', summary: 'choose a hit on the terminal: Enter opens it, y copies its citation' },
      { name: 'save', kind: 'string', value: 'NAME', summary: 'save the query and its flags: kebab search @NAME' },
    ],
    output: ['search_response.v1', 'bulk_search_item.v1', 'commit_result.v1'],
    load: async () => (await import('../commands/search.ts')).search,
  },
  {
    name: 'history',
    summary: 'list the last searches and the saved ones, or remove them',
    flags: [
      { name: 'limit', kind: 'integer', min: 1, max: 100, value: 'N', summary: 'how many of the last searches (20)' },
      { name: 'clear', kind: 'boolean', summary: 'forget the last searches; saved ones stay' },
      { name: 'forget', kind: 'string', value: 'NAME', summary: 'remove a saved search' },
    ],
    output: ['search_history.v1'],
    load: async () => (await import('../commands/history.ts')).history,
  },
  {
    name: 'grep',
    summary: 'print the lines of all files that match a pattern',
    args: [{ name: 'PATTERN', required: true, rest: true, summary: 'a regular expression in the syntax of ripgrep' }],
    flags: [
      { name: 'ignore-case', short: 'i', kind: 'boolean', summary: 'match capitals and small letters alike' },
      { name: 'word', short: 'w', kind: 'boolean', summary: 'match whole words only' },
      { name: 'fixed', short: 'F', kind: 'boolean', summary: 'take PATTERN as text' },
      { name: 'files', short: 'l', kind: 'boolean', summary: 'print the names of the files only' },
      { name: 'count', short: 'c', kind: 'boolean', summary: 'print how many lines of each file match' },
      { name: 'context', short: 'C', kind: 'integer', min: 0, value: 'N', summary: 'also N lines before and after' },
      { name: 'before', short: 'B', kind: 'integer', min: 0, value: 'N', summary: 'also N lines before' },
      { name: 'after', short: 'A', kind: 'integer', min: 0, value: 'N', summary: 'also N lines after' },
      {
        name: 'glob',
        short: 'g',
        kind: 'string',
        repeats: true,
        value: 'GLOB',
        summary: 'only files that match, or none with a leading !',
      },
      { name: 'source', kind: 'string', repeats: true, value: 'ID', summary: 'only files of this source' },
      { name: 'hidden', kind: 'boolean', summary: 'also hidden files' },
      { name: 'no-ignore', kind: 'boolean', summary: 'also files that .gitignore names' },
    ],
    load: async () => (await import('../commands/grep.ts')).grep,
  },
  {
    name: 'ask',
    summary: 'answer a question from the documents, with citations, or refuse',
    args: [
      { name: 'QUESTION', required: true, rest: true, summary: 'the question; @path adds a file to the evidence' },
    ],
    flags: [
      ...flagsOf(ASK),
      NO_REFRESH,
      { name: 'stream', kind: 'boolean', summary: 'print answer_event.v1, one JSON object per line' },
    ],
    output: ['answer.v1', 'answer_event.v1'],
    load: async () => (await import('../commands/ask.ts')).ask,
  },
  {
    name: 'sessions list',
    summary: 'list conversations, the most recent first',
    output: ['session_summary.v1'],
    load: async () => (await import('../commands/sessions.ts')).sessionsList,
  },
  {
    name: 'sessions show',
    summary: 'show a conversation',
    args: [SESSION],
    output: ['session_turns.v1'],
    load: async () => (await import('../commands/sessions.ts')).sessionsShow,
  },
  {
    name: 'sessions delete',
    removes: true,
    summary: 'delete a conversation',
    args: [SESSION],
    output: ['session_summary.v1'],
    load: async () => (await import('../commands/sessions.ts')).sessionsDelete,
  },
  {
    name: 'get',
    group: 'fetch',
    summary: 'read documents, or lines of them, by path or glob',
    args: [
      {
        name: 'PATH',
        completes: 'path',
        required: true,
        repeats: true,
        summary: 'a path or citation URI, optionally with lines (a.md:12-20); a quoted glob; an id or its first digits',
      },
    ],
    flags: [
      { name: 'blame', kind: 'boolean', summary: 'print each line with its last commit, author and date, from git' },
      ...flagsOf(FETCH, ['max_tokens']),
      ...flagsOf(VERIFY_CITATION, ['source']),
      NO_PAGER,
    ],
    output: ['fetch_result.v1', 'blame.v1'],
    load: async () => (await import('../commands/fetch.ts')).get,
  },
  {
    name: 'fetch chunk',
    summary: 'read a chunk',
    args: [CHUNK_ID],
    flags: flagsOf(FETCH, ['context']),
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).fetchChunk,
  },
  {
    name: 'fetch doc',
    summary: 'read a document',
    args: [DOCUMENT],
    flags: flagsOf(FETCH, ['max_tokens']),
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).fetchDoc,
  },
  {
    name: 'fetch span',
    summary: 'read lines of a document',
    args: [
      DOCUMENT,
      { name: 'START', required: true, summary: 'the first line, from 1' },
      { name: 'END', required: true, summary: 'the last line' },
    ],
    flags: flagsOf(FETCH, ['max_tokens']),
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).fetchSpan,
  },
  {
    name: 'fetch uri',
    summary: 'read what a citation URI points to',
    args: [
      {
        name: 'URI',
        completes: 'path',
        required: true,
        summary: 'as printed with a hit: notes/a.md#L10-L12; or a path',
      },
    ],
    flags: [...flagsOf(FETCH, ['max_tokens']), ...flagsOf(VERIFY_CITATION, ['source'])],
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).fetchUri,
  },
  {
    name: 'symbol',
    summary: 'find where code declares or uses a name',
    args: [{ name: 'NAME', required: true, summary: SYMBOL.name.doc }],
    flags: [
      { name: 'references', kind: 'boolean', summary: 'every line of code with the name, by the unit around it' },
      ...flagsOf(SYMBOL, ['path_glob', 'limit', 'cursor']),
      NO_PAGER,
    ],
    output: ['symbol_result.v1'],
    load: async () => (await import('../commands/symbol.ts')).symbol,
  },
  {
    name: 'outline',
    summary: 'list the units or headings of a file or folder, with their lines',
    args: [{ name: 'PATH', completes: 'path', required: true, summary: 'a file, a folder, or a quoted glob' }],
    flags: [...flagsOf(VERIFY_CITATION, ['source']), NO_PAGER],
    output: ['outline.v1'],
    load: async () => (await import('../commands/symbol.ts')).outline,
  },
  {
    name: 'open',
    summary: 'show the file and line of a citation, or open it',
    args: [CITED_PLACE],
    flags: [
      {
        name: 'launch',
        kind: 'boolean',
        summary: 'open it: text in $VISUAL or $EDITOR, anything else with the default program',
      },
      ...flagsOf(VERIFY_CITATION, ['source']),
    ],
    output: ['open.v1'],
    load: async () => (await import('../commands/snap.ts')).open,
  },
  {
    name: 'snap',
    summary: 'draw the page or image of a citation as PNG; a chunk is framed',
    args: [CITED_PLACE],
    flags: [
      {
        name: 'output',
        short: 'o',
        kind: 'string',
        value: 'FILE',
        summary: 'the PNG file (<document>-p<page>.png or <image>-snap.png in the current folder)',
      },
      { name: 'max-pixels', kind: 'integer', min: 1, max: 10_000, value: 'N', summary: 'longer edge (1600)' },
      { name: 'query', kind: 'string', value: 'WORDS', summary: 'highlight these words' },
      { name: 'force', kind: 'boolean', summary: 'overwrite the file' },
      ...flagsOf(VERIFY_CITATION, ['source']),
      PDF_PASSWORD,
    ],
    output: ['snap.v1'],
    load: async () => (await import('../commands/snap.ts')).snap,
  },
  {
    name: 'related',
    summary: 'list what is linked with a document, near it, or a copy of it',
    args: [CITED_PLACE],
    flags: [...flagsOf(RELATED, ['source', 'limit']), NO_REFRESH],
    output: ['related.v1'],
    load: async () => (await import('../commands/related.ts')).related,
  },
  {
    name: 'cite verify',
    summary: 'check that a citation still matches its source',
    args: [
      {
        name: 'URI',
        completes: 'path',
        required: true,
        summary: 'a citation URI, or - to read URIs, one a line, or the output of `search --json`',
      },
    ],
    flags: flagsOf(VERIFY_CITATION, ['content_hash', 'source']),
    output: ['citation_check.v1'],
    load: async () => (await import('../commands/cite.ts')).citeVerify,
  },
  {
    name: 'list sources',
    summary: 'list sources: their folders, documents and state',
    output: ['source_list.v1'],
    load: async () => (await import('../commands/sources.ts')).listSources,
  },
  {
    name: 'list docs',
    summary: 'list documents by source and path: id, kind, passages, path, title',
    args: [
      {
        name: 'PATH',
        completes: 'path',
        required: false,
        repeats: true,
        summary: 'list only these: a path, a folder, or a quoted glob',
      },
    ],
    flags: [
      ...flagsOf(FILTERS),
      { name: 'skipped', kind: 'boolean', summary: 'list the files that an ingest leaves out instead, and why' },
    ],
    output: ['doc_summary.v1', 'skipped_file.v1'],
    load: async () => (await import('../commands/list.ts')).listDocs,
  },
  {
    name: 'inspect doc',
    summary: 'show all details of a document',
    args: [DOCUMENT],
    flags: [
      { name: 'pages', kind: 'boolean', summary: 'show its pages instead: size, whether OCR was used, first words' },
    ],
    output: ['doc_inspection.v1'],
    load: async () => (await import('../commands/inspect.ts')).inspectDoc,
  },
  {
    name: 'inspect chunk',
    summary: 'show all details of a chunk',
    args: [CHUNK_ID],
    output: ['chunk_inspection.v1'],
    load: async () => (await import('../commands/inspect.ts')).inspectChunk,
  },
  {
    name: 'status',
    summary: 'show sources, models, what has changed, and what to do next',
    output: ['status.v1'],
    load: async () => (await import('../commands/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'check that everything works',
    flags: [{ name: 'deep', kind: 'boolean', summary: 'also read every text in the database' }],
    output: ['doctor.v1'],
    load: async () => (await import('../commands/status.ts')).doctor,
  },
  {
    name: 'repair',
    summary: 'rebuild a damaged database from the files',
    flags: [{ name: 'dry-run', kind: 'boolean', summary: 'only show what is damaged' }],
    output: ['repair_report.v1'],
    load: async () => (await import('../commands/reset.ts')).repair,
  },
  {
    name: 'serve',
    summary: 'run the service that keeps models loaded',
    flags: [
      { name: 'status', kind: 'boolean', summary: 'show the running service' },
      { name: 'stop', kind: 'boolean', summary: 'stop the running service' },
    ],
    output: ['service_status.v1'],
    load: async () => (await import('../commands/serve.ts')).serve,
  },
  {
    name: 'schema',
    summary: 'show versions, capabilities and counts',
    output: ['schema.v1'],
    load: async () => (await import('../commands/schema.ts')).schema,
  },
  {
    name: 'eval run',
    summary: 'run a golden suite and measure its results',
    flags: [
      {
        name: 'suite',
        kind: 'string',
        value: 'PATH',
        summary: `the golden suite (KEBAB_EVAL_GOLDEN, else ${DEFAULT_SUITE})`,
      },
      ...flagsOf(ASK, ['mode']),
      { name: 'k', short: 'k', kind: 'integer', min: 1, max: 100, value: 'N', summary: 'hits judged, 1 to 100 (10)' },
      { name: 'with-rag', kind: 'boolean', summary: 'also ask each query and judge its answer' },
      ...flagsOf(ASK, ['temperature', 'seed']),
    ],
    output: ['eval_run.v1'],
    load: async () => (await import('../commands/eval.ts')).evalRun,
  },
  {
    name: 'eval aggregate',
    summary: 'recompute the metrics of a run from its results',
    args: [{ name: 'RUN', required: true, summary: 'the id of a run' }],
    output: ['eval_aggregate.v1'],
    load: async () => (await import('../commands/eval.ts')).evalAggregate,
  },
  {
    name: 'eval compare',
    summary: 'compare two runs, metric by metric and query by query',
    args: [
      { name: 'A', required: true, summary: 'the id of a run' },
      { name: 'B', required: true, summary: 'the id of the run to compare it with' },
    ],
    flags: [
      { name: 'strict-chunker-version', kind: 'boolean', summary: 'fail if the runs used different chunkers' },
      { name: 'write-report', kind: 'boolean', summary: 'write report.md into the folder of the second run' },
    ],
    output: ['eval_compare.v1'],
    load: async () => (await import('../commands/eval.ts')).evalCompare,
  },
  {
    name: 'reset',
    removes: true,
    summary: 'remove what kebab made, never your own files',
    flags: [
      { name: 'all', kind: 'boolean', summary: 'data, configuration, cache, logs and models' },
      { name: 'data-only', kind: 'boolean', summary: 'database, vectors, assets, runs (default)' },
      { name: 'vector-only', kind: 'boolean', summary: 'vectors; documents stay' },
      { name: 'config-only', kind: 'boolean', summary: 'the configuration file and the list of trusted files' },
      { name: 'orphans-only', kind: 'boolean', summary: 'documents whose file is gone or now ignored' },
      { name: 'user', kind: 'boolean', summary: 'your own knowledge base, even within a project' },
      { name: 'yes', kind: 'boolean', summary: 'do not ask for confirmation' },
    ],
    output: ['reset_report.v1'],
    load: async () => (await import('../commands/reset.ts')).reset,
  },
  {
    name: 'config show',
    summary: 'show every setting and where it comes from',
    output: ['config_view.v1'],
    load: async () => (await import('../commands/config.ts')).configShow,
  },
  {
    name: 'config get',
    summary: 'show one setting',
    args: [CONFIG_KEY],
    flags: [USER],
    output: ['config_entry.v1'],
    load: async () => (await import('../commands/config.ts')).configGet,
  },
  {
    name: 'config set',
    summary: 'change one setting, in the project’s file or yours',
    args: [
      CONFIG_KEY,
      {
        name: 'VALUE',
        acceptsEmpty: true,
        completes: 'config_value',
        required: true,
        repeats: true,
        summary: 'the value; for a list, several values, JSON or commas',
      },
    ],
    flags: [USER],
    output: ['config_entry.v1'],
    load: async () => (await import('../commands/config.ts')).configSet,
  },
  {
    name: 'config unset',
    removes: true,
    summary: 'remove one setting from the file',
    args: [CONFIG_KEY],
    flags: [USER],
    output: ['config_entry.v1'],
    load: async () => (await import('../commands/config.ts')).configUnset,
  },
  {
    name: 'config path',
    summary: 'show which files and folders are in use',
    output: ['config_paths.v1'],
    load: async () => (await import('../commands/config.ts')).configPath,
  },
  {
    name: 'models list',
    summary: 'list models, and show which are present and configured',
    output: ['model_list.v1'],
    load: async () => (await import('../commands/models.ts')).modelsList,
  },
  {
    name: 'models pull',
    summary: 'download a model, or all configured models',
    args: [{ name: 'MODEL', completes: 'model', required: false, summary: 'a name from `kebab models list`' }],
    output: ['model_pull.v1'],
    load: async () => (await import('../commands/models.ts')).modelsPull,
  },
  {
    name: 'vectors copy',
    summary: 'copy all vectors to another vector store, without embedding again',
    flags: [
      {
        name: 'from',
        kind: 'string',
        value: 'STORE',
        offers: ['local', 'qdrant'],
        summary: 'the store to read: local, qdrant or a plugin (required)',
      },
      {
        name: 'to',
        kind: 'string',
        value: 'STORE',
        offers: ['local', 'qdrant'],
        summary: 'the store to write (required)',
      },
    ],
    output: ['vectors_copied.v1'],
    load: async () => (await import('../commands/models.ts')).vectorsCopy,
  },
  {
    name: 'move',
    summary: 'copy the knowledge base to another store, unchanged',
    flags: [
      {
        name: 'to',
        kind: 'string',
        value: 'TARGET',
        summary: 'a database file, or a URL that begins with postgres:// (required)',
      },
      { name: 'qdrant', kind: 'string', value: 'URL', summary: 'the Qdrant server for the vectors' },
      { name: 'without-vectors', kind: 'boolean', summary: 'leave the vectors; the next ingest makes them again' },
      { name: 'dry-run', kind: 'boolean', summary: 'say what would be copied, and change nothing' },
      { name: 'switch', kind: 'boolean', summary: 'afterwards make the target the configured knowledge base' },
    ],
    output: ['move_report.v1'],
    load: async () => (await import('../commands/move.ts')).move,
  },
  {
    name: 'plugin list',
    summary: 'list plugins, and say why one does not run',
    output: ['plugin_list.v1'],
    load: async () => (await import('../commands/plugin.ts')).pluginList,
  },
  {
    name: 'plugin install',
    summary: 'install plugins or optional parts into kebab’s own folder',
    args: [
      {
        name: 'NAME',
        completes: 'plugin_source',
        required: true,
        repeats: true,
        summary:
          'a part or format of kebab: ocr, pdf, embeddings, docx, xlsx, pptx, epub, eml; a package by its full name, optionally with @VERSION; or a path to a folder or .tgz file',
      },
    ],
    flags: PLUGIN_INSTALL_FLAGS,
    output: ['plugin_change.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginInstall,
  },
  {
    name: 'plugin update',
    summary: 'install the newest version of a plugin',
    args: [{ name: 'NAME', completes: 'installed_plugin', required: true, summary: 'an installed plugin or part' }],
    flags: PLUGIN_INSTALL_FLAGS,
    output: ['plugin_change.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginUpdate,
  },
  {
    name: 'plugin remove',
    removes: true,
    summary: 'remove an installed plugin; documents stay',
    args: [{ name: 'NAME', completes: 'installed_plugin', required: true, summary: 'an installed plugin or part' }],
    flags: [YES],
    output: ['plugin_change.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginRemove,
  },
  {
    name: 'plugin search',
    summary: 'find plugins in the npm registry',
    args: [{ name: 'WORDS', required: false, rest: true, summary: 'what the plugins should do' }],
    output: ['plugin_search.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginSearch,
  },
  {
    name: 'plugin explain',
    summary: 'show which extractor and chunker handle a file, and why',
    args: [{ name: 'FILE', completes: 'file', required: true, summary: 'the name of a file, which need not exist' }],
    output: ['plugin_explain.v1'],
    load: async () => (await import('../commands/plugin.ts')).pluginExplain,
  },
  {
    name: 'plugin doctor',
    summary: 'check that every plugin loads, is configured correctly, and has what it needs',
    output: ['doctor.v1'],
    load: async () => (await import('../commands/plugin.ts')).pluginDoctor,
  },
  {
    name: 'plugin test',
    summary: 'run the contract suites of everything a plugin contributes',
    args: [
      {
        name: 'PATH',
        completes: 'file',
        required: true,
        summary: 'a file, the folder of a package, or the name of an installed one',
      },
    ],
    flags: [
      { name: 'timeout-s', kind: 'integer', min: 1, value: 'N', summary: 'seconds per check (60)' },
      { name: 'in-process', kind: 'boolean', summary: 'run the suites in this process' },
    ],
    output: ['plugin_test.v1'],
    load: async () => (await import('../commands/plugin-test.ts')).pluginTest,
  },
  {
    name: 'plugin new',
    summary: 'create a working plugin to start from',
    args: [{ name: 'NAME', required: true, summary: 'epub, kebab-plugin-epub or @acme/kebab-plugin-epub' }],
    flags: [{ name: 'kind', kind: 'string', value: 'KIND', offers: KINDS, summary: KINDS.join(', ') }],
    output: ['plugin_new.v1'],
    load: async () => (await import('../commands/plugin-new.ts')).pluginNew,
  },
  {
    name: 'watch',
    summary: 'keep the index up to date while it runs',
    flags: [{ name: 'no-ingest', kind: 'boolean', summary: 'start from the last ingest, without a full ingest first' }],
    output: ['watch_event.v1'],
    load: async () => (await import('../commands/ingest.ts')).watch,
  },
  // before `mcp`: the first command whose words match runs
  {
    name: 'mcp install',
    summary: 'give an agent the kebab tools: write its configuration',
    args: [AGENT],
    flags: [
      SCOPE,
      { name: 'print', kind: 'boolean', summary: 'show the entry, and write nothing' },
      { name: 'list', kind: 'boolean', summary: 'list the known agents and their files' },
      { name: 'client', kind: 'string', value: 'NAME', choices: AGENTS, summary: 'show the entry of that agent' },
      { name: 'write', kind: 'boolean', summary: 'with --client: write the entry' },
    ],
    output: ['mcp_install.v1'],
    load: async () => (await import('../commands/mcp-install.ts')).mcpInstall,
  },
  {
    name: 'mcp uninstall',
    summary: 'remove kebab from the configuration of an agent',
    args: [{ ...AGENT, required: true, summary: 'the agent' }],
    flags: [{ ...SCOPE, summary: 'only from the file of the project, or of the user' }],
    output: ['mcp_install.v1'],
    load: async () => (await import('../commands/mcp-install.ts')).mcpUninstall,
  },
  {
    name: 'mcp',
    summary: 'serve agents over standard input and output, or HTTP',
    flags: [
      {
        name: 'port',
        kind: 'integer',
        value: 'N',
        summary: 'serve HTTP on this port of 127.0.0.1 instead (0: any free one); KEBAB_MCP_TOKEN requires a token',
      },
    ],
    load: async () => (await import('../commands/mcp.ts')).mcp,
  },
  {
    name: 'ui',
    summary: 'search, read and ask in a browser, on this machine',
    flags: [
      { name: 'port', kind: 'integer', value: 'N', summary: 'port of 127.0.0.1; without it, any free one' },
      { name: 'no-open', kind: 'boolean', summary: 'print the address only, and start no browser' },
      {
        name: 'idle',
        kind: 'integer',
        min: 0,
        max: 10_000,
        value: 'MINUTES',
        summary: 'end after so long without a request; 0: never (30, and 0 in a terminal)',
      },
      {
        name: 'write',
        kind: 'boolean',
        summary: 'index changed files before a search, store conversations, open files in an editor; else only read',
      },
    ],
    load: async () => (await import('../commands/ui.ts')).ui,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and values in a shell',
    args: [{ name: 'SHELL', completes: ['bash', 'zsh', 'fish'], required: true, summary: 'bash, zsh or fish' }],
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'trust',
    summary: 'trust a project’s configuration file in its current form',
    args: [{ name: 'PATH', completes: 'file', required: false, summary: 'the file (default: the nearest one)' }],
    flags: [
      { name: 'list', kind: 'boolean', summary: 'list trusted files' },
      { name: 'revoke', kind: 'boolean', summary: 'stop trusting the file' },
    ],
    output: ['trust_report.v1'],
    load: async () => (await import('../commands/trust.ts')).trust,
  },
];

/** The hidden command that the completion scripts of the shells call. */
export const COMPLETE: CommandSpec = {
  name: 'complete',
  summary: 'print completions of a command line, one per line',
  args: [{ name: 'WORD', acceptsEmpty: true, required: false, repeats: true, summary: 'the words after kebab' }],
  flags: [
    { name: 'line', kind: 'string', value: 'TEXT', summary: 'the line as it was typed, instead of its words' },
    { name: 'replacing', kind: 'string', value: 'TEXT', summary: 'the end of the line that the shell replaces' },
  ],
  load: async () => (await import('./complete.ts')).complete,
};
