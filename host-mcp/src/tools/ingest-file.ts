import { INGEST_FILE } from '@kebab/core/app';
import { placeInScope } from './ingest-scope.ts';
import { ingestProgress } from './ingest-progress.ts';
import type { KebabTool } from './kebab-tool.ts';

/** `ingest_file`: adds one file. */
export const ingestFile: KebabTool<typeof INGEST_FILE> = {
  name: 'ingest_file',
  title: 'Add a file',
  description:
    'Adds one file to the knowledge base; a copy is kept, and the same bytes again change nothing. Takes files below a source, the working directory or a folder that the configuration allows.',
  input: INGEST_FILE,
  output: 'ingest_report',
  writes: true,
  run({ path }, { app, settings, signal, progress }) {
    return app.ingestFile(placeInScope(path, settings), { signal, onProgress: ingestProgress(progress) });
  },
};
