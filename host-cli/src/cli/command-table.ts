import { FETCH, flagsOf, INGEST, INGEST_STDIN, VERIFY_CITATION } from '@kebab/core/app';
import { ASK_FLAGS, STREAM } from './ask-flags.ts';
import type { ArgumentSpec, CommandSpec, FlagSpec } from './command-spec.ts';
import { FILTER_FLAGS, SEARCH_FLAGS, TRY_FLAGS } from './search-flags.ts';
import { TENDING_COMMANDS } from './tending-commands.ts';

const SOURCE = flagsOf(VERIFY_CITATION, ['source']);
const MAX_TOKENS = flagsOf(FETCH, ['max_tokens']);
const PDF_PASSWORD: FlagSpec = {
  name: 'pdf-password',
  kind: 'string',
  value: 'P',
  summary: 'open encrypted PDF files with it; KEBAB_PDF_PASSWORD shows it to fewer eyes',
};
const arg = (name: string, summary: string): ArgumentSpec => ({ name, required: true, summary });

/** Every command of kebab, in the order of `kebab --help`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'try',
    summary: 'search a folder once, without configuration; nothing is kept',
    args: [
      arg('FOLDER', 'the folder to read'),
      { name: 'QUESTION', required: true, rest: true, summary: 'what to look for' },
    ],
    flags: [...TRY_FLAGS, PDF_PASSWORD],
    output: ['search_response.v1'],
    load: () => import('../commands/try.ts'),
  },
  {
    name: 'init',
    summary: 'write a configuration file and create the folders it names',
    args: [],
    flags: [{ name: 'force', kind: 'boolean', summary: 'overwrite the configuration file; the old one becomes .bak' }],
    output: ['init_report.v1'],
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'ingest',
    summary: 'bring the index into agreement with the sources',
    args: [],
    flags: [...flagsOf(INGEST), PDF_PASSWORD],
    output: ['ingest_progress.v1', 'ingest_report.v1'],
    load: () => import('../commands/ingest.ts'),
  },
  {
    name: 'ingest-file',
    summary: 'add one file from outside the sources',
    args: [arg('PATH', 'the file')],
    flags: [PDF_PASSWORD],
    output: ['ingest_report.v1'],
    load: () => import('../commands/ingest-file.ts'),
  },
  {
    name: 'ingest-stdin',
    summary: 'add the Markdown that comes on standard input',
    args: [],
    flags: flagsOf(INGEST_STDIN, ['title', 'source_uri']),
    output: ['ingest_report.v1'],
    load: () => import('../commands/ingest-stdin.ts'),
  },
  {
    name: 'search',
    summary: 'find passages',
    args: [{ name: 'QUERY', required: false, rest: true, summary: 'words; "a phrase" must occur, -word must not' }],
    flags: [
      ...SEARCH_FLAGS,
      { name: 'no-cache', kind: 'boolean', summary: 'do not use results kept in the process' },
      {
        name: 'bulk',
        kind: 'boolean',
        summary: 'read up to 100 queries from standard input, a JSON object or string a line',
      },
    ],
    output: ['search_response.v1', 'bulk_search_item.v1'],
    load: () => import('../commands/search.ts'),
  },
  {
    name: 'ask',
    summary: 'answer a question from the documents, with citations; or refuse',
    args: [
      { name: 'QUESTION', required: true, rest: true, summary: 'the question; @path adds a file to the evidence' },
    ],
    flags: [...ASK_FLAGS, STREAM],
    output: ['answer.v1', 'answer_event.v1'],
    load: () => import('../commands/ask.ts'),
  },
  {
    name: 'sessions list',
    summary: 'list conversations, the one used last first',
    args: [],
    flags: [],
    output: ['session_summary.v1'],
    load: () => import('../commands/sessions-list.ts'),
  },
  {
    name: 'sessions show',
    summary: 'show a conversation',
    args: [arg('NAME', 'the name given with ask --session')],
    flags: [],
    output: ['session_turns.v1'],
    load: () => import('../commands/sessions-show.ts'),
  },
  {
    name: 'sessions delete',
    summary: 'remove a conversation',
    args: [arg('NAME', 'the name given with ask --session')],
    flags: [],
    output: ['session_summary.v1'],
    load: () => import('../commands/sessions-delete.ts'),
  },
  {
    name: 'fetch chunk',
    summary: 'read a chunk',
    args: [arg('ID', 'a chunk id, or its first digits')],
    flags: flagsOf(FETCH, ['context']),
    output: ['fetch_result.v1'],
    load: () => import('../commands/fetch-chunk.ts'),
  },
  {
    name: 'fetch doc',
    summary: 'read a document',
    args: [arg('ID', 'a document id, or its first digits')],
    flags: MAX_TOKENS,
    output: ['fetch_result.v1'],
    load: () => import('../commands/fetch-doc.ts'),
  },
  {
    name: 'fetch span',
    summary: 'read lines of a document',
    args: [
      arg('DOC_ID', 'a document id, or its first digits'),
      arg('START', 'the first line, from 1'),
      arg('END', 'the last line'),
    ],
    flags: MAX_TOKENS,
    output: ['fetch_result.v1'],
    load: () => import('../commands/fetch-span.ts'),
  },
  {
    name: 'fetch uri',
    summary: 'read what a citation URI designates',
    args: [arg('URI', 'as printed with a hit: notes/a.md#L10-L12')],
    flags: [...MAX_TOKENS, ...SOURCE],
    output: ['fetch_result.v1'],
    load: () => import('../commands/fetch-uri.ts'),
  },
  {
    name: 'open',
    summary: 'tell where the file of a citation or chunk lies, with line or page; or open it there',
    args: [arg('URI|CHUNK_ID', 'a citation URI, or a chunk id or its first digits')],
    flags: [
      {
        name: 'launch',
        kind: 'boolean',
        summary: 'open it: text in $VISUAL or $EDITOR, everything else by the system',
      },
      ...SOURCE,
    ],
    output: ['open.v1'],
    load: () => import('../commands/open.ts'),
  },
  {
    name: 'snap',
    summary: 'draw the page or image of a citation or chunk into a PNG file, the chunk framed',
    args: [arg('URI|CHUNK_ID', 'a citation URI, or a chunk id or its first digits')],
    flags: [
      {
        name: 'output',
        short: 'o',
        kind: 'string',
        value: 'FILE',
        summary: 'the PNG file; by default <document>-p<page>.png or <image>-snap.png here',
      },
      { name: 'max-pixels', kind: 'integer', value: 'N', summary: 'longer edge of the picture, at most (1600)' },
      { name: 'force', kind: 'boolean', summary: 'overwrite the file' },
      ...SOURCE,
      PDF_PASSWORD,
    ],
    output: ['snap.v1'],
    load: () => import('../commands/snap.ts'),
  },
  {
    name: 'cite verify',
    summary: 'check that a citation still says what it said; "-" reads citations from standard input',
    args: [arg('URI', 'a citation URI, or -')],
    flags: flagsOf(VERIFY_CITATION, ['content_hash', 'source']),
    output: ['citation_check.v1'],
    load: () => import('../commands/cite-verify.ts'),
  },
  {
    name: 'list docs',
    summary: 'list documents by source and path',
    args: [],
    flags: FILTER_FLAGS,
    output: ['doc_summary.v1'],
    load: () => import('../commands/list-docs.ts'),
  },
  {
    name: 'inspect doc',
    summary: 'show everything known of a document',
    args: [arg('ID', 'a document id, or its first digits')],
    flags: [
      { name: 'pages', kind: 'boolean', summary: 'show its pages instead: size, whether OCR read them, first words' },
    ],
    output: ['doc_inspection.v1'],
    load: () => import('../commands/inspect-doc.ts'),
  },
  {
    name: 'inspect chunk',
    summary: 'show everything known of a chunk',
    args: [arg('ID', 'a chunk id, or its first digits')],
    flags: [],
    output: ['chunk_inspection.v1'],
    load: () => import('../commands/inspect-chunk.ts'),
  },
  ...TENDING_COMMANDS,
];
