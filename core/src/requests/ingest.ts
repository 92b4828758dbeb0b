import type { CamelCased, Fields, RequestOf } from '../schema/field.ts';

/** An ingest of sources. */
export const INGEST = {
  source: { kind: 'texts', placeholder: 'ID', doc: 'only this source' },
  summary_only: { kind: 'bool', doc: 'leave the list of files out of the report' },
  force_reingest: { kind: 'bool', doc: 'treat every file as changed' },
  verify: { kind: 'bool', doc: 'hash every file, even if its size and time are unchanged' },
  allow_mass_delete: { kind: 'bool', doc: 'purge documents even if half of a source or more has disappeared' },
  moved: {
    kind: 'bool',
    doc: 'the folder of a source has moved: accept its configured location, and remove nothing',
  },
} as const satisfies Fields;

/** The sources to ingest, and how thoroughly to check them. */
export interface IngestRequest extends CamelCased<Omit<RequestOf<typeof INGEST>, 'source'>> {
  /** Ids of the sources to walk; all by default. */
  readonly sources?: readonly string[] | undefined;
}

/** An ingest of one file. */
export const INGEST_FILE = {
  path: {
    kind: 'text',
    synonyms: ['file', 'file_path', 'filename'],
    required: true,
    placeholder: 'PATH',
    doc: 'the file',
    description: 'Path of the file; relative to the working directory.',
  },
} as const satisfies Fields;

/** An ingest of a Markdown text. */
export const INGEST_STDIN = {
  content: { kind: 'text', required: true, doc: 'the Markdown', description: 'The Markdown.' },
  title: {
    kind: 'text',
    required: true,
    placeholder: 'T',
    doc: 'its title (required)',
    description: 'The title of the document.',
  },
  source_uri: {
    kind: 'text',
    placeholder: 'U',
    doc: 'where it came from',
    description: 'Where the content came from, as in https://example.org/page.',
  },
} as const satisfies Fields;
