import { INGEST_STDIN } from '@kebab/core/app';
import { ingestProgress } from './ingest-progress.ts';
import type { KebabTool } from './kebab-tool.ts';

/** `ingest_stdin`: adds a text. */
export const ingestStdin: KebabTool<typeof INGEST_STDIN> = {
  name: 'ingest_stdin',
  title: 'Add a note',
  description: 'Adds Markdown to the knowledge base as a document of its own. The same content again changes nothing.',
  input: INGEST_STDIN,
  output: 'ingest_report',
  writes: true,
  run({ content, title, source_uri: sourceUri }, { app, signal, progress }) {
    return app.ingestText(content, { title, sourceUri }, { signal, onProgress: ingestProgress(progress) });
  },
};
