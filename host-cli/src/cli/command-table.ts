import { ASK, FETCH, FILTERS, INGEST, INGEST_STDIN, SEARCH, VERIFY_CITATION, flagsOf } from '@kebab/core/app';
import type { ArgumentSpec, CommandSpec, FlagSpec } from '../command/command-spec.ts';
import { PDF_PASSWORD } from '../command/command-values.ts';
import { ADMIN_COMMANDS } from './admin-commands.ts';

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

/**
 * Every command of kebab, in the order of `kebab --help`. Flags derived from a request are getters: deriving those of all commands would
 * cost every command half a millisecond.
 */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'try',
    summary: 'search a folder once, without configuration; nothing is stored',
    args: [
      { name: 'FOLDER', completes: 'folder', required: true, summary: 'the folder to read' },
      { name: 'QUESTION', required: true, rest: true, summary: 'what to look for' },
    ],
    get flags(): readonly FlagSpec[] {
      return [...flagsOf(SEARCH, ['k', 'mode', 'explain']), PDF_PASSWORD];
    },
    output: ['search_response.v1'],
    load: async () => (await import('../commands/try.ts')).tryFolder,
  },
  {
    name: 'init',
    summary: 'create a knowledge base, for a project or your own',
    args: [],
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
    summary: 'add a folder as a source; the next ingest indexes it',
    args: [{ name: 'PATH', completes: 'folder', required: true, summary: 'the folder' }],
    flags: [
      { name: 'name', kind: 'string', value: 'NAME', summary: 'name of the source (default: the name of the folder)' },
      { name: 'user', kind: 'boolean', summary: 'in your own knowledge base, even within a project' },
    ],
    output: ['source_added.v1'],
    load: async () => (await import('../commands/sources.ts')).add,
  },
  {
    name: 'remove',
    summary: 'remove a source from the index; its files stay',
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
    args: [],
    get flags(): readonly FlagSpec[] {
      return [...flagsOf(INGEST), PDF_PASSWORD];
    },
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
    args: [],
    get flags(): readonly FlagSpec[] {
      return flagsOf(INGEST_STDIN, ['title', 'source_uri']);
    },
    output: ['ingest_report.v1'],
    load: async () => (await import('../commands/ingest.ts')).ingestStdin,
  },
  {
    name: 'rm',
    summary: 'remove a document that ingest-file or ingest-stdin added',
    args: [{ name: 'PATH', completes: 'added_path', required: true, summary: 'a path, citation URI or document id' }],
    flags: [],
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
    get flags(): readonly FlagSpec[] {
      return [
        ...flagsOf(SEARCH),
        { name: 'files', short: 'l', kind: 'boolean', summary: 'print the paths of the documents found, each once' },
        { name: 'vimgrep', kind: 'boolean', summary: 'print path:line:column:text of each line that matches' },
        {
          name: 'format',
          kind: 'string',
          value: 'T',
          summary: 'print each hit with a template, such as "{path}:{line} {score}"',
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
      ];
    },
    output: ['search_response.v1', 'bulk_search_item.v1'],
    load: async () => (await import('../commands/search.ts')).search,
  },
  {
    name: 'ask',
    summary: 'answer a question from the documents, with citations, or refuse',
    args: [
      { name: 'QUESTION', required: true, rest: true, summary: 'the question; @path adds a file to the evidence' },
    ],
    get flags(): readonly FlagSpec[] {
      return [
        ...flagsOf(ASK),
        NO_REFRESH,
        { name: 'stream', kind: 'boolean', summary: 'print answer_event.v1, one JSON object per line' },
      ];
    },
    output: ['answer.v1', 'answer_event.v1'],
    load: async () => (await import('../commands/ask.ts')).ask,
  },
  {
    name: 'sessions list',
    summary: 'list conversations, the most recent first',
    args: [],
    flags: [],
    output: ['session_summary.v1'],
    load: async () => (await import('../commands/sessions.ts')).sessionsList,
  },
  {
    name: 'sessions show',
    summary: 'show a conversation',
    args: [SESSION],
    flags: [],
    output: ['session_turns.v1'],
    load: async () => (await import('../commands/sessions.ts')).sessionsShow,
  },
  {
    name: 'sessions delete',
    summary: 'delete a conversation',
    args: [SESSION],
    flags: [],
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
    get flags(): readonly FlagSpec[] {
      return [...flagsOf(FETCH, ['max_tokens']), ...flagsOf(VERIFY_CITATION, ['source']), NO_PAGER];
    },
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).get,
  },
  {
    name: 'fetch chunk',
    summary: 'read a chunk',
    args: [CHUNK_ID],
    get flags(): readonly FlagSpec[] {
      return flagsOf(FETCH, ['context']);
    },
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).fetchChunk,
  },
  {
    name: 'fetch doc',
    summary: 'read a document',
    args: [DOCUMENT],
    get flags(): readonly FlagSpec[] {
      return flagsOf(FETCH, ['max_tokens']);
    },
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
    get flags(): readonly FlagSpec[] {
      return flagsOf(FETCH, ['max_tokens']);
    },
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
    get flags(): readonly FlagSpec[] {
      return [...flagsOf(FETCH, ['max_tokens']), ...flagsOf(VERIFY_CITATION, ['source'])];
    },
    output: ['fetch_result.v1'],
    load: async () => (await import('../commands/fetch.ts')).fetchUri,
  },
  {
    name: 'open',
    summary: 'show the file and line of a citation, or open it',
    args: [CITED_PLACE],
    get flags(): readonly FlagSpec[] {
      return [
        {
          name: 'launch',
          kind: 'boolean',
          summary: 'open it: text in $VISUAL or $EDITOR, anything else with the default program',
        },
        ...flagsOf(VERIFY_CITATION, ['source']),
      ];
    },
    output: ['open.v1'],
    load: async () => (await import('../commands/snap.ts')).open,
  },
  {
    name: 'snap',
    summary: 'draw the page or image of a citation as PNG; a chunk is framed',
    args: [CITED_PLACE],
    get flags(): readonly FlagSpec[] {
      return [
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
      ];
    },
    output: ['snap.v1'],
    load: async () => (await import('../commands/snap.ts')).snap,
  },
  {
    name: 'cite verify',
    summary: 'check that a citation still matches its source',
    args: [
      {
        name: 'URI',
        completes: 'path',
        required: true,
        summary: 'a citation URI, or - to read the output of `search --json`',
      },
    ],
    get flags(): readonly FlagSpec[] {
      return flagsOf(VERIFY_CITATION, ['content_hash', 'source']);
    },
    output: ['citation_check.v1'],
    load: async () => (await import('../commands/cite.ts')).citeVerify,
  },
  {
    name: 'list sources',
    summary: 'list sources: their folders, documents and state',
    args: [],
    flags: [],
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
    get flags(): readonly FlagSpec[] {
      return flagsOf(FILTERS);
    },
    output: ['doc_summary.v1'],
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
    flags: [],
    output: ['chunk_inspection.v1'],
    load: async () => (await import('../commands/inspect.ts')).inspectChunk,
  },
  ...ADMIN_COMMANDS,
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
  output: [],
  load: async () => (await import('./complete.ts')).complete,
};
