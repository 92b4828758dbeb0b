import type { CallContext } from '../../contracts/contribution.ts';
import type { DocumentWriter, KnownDocument } from '../../contracts/document-store.ts';
import { planDeletions } from '../plan-deletions.ts';
import type { ReportBuilder } from './report-builder.ts';
import type { SourceScan } from './scan-sources.ts';

/** What a purge takes. */
export interface PurgeTools {
  readonly writer: DocumentWriter;
  readonly report: ReportBuilder;
  readonly context: CallContext;
  readonly allowMassDelete: boolean;
}

const MAX_A_TRANSACTION = 200;

/** Removes the documents of a source whose files are definitely gone, or reports why none may be removed. */
export async function purgeVanished(
  { source, present, rootFailure }: SourceScan,
  known: ReadonlyMap<string, KnownDocument>,
  { writer, report, context, allowMassDelete }: PurgeTools,
): Promise<void> {
  const unseen = [...known.values()].filter(({ workspacePath }) => !present.has(workspacePath));
  const vanished: KnownDocument[] = [];
  for (const document of rootFailure === null ? unseen : []) if (await isAbsent(document)) vanished.push(document);
  const rootMissing = rootFailure !== null;
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
      return (await connector.stat({ root, include, exclude }, workspacePath, context)) === null;
    } catch {
      return false;
    }
  }
}
