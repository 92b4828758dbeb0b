import type { KnownDocument } from '../contracts/document-store.ts';
import { describeMoved, EXTERNAL } from '../documents/source-roots.ts';
import { KebabError } from '../errors/kebab-error.ts';
import type { IngestReport } from '../wire/index.ts';
import type { IngestContext } from './ingest-context.ts';
import type { SourceScan } from './run/scan-sources.ts';

/** A source whose folder is elsewhere than when it was indexed. */
export type MovedRoot = NonNullable<IngestReport['moved']>[number];

/**
 * The sources whose folder has moved: they are configured with another root than they were indexed from, and it contains at least half of
 * their documents, at their paths and with their sizes. Throws `config_invalid` for a source whose configured root is an unrelated folder:
 * ingesting it would replace one index by another.
 */
export async function findMovedRoots(
  scans: readonly SourceScan[],
  { store, options }: Pick<IngestContext, 'store' | 'options'>,
): Promise<readonly MovedRoot[]> {
  const indexed = await store.indexedRoots();
  const moved: MovedRoot[] = [];
  for (const scan of scans) {
    const { source, rootFailure } = scan;
    const from = indexed.get(source.id);
    if (from === undefined || from === source.root || source.id === EXTERNAL || rootFailure !== null) continue;
    const known = await store.knownDocuments(source.id);
    if (known.size === 0) continue;
    const matches = countFound(scan, known);
    if (options.moved !== true && matches * 2 < known.size)
      throw otherFolder(scan, { from, indexed: known.size, found: matches });
    moved.push({ source_id: source.id, from, to: source.root });
  }
  return moved;
}

function countFound({ files }: SourceScan, known: ReadonlyMap<string, KnownDocument>): number {
  return files.filter(({ workspacePath, size }) => known.get(workspacePath)?.file?.size === size).length;
}

interface OtherFolder {
  readonly from: string;
  readonly indexed: number;
  readonly found: number;
}

function otherFolder({ source }: SourceScan, { from, indexed, found }: OtherFolder): KebabError<'config_invalid'> {
  const { what, remedy } = describeMoved({ id: source.id, root: from, connector: 'fs', configured: source.root });
  const holds = found === 0 ? 'none' : `only ${found}`;
  const count = indexed === 1 ? '1 document' : `${indexed} documents`;
  return new KebabError('config_invalid', `${what}, which holds ${holds} of its ${count}`, {
    details: {
      path: null,
      key: source.id === 'default' ? 'workspace.root' : 'workspace.sources',
      cause: 'the root of an indexed source is another folder',
      suggestion: from,
    },
    hint: remedy,
  });
}
