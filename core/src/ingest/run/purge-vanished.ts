import type { KnownDocument } from '../../contracts/document-store.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { SourceScan } from './scan-sources.ts';

const MAX_A_TRANSACTION = 200;

/** Removes the documents of a source whose files are definitely gone, or reports why none may be removed. */
export async function purgeVanished(
  { source, present, rootFailure }: SourceScan,
  known: ReadonlyMap<string, KnownDocument>,
  { writer, report, call, options }: Pick<IngestContext, 'writer' | 'report' | 'call' | 'options'>,
): Promise<void> {
  const unseen = [...known.values()].filter(({ workspacePath }) => !present.has(workspacePath));
  const vanished: KnownDocument[] = [];
  for (const document of rootFailure === null ? unseen : []) if (await isAbsent(document)) vanished.push(document);
  const rootMissing = rootFailure !== null;
  const allowMassDelete = options.allowMassDelete ?? false;
  const { purge, refused } = planDeletions({ rootMissing, indexed: known.size, vanished, allowMassDelete });
  if (refused !== null) report.refusePurge({ source_id: source.id, indexed: known.size, ...refused });
  for (let i = 0; i < purge.length; i += MAX_A_TRANSACTION) {
    const group = purge.slice(i, i + MAX_A_TRANSACTION);
    writer.transaction((tx) => {
      for (const { docId } of group) tx.deleteDocument(docId);
    });
    for (const { docId, assetId, workspacePath } of group)
      report.record({
        kind: 'purged',
        doc_path: workspacePath,
        source_id: source.id,
        doc_id: docId,
        asset_id: assetId,
      });
  }

  /** A file that is there but left out, or cannot be asked for, is not gone. */
  async function isAbsent({ workspacePath }: KnownDocument): Promise<boolean> {
    const { root, include, exclude, connector } = source;
    if (connector.stat === undefined) return true;
    try {
      return (await connector.stat({ root, include, exclude }, workspacePath, call)) === null;
    } catch {
      return false;
    }
  }
}

/** What a walk left open about the documents of one source. */
interface VanishedDocuments {
  readonly rootMissing: boolean;
  /** How many documents of the source are indexed. */
  readonly indexed: number;
  /** Those whose file is definitely not there. */
  readonly vanished: readonly KnownDocument[];
  readonly allowMassDelete: boolean;
}

/** Which documents go, and why none do where none may. */
interface DeletionPlan {
  readonly purge: readonly KnownDocument[];
  readonly refused: { readonly vanished: number; readonly reason: 'root_missing' | 'mass_delete' } | null;
}

/**
 * Guards against losing an index to an unmounted disk: documents go only while the root is there, and only when fewer
 * than half of the source's documents vanished at once, unless a mass deletion was asked for.
 */
export function planDeletions({ rootMissing, indexed, vanished, allowMassDelete }: VanishedDocuments): DeletionPlan {
  if (rootMissing) return { purge: [], refused: indexed === 0 ? null : { vanished: indexed, reason: 'root_missing' } };
  if (allowMassDelete || vanished.length * 2 < indexed || vanished.length === 0)
    return { purge: vanished, refused: null };
  return { purge: [], refused: { vanished: vanished.length, reason: 'mass_delete' } };
}
