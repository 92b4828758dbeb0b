import { rmSync } from 'node:fs';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, CallContext } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter, KnownDocument } from '../contracts/document-store.ts';
import { deleteDocuments } from '../documents/open-store.ts';
import { EXTERNAL, externalRoot } from '../documents/source-roots.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import type { IngestContext } from './ingest-context.ts';
import type { SourceChanges } from './refresh/find-changed.ts';
import { ReportBuilder } from './run/report-builder.ts';
import { connectorOf, scanSource, type SourceScan, sourcesToWalk, type WalkedSource } from './run/scan-sources.ts';
import { changeDocuments, WordsStep } from './words-step.ts';
import { parentOf } from './scan/seen-places.ts';
import type { Ports } from '../ports.ts';
import { documentIdOf, type PathScope, notFound } from '../documents/find-document.ts';
import { locateFile } from '../documents/locate-file.ts';
import type { DocumentId } from '../domain/ids.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { DocumentRemoved } from '../wire/index.ts';

type PurgeContext = Pick<IngestContext, 'writer' | 'report' | 'call' | 'options' | 'store'>;

/** Removes the documents of a source whose files are definitely gone, or reports why none may be removed. */
export async function purgeVanished(
  scan: SourceScan,
  known: ReadonlyMap<string, KnownDocument>,
  context: PurgeContext,
): Promise<void> {
  const unseen: KnownDocument[] = [];
  for (const document of known.values()) if (!scan.present.has(document.workspacePath)) unseen.push(document);
  await purge(scan, { unseen, indexed: known.size }, context);
}

/** Does the same for the files that a check found deleted. */
export async function purgeGone(scan: SourceScan, { gone }: SourceChanges, context: PurgeContext): Promise<void> {
  if (gone.length === 0) return;
  const unseen = [...(await context.store.knownDocuments(scan.source.id, gone)).values()];
  if (unseen.length === 0) return;
  const { total } = await context.store.listDocuments({ source: [scan.source.id] }, { offset: 0, limit: 1 });
  await purge(scan, { unseen, indexed: total }, context);
}

/** `unseen` are documents that a walk did not find, of `indexed` ones of the source. */
async function purge(
  { source, rootFailure }: SourceScan,
  { unseen, indexed }: { readonly unseen: readonly KnownDocument[]; readonly indexed: number },
  { writer, report, call, options, store }: PurgeContext,
): Promise<void> {
  const refused = { source_id: source.id, indexed } as const;
  if (rootFailure !== null) {
    if (indexed > 0) report.refusePurge({ ...refused, vanished: indexed, reason: 'root_missing' });
    return;
  }
  const vanished: KnownDocument[] = [];
  for (const document of unseen) if (await isAbsent(document)) vanished.push(document);
  if (options.allowMassDelete !== true && (await isLoss()))
    return report.refusePurge({ ...refused, vanished: vanished.length, reason: 'mass_delete' });
  await deleteDocuments(
    writer,
    vanished.map(({ docId }) => docId),
  );
  for (const { docId, assetId, workspacePath } of vanished) {
    const names = { doc_path: workspacePath, source_id: source.id, doc_id: docId, asset_id: assetId };
    report.record({ kind: 'purged', ...names });
  }

  /** All documents are loaded only if moved ones affect the decision: a renamed file has not vanished. */
  async function isLoss(): Promise<boolean> {
    if (!isMassDelete(vanished.length, indexed)) return false;
    return isMassDelete(vanished.length - countMoved(vanished, await store.knownDocuments(source.id)), indexed);
  }

  /** A file that exists but is excluded, or cannot be checked, is not gone. */
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

/** How many of the vanished documents have their bytes in the source under another name: these are not lost. */
function countMoved(vanished: readonly KnownDocument[], all: ReadonlyMap<string, KnownDocument>): number {
  const gone = new Set(vanished.map(({ docId }) => docId));
  const held = new Set([...all.values()].flatMap(({ docId, assetId }) => (gone.has(docId) ? [] : [assetId])));
  return vanished.filter(({ assetId }) => held.has(assetId)).length;
}

/**
 * Whether this many documents are at least half of a source, which guards against losing an index because of an unmounted disk: nothing is
 * deleted then, unless a mass deletion was requested.
 */
export function isMassDelete(lost: number, indexed: number): boolean {
  return lost > 0 && lost * 2 >= indexed;
}

/** The dependencies for repeating a walk and removing orphans. */
interface OrphanTools extends Pick<
  Ports,
  'lexicalIndex' | 'connectors' | 'extractors' | 'chunkers' | 'config' | 'log'
> {
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
}

/**
 * Removes the documents whose file the current walk does not include, because it is ignored now, gone, or of a source that is no longer
 * configured, and returns their paths, sorted. A source whose root cannot be walked keeps everything, and an unreadable folder keeps its
 * documents.
 */
export async function purgeOrphans(tools: OrphanTools, { signal }: AbortOptions = {}): Promise<readonly string[]> {
  const { lexicalIndex, config, log, store } = tools;
  const lexical = await lexicalIndex.write();
  const words = await WordsStep.open({ lexical, store, log });
  const writer = words?.recording(tools.writer) ?? tools.writer;
  const pipelines = await Pipelines.open({ ...tools, indexVersion: lexical.indexVersion() });
  const call: CallContext = { signal: signal ?? new AbortController().signal, log, progress: () => {} };
  const purged: string[] = [];
  const sources = sourcesToWalk(config, await store.indexedRoots(), undefined);
  for (const sourceId of await store.knownSources()) {
    const source = sources.find(({ id }) => id === sourceId);
    const opened = source === undefined ? null : { ...source, connector: await connectorOf(source, tools) };
    const walked = opened === null ? NOTHING_WALKED : await walkOf(opened, { pipelines, config, call });
    if (walked === null) continue;
    const orphans = [...(await store.knownDocuments(sourceId)).values()].filter(
      ({ workspacePath }) => !walked.included.has(workspacePath) && !liesIn(workspacePath, walked.unread),
    );
    await deleteDocuments(
      writer,
      orphans.map(({ docId }) => docId),
    );
    for (const { workspacePath } of orphans) purged.push(workspacePath);
  }
  await words?.run({ signal });
  return purged.toSorted();
}

/** The result of walking a source. */
interface Walk {
  /** The paths it includes. */
  readonly included: ReadonlySet<string>;
  /** The paths of files and folders that could not be read. */
  readonly unread: ReadonlySet<string>;
}

const NOTHING_WALKED: Walk = { included: new Set(), unread: new Set() };

/** Null when the root cannot be walked. */
async function walkOf(
  source: WalkedSource,
  tools: { readonly pipelines: Pipelines; readonly config: ResolvedConfig; readonly call: CallContext },
): Promise<Walk | null> {
  const report = new ReportBuilder({ keepItems: false });
  const { files, rootFailure } = await scanSource(source, { ...tools, report });
  if (rootFailure !== null) return null;
  return {
    included: new Set(files.map(({ workspacePath }) => workspacePath)),
    unread: new Set(report.failed.map(({ workspacePath }) => workspacePath)),
  };
}

/** Whether a path is one of some places, or below one. */
function liesIn(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) if (places.has(at)) return true;
  return false;
}

/**
 * Removes a document that was added by hand, and kebab's copy of it. It is named by path, URI or id. Errors: `doc_not_found`, `locked`,
 * `invalid_input` for a document of a folder, whose files kebab never removes.
 */
export async function removeDocument(
  ports: Pick<Ports, 'documents' | 'lexicalIndex' | 'config' | 'log'> & Pick<PathScope, 'cwd'>,
  typed: string,
  options: AbortOptions = {},
): Promise<DocumentRemoved> {
  const store = await ports.documents.write();
  const id = (await documentIdOf(store, typed, ports)) as DocumentId;
  const [document] = await store.getDocuments([id]);
  if (document === undefined) throw notFound('document', id);
  const { sourceId, workspacePath } = document;
  if (sourceId !== EXTERNAL)
    throw invalidInput(
      `${formatSourcePath({ sourceId, path: workspacePath })} is a file of yours, which kebab does not remove`,
      {
        field: 'path',
        value: typed,
        hint: 'remove or ignore the file, then `kebab ingest`; `kebab remove NAME` takes out a whole source',
      },
    );
  const change = async (writer: DocumentWriter): Promise<DocumentRemoved> => {
    const file = locateFile({ root: externalRoot(ports.config), linksOutside: false }, workspacePath)?.path ?? null;
    if (file !== null) rmSync(file);
    await writer.transaction((tx) => tx.deleteDocument(id));
    return {
      schema_version: 'document_removed.v1',
      doc_id: id,
      doc_path: workspacePath,
      source_id: sourceId,
      removed_file: file,
    };
  };
  return changeDocuments(store, ports, { options, change });
}
