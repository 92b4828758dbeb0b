import { ingestProgress } from './ingest-progress.ts';
import type { KebabTool } from './kebab-tool.ts';

/** `ingest_stdin`: adds a text. */
export const ingestStdin: KebabTool = {
  name: 'ingest_stdin',
  title: 'Add a note',
  description: 'Adds Markdown to the knowledge base as a document of its own. The same content again changes nothing.',
  parameters: [
    { name: 'content', type: 'string', required: true, description: 'The Markdown.' },
    { name: 'title', type: 'string', required: true, description: 'The title of the document.' },
    { name: 'source_uri', type: 'string', description: 'Where the content came from, as in https://example.org/page.' },
  ],
  output: 'ingest_report',
  writes: true,
  run({ content, title, source_uri: sourceUri }, { app, signal, progress }) {
    const meta = { title: title as string, ...(sourceUri === undefined ? {} : { sourceUri: sourceUri as string }) };
    return app.ingestText(content as string, meta, { signal, onProgress: ingestProgress(progress) });
  },
};
