import { ask } from './ask.ts';
import { bulkSearch } from './bulk-search.ts';
import { doctor } from './doctor.ts';
import { fetch } from './fetch.ts';
import { ingestFile } from './ingest-file.ts';
import { ingestStdin } from './ingest-stdin.ts';
import type { KebabTool } from './kebab-tool.ts';
import { listDocs } from './list-docs.ts';
import { schema } from './schema.ts';
import { search } from './search.ts';
import { verifyCitation } from './verify-citation.ts';

/** Every tool, in the order of `tools/list`. */
export const ALL_TOOLS: readonly KebabTool[] = [
  search,
  bulkSearch,
  ask,
  fetch,
  listDocs,
  schema,
  doctor,
  verifyCitation,
  ingestFile,
  ingestStdin,
];
