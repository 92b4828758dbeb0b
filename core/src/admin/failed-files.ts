import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore, PartlyRead, QuarantinedFile } from '../contracts/document-store.ts';
import { configuredSourceIds } from '../documents/source-roots.ts';

/**
 * The files of the current sources that recent runs could not index. Files of sources that are no longer configured are left out,
 * because no ingest will read them.
 */
export async function failedFiles(
  store: Pick<DocumentStore, 'quarantined' | 'indexedRoots'>,
  config: ResolvedConfig,
): Promise<readonly QuarantinedFile[]> {
  const sources = configuredSourceIds(config, await store.indexedRoots());
  return (await store.quarantined()).filter(({ sourceId }) => sources.has(sourceId));
}

/** How many files are named; the number of the others is added. */
const SHOWN_FILES = 5;
/** How many of the parts of a document are named. */
const SHOWN_PARTS = 3;

/** A line for each of the first few failed files, with the reason, and one for the number of the others. */
export function describeFailed(files: readonly QuarantinedFile[]): readonly string[] {
  return firstOf(files).map((file) => {
    if (typeof file === 'string') return file;
    const { workspacePath, reason, agent, attempts } = file;
    const known = [`${workspacePath} `, `${agent}: `].find((begin) => reason.startsWith(begin)) ?? ''; // the line says both
    const why = reason.slice(known.length);
    return `${workspacePath}: ${why} (${agent}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`;
  });
}

/** The same for documents of the current sources of which something was not read. */
export async function describePartlyRead(
  store: Pick<DocumentStore, 'partlyRead' | 'indexedRoots'>,
  config: ResolvedConfig,
): Promise<readonly string[]> {
  const sources = configuredSourceIds(config, await store.indexedRoots());
  const documents = (await store.partlyRead()).filter(({ sourceId }) => sources.has(sourceId));
  return firstOf(documents).map((document) =>
    typeof document === 'string' ? document : `${document.workspacePath} is read in part: ${unreadOf(document)}`,
  );
}

/** What was not read of a document, in one line. */
function unreadOf({ unread }: Pick<PartlyRead, 'unread'>): string {
  const rest = unread.length - SHOWN_PARTS;
  return [...unread.slice(0, SHOWN_PARTS), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

function firstOf<T>(files: readonly T[]): readonly (T | string)[] {
  const rest = files.length - SHOWN_FILES;
  return [...files.slice(0, SHOWN_FILES), ...(rest > 0 ? [`and ${rest} more`] : [])];
}
