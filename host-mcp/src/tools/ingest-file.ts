import { placeInScope } from './ingest-scope.ts';
import { ingestProgress } from './ingest-progress.ts';
import type { KebabTool } from './kebab-tool.ts';

/** `ingest_file`: adds one file. */
export const ingestFile: KebabTool = {
  name: 'ingest_file',
  title: 'Add a file',
  description:
    'Adds one file to the knowledge base; a copy is kept, and the same bytes again change nothing. Takes files below a source, the working directory or a folder that the configuration allows.',
  parameters: [
    {
      name: 'path',
      type: 'string',
      required: true,
      description: 'Path of the file; relative to the working directory.',
    },
  ],
  output: 'ingest_report',
  writes: true,
  run({ path }, { app, settings, signal, progress }) {
    return app.ingestFile(placeInScope(path as string, settings), { signal, onProgress: ingestProgress(progress) });
  },
};
