import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, CallContext } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import type { Ports } from '../ports.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import { EXTERNAL, EXTERNAL_FOLDER } from '../documents/external-folder.ts';
import { externalSource, sourcesToWalk } from './run/ingest-sources.ts';
import { ReportBuilder } from './run/report-builder.ts';
import { scanSource, type WalkedSource } from './run/scan-sources.ts';
import { ExternalConnector } from './scan/connectors.ts';

/** What finding orphans takes. */
export interface OrphanTools extends Pick<
  Ports,
  'lexicalIndex' | 'connectors' | 'extractors' | 'chunkers' | 'config' | 'log'
> {
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
}

/**
 * Removes the documents whose file is outside the present walk, because it is ignored now, gone, or of a source that is
 * no longer configured, and tells their paths, sorted. A source whose root cannot be walked keeps everything.
 */
export async function purgeOrphans(tools: OrphanTools, { signal }: AbortOptions = {}): Promise<readonly string[]> {
  const { lexicalIndex, config, log, store, writer } = tools;
  const lexical = await lexicalIndex.write();
  const pipelines = await Pipelines.open({ ...tools, indexVersion: lexical.indexVersion() });
  const call: CallContext = { signal: signal ?? new AbortController().signal, log, progress: () => {} };
  const purged: string[] = [];
  for (const sourceId of await store.knownSources()) {
    const source = await openSource(sourceId, tools);
    const taken = source === null ? new Set<string>() : await pathsTaken(source, { pipelines, config, call });
    if (taken === null) continue;
    const orphans = [...(await store.knownDocuments(sourceId)).values()].filter(
      ({ workspacePath }) => !taken.has(workspacePath),
    );
    if (orphans.length === 0) continue;
    writer.transaction((tx) => {
      for (const { docId } of orphans) tx.deleteDocument(docId);
    });
    purged.push(...orphans.map(({ workspacePath }) => workspacePath));
  }
  return purged.toSorted();
}

/** The paths that a walk takes in; null when the root cannot be walked. */
async function pathsTaken(
  source: WalkedSource,
  tools: { readonly pipelines: Pipelines; readonly config: ResolvedConfig; readonly call: CallContext },
): Promise<ReadonlySet<string> | null> {
  const report = new ReportBuilder({ keepItems: false });
  const { files, rootFailure } = await scanSource(source, { ...tools, report });
  return rootFailure === null ? new Set(files.map(({ workspacePath }) => workspacePath)) : null;
}

/** A configured source with its connector; null for one that the configuration knows no more. */
async function openSource(id: string, { connectors, config }: OrphanTools): Promise<WalkedSource | null> {
  if (id === EXTERNAL)
    return { ...externalSource(config), connector: new ExternalConnector({ folder: EXTERNAL_FOLDER }) };
  const source = sourcesToWalk(config, undefined).find((known) => known.id === id);
  return source === undefined ? null : { ...source, connector: await connectors.get(source.connectorId) };
}
