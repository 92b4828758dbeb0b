import { invalidInput, isKebabError, type App, type ChunkId, type CitedQuery } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';

/** Six hex digits or more are a chunk id, unless there is none that begins so: `facade` may be the name of a file. */
const CHUNK_ID = /^[0-9a-f]{6,32}$/i;

/** The place that the argument `URI|CHUNK_ID` names. */
export async function citedQueryOf({ values }: CommandContext, app: App): Promise<CitedQuery> {
  const typed = values.arg('URI|CHUNK_ID');
  const source = values.text('source');
  if (!CHUNK_ID.test(typed)) return { kind: 'uri', uri: typed, source };
  if (source !== undefined)
    throw invalidInput('--source goes with a URI: a chunk id already determines its source', { field: '--source' });
  try {
    return { kind: 'chunk', chunkId: (await app.resolveId('chunk', typed)) as ChunkId };
  } catch (error) {
    const document = isKebabError(error, 'chunk_not_found') ? await app.nameDocuments(typed) : null;
    if (document?.kind === 'document') return { kind: 'uri', uri: typed };
    throw error;
  }
}
