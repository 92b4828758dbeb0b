import { readdir } from 'node:fs/promises';
import { hasNoVectors, type ResolvedConfig } from '../config/resolved-config.ts';
import type { CallContext } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter, KnownDocument, QuarantinedFile } from '../contracts/document-store.ts';
import { openWriter } from '../documents/open-store.ts';
import { DEFAULT_SOURCE, describeMoved, EXTERNAL, remedyForMissing } from '../documents/source-roots.ts';
import { mintRunId } from '../domain/minted-ids.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { contestLine } from '../extraction/choose-extractor.ts';
import { CrashGuard } from '../extraction/crash-guard.ts';
import { InlineExtraction } from '../extraction/inline-extraction.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import { findHooks, notifyHooks } from '../plugin/hooks.ts';
import type { IngestReport } from '../wire/index.ts';
import { EmbeddingStep } from './embedding/embedding-step.ts';
import { failureKey, type IngestContext, type IngestPorts, type IngestTask } from './ingest-context.ts';
import { checkOcrLanguages, PictureStep } from './pictures/picture-step.ts';
import type { FileQueue } from './file-queue.ts';
import type { LateWriter } from './late-writer.ts';
import { planIngest, type FileAction } from './plan-ingest.ts';
import { Progress } from './progress.ts';
import { FileProcessing } from './run/process-files.ts';
import { purgeGone, purgeVanished } from './purge.ts';
import { recordFailures, recordHandled, recordRun, recordSeen } from './run/record-run.ts';
import { ReportBuilder } from './run/report-builder.ts';
import { WordsStep } from './words-step.ts';
import { scanSource, type SourceScan, type WalkedSource } from './run/scan-sources.ts';

/** The current run of this process over each store, for callers that have to wait for it. */
const running = new WeakMap<DocumentStore, Progress>();

/**
 * Performs an ingest: takes the lock, runs, records the run, and reports its end exactly once to listeners. Errors: `locked` while another
 * process is writing, `io_error` without any root, `readonly_mode`.
 */
export async function performIngest(ports: IngestPorts, task: IngestTask): Promise<IngestReport> {
  const { options } = task;
  const store = await ports.documents.write();
  const lexical = await ports.lexicalIndex.write();
  const signal = options.signal ?? new AbortController().signal;
  const call: CallContext = { signal, log: ports.log, progress: () => {} };
  const late = task.locksLate === true ? await lateWriter(store) : null;
  const writer = late ?? (await writerFor(task, { store, signal }));
  const progress = new Progress(options.onProgress, ports.clock);
  running.set(store, progress);
  const omitUnchanged = options.omitUnchanged === true && ports.hooks.names().length === 0;
  const report = new ReportBuilder({ keepItems: options.summaryOnly !== true, omitUnchanged });
  try {
    // Several workers write at once: whoever does the last job of the queue writes the words of all.
    const words =
      late === null || task.embeds === true ? await WordsStep.open({ lexical, store, log: ports.log }) : null;
    const recorded = words?.recording(writer) ?? writer;
    const result = await runStages(ports, task, {
      store,
      lexical,
      call,
      writer: recorded,
      late,
      progress,
      report,
      words,
    });
    notifyHooks(await findHooks(ports), 'onIngested', { value: result, log: ports.log });
    return result;
  } catch (error) {
    if (progress.hasBegun) progress.ended('aborted', report.counts());
    throw error;
  } finally {
    running.delete(store);
    await writer.close();
  }
}

/** How long a worker waits for others to write what they have prepared. */
const LATE_WAIT_MS = 300_000;

async function lateWriter(store: DocumentStore): Promise<LateWriter> {
  const { LateWriter: Writer } = await import('./late-writer.ts');
  return new Writer(store, () => store.openWriter({ waitMs: LATE_WAIT_MS }));
}

async function writerFor(
  { changes }: IngestTask,
  { store, signal }: { readonly store: DocumentStore; readonly signal: AbortSignal },
): Promise<DocumentWriter> {
  try {
    return await (changes === undefined ? openWriter(store, { signal }) : store.openWriter({ waitMs: 0, signal }));
  } catch (error) {
    throw lockedHere(error, running.get(store)) ?? error;
  }
}

/** The error when this process itself is already writing, as its watcher does: names the current file. */
function lockedHere(error: unknown, progress: Progress | undefined): KebabError<'locked'> | null {
  if (progress === undefined || !isKebabError(error, 'locked')) return null;
  const { longest } = progress;
  const seconds = Math.round((longest?.ms ?? 0) / 1000);
  const at = longest === null ? 'is writing' : `has been reading ${longest.path} for ${seconds} s`;
  return new KebabError('locked', `this process (${process.pid}) ${at}, and one at a time can write`, {
    details: error.details,
    hint: 'changed files are being indexed: try again in a moment',
    cause: error,
  });
}

interface Opened extends Pick<IngestContext, 'store' | 'lexical' | 'call' | 'writer' | 'progress' | 'report'> {
  /** The writer of a run that takes the lock for each change; null for others. */
  readonly late: LateWriter | null;
  /** Null for an index that is written with the documents. */
  readonly words: WordsStep | null;
}

/** Scan, plan, prepare and write, remove vanished documents, embed, record. */
async function runStages(ports: IngestPorts, task: IngestTask, opened: Opened): Promise<IngestReport> {
  const { options, isWhole, changes } = task;
  const { config, clock, log } = ports;
  const { progress, report } = opened;
  const startedAt = clock.now();
  const started = performance.now();
  await checkOcrLanguages(ports);
  const sources = await task.open(opened.store, report, opened.call.signal);
  const quarantined = options.forceReingest === true ? [] : await opened.store.quarantined();
  const extraction = await openExtraction(ports, { quarantined, opened });
  const { embeds = true } = task;
  const part = embeds === true ? null : embeds;
  const embedding =
    part === false || options.queue === true ? null : await EmbeddingStep.open({ ...ports, ...opened, part });
  const context: IngestContext = {
    ...task,
    ...opened,
    ...extraction,
    config,
    clock,
    embeddingFingerprint: embedding?.fingerprint ?? null,
    knownFailures: new Set(isWhole || changes !== undefined ? quarantined.map(failureKey) : []),
  };

  const scans = await scanAll(sources, context);
  const moved = scans === null || !isWhole ? [] : await findMovedRoots(scans, context);
  const planned = scans === null ? [] : await planAll(scans, context);
  const done = await ingestPlanned(planned, context, moved);
  const unwritten = (await opened.words?.run({ signal: opened.call.signal })) ?? [];
  for (const degraded of unwritten) report.degrade(degraded);
  const embedded = await embedding?.run({ signal: context.call.signal });
  if (embedded !== undefined) report.recordEmbedding(embedded);
  for (const degraded of embedded?.degraded ?? []) report.degrade(degraded);
  await opened.late?.hold(); // what is recorded is read under the lock
  if (embedded !== undefined && unwritten.length === 0) await opened.words?.run({ signal: opened.call.signal });

  const aborted = embedded?.isCancelled ?? context.call.signal.aborted;
  const result = report.build({
    run_id: mintRunId(startedAt, Buffer.from(crypto.getRandomValues(new Uint8Array(5)))),
    scope: scopeOf(config, sources),
    moved,
    aborted,
    duration_ms: Math.round(performance.now() - started),
  });
  if (changes === undefined) await recordRun(result, { ...context, log, startedAt, done });
  else await recordFailures({ ...context, log, done });
  log.info('ingest ended', { run_id: result.run_id, ...report.counts(), aborted });
  progress.ended(aborted ? 'aborted' : 'completed', report.counts());
  return result;
}

/** Creates what turns files into documents, in this and in other processes. */
async function openExtraction(
  ports: IngestPorts,
  { quarantined, opened }: { readonly quarantined: readonly QuarantinedFile[]; readonly opened: Opened },
): Promise<Pick<IngestContext, 'pipelines' | 'inline' | 'isolated' | 'pictures'>> {
  const { lexical, writer, report } = opened;
  const pipelines = await Pipelines.open({
    ...ports,
    indexVersion: lexical.indexVersion(),
    onContested: (contested) => ports.notify?.(contestLine(contested)),
  });
  const inline = new InlineExtraction(ports);
  const { derivations } = writer;
  const pictures = new PictureStep({ ...ports, derivations, onDegraded: (degraded) => report.degrade(degraded) });
  const isolated = new CrashGuard({
    host: ports.isolated ?? inline,
    quarantined,
    maxCrashes: ({ kind, id }) => ports[`${kind}s`].names().find((named) => named.id === id)?.policy.maxCrashes ?? null,
  });
  return { pipelines, inline, isolated, pictures };
}

/** Null when the run was cancelled before the scan was complete. Throws `io_error` when no root can be walked. */
async function scanAll(
  sources: readonly WalkedSource[],
  context: IngestContext,
): Promise<readonly SourceScan[] | null> {
  const { call } = context;
  const scans: SourceScan[] = [];
  try {
    for (const source of sources) {
      context.progress.scanStarted(source.root);
      scans.push(await scanSource(source, context));
    }
  } catch (error) {
    if (call.signal.aborted && (isAbort(error) || isKebabError(error, 'cancelled'))) return null;
    throw error;
  }
  if (call.signal.aborted) return null;
  await refuseWithoutRoots(scans);
  return scans;
}

/** A source with the action for each of its files. */
interface PlannedSource {
  readonly scan: SourceScan;
  /** Its documents on record. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  readonly actions: readonly FileAction[];
}

/** Plans all sources before the first file, so that the progress includes the total amount of work. */
async function planAll(scans: readonly SourceScan[], context: IngestContext): Promise<readonly PlannedSource[]> {
  const planned: PlannedSource[] = [];
  for (const scan of scans) {
    const paths = context.changes === undefined ? undefined : scan.files.map(({ workspacePath }) => workspacePath);
    const known = await context.store.knownDocuments(scan.source.id, paths);
    const fallbacks = [...known.values()].map(({ fingerprints }) => fingerprints.fallbackChunker);
    await context.pipelines.prepare(scan.files, fallbacks);
    planned.push({ scan, known, actions: planSource(scan, known, context) });
  }
  const actions = planned.flatMap((source) => source.actions);
  context.report.found(actions.length);
  context.progress.scanCompleted(actions.length, actions.filter(({ kind }) => kind !== 'unchanged').length);
  return planned;
}

/** Brings the documents of each source up to date, and returns the scans of the sources completed before the run was cancelled. */
async function ingestPlanned(
  planned: readonly PlannedSource[],
  context: IngestContext,
  moved: readonly MovedRoot[],
): Promise<readonly SourceScan[]> {
  const processing = new FileProcessing(context);
  const queue = await openQueue(context);
  const done: SourceScan[] = [];
  for (const { scan, known, actions } of planned) {
    await rememberRoot(scan, context);
    await processing.process(
      scan.source,
      queue === null ? actions : await queue.withoutQueued(scan.source.id, actions),
    );
    const changed = context.changes?.get(scan.source.id);
    if (context.call.signal.aborted) {
      await recordHandled(scan, context);
      break;
    }
    done.push(scan);
    const hasMoved = moved.some(({ source_id }) => source_id === scan.source.id);
    if (changed !== undefined) await purgeGone(scan, changed, context);
    else if (context.isWhole && !hasMoved) await purgeVanished(scan, known, context);
    await recordSeen(scan, known, context);
  }
  await queue?.close();
  return done;
}

/** The queue that takes new and changed files; null where this run reads them itself. */
async function openQueue({ store, options, report, config, lexical }: IngestContext): Promise<FileQueue | null> {
  if (options.queue !== true) return null;
  const { openFileQueue } = await import('./file-queue.ts');
  const hasLastJob = !hasNoVectors(config) || lexical.update !== undefined;
  return openFileQueue(store, { report, hasLastJob });
}

function planSource(
  { source, files }: SourceScan,
  known: ReadonlyMap<string, KnownDocument>,
  { pipelines, options, clock }: IngestContext,
): readonly FileAction[] {
  return planIngest(files, known, {
    fingerprints: (file, document) => pipelines.expected(file.mediaType, source.defaults, document),
    verify: options.verify ?? false,
    force: options.forceReingest ?? false,
    now: clock.now(),
  });
}

/** Records that from now on the documents of a source are in the folder that was walked. */
async function rememberRoot({ source, rootFailure }: SourceScan, { store, writer }: IngestContext): Promise<void> {
  const isFolder = source.connectorId === 'fs' || source.id === EXTERNAL;
  if (!isFolder || rootFailure !== null) return;
  if ((await store.indexedRoots()).get(source.id) !== source.root) await writer.setIndexedRoot(source.id, source.root);
}

function scopeOf({ workspace }: ResolvedConfig, sources: readonly WalkedSource[]): IngestReport['scope'] {
  return {
    root: sources.find(({ id }) => id === DEFAULT_SOURCE)?.root ?? workspace.root,
    include: [...workspace.include],
    exclude: [...workspace.exclude],
    sources: sources.map(({ id, root }) => ({ id, root })),
  };
}

const ADD_OR_MOUNT = 'add a folder with `kebab add FOLDER`, or check that this one is there and mounted';

async function refuseWithoutRoots(scans: readonly SourceScan[]): Promise<void> {
  const rooted = scans.filter(({ source }) => source.id !== EXTERNAL);
  const failed = rooted.flatMap(({ source, rootFailure }) => (rootFailure === null ? [] : [{ source, rootFailure }]));
  const [first] = failed;
  if (first === undefined || failed.length < rooted.length) return;
  const { id, root } = first.source;
  const place = id === DEFAULT_SOURCE ? `the default folder ${root}` : `the folder ${root} of source "${id}"`;
  const reason = first.rootFailure.replace(/^cannot read \.: /, '');
  const kind = await readdir(root).then(
    () => 'EIO', // it has become readable
    ({ code = 'EIO' }: NodeJS.ErrnoException) => code,
  );
  throw new KebabError('io_error', `there is no source to walk: ${place}: ${reason}`, {
    details: { kind, path: root, cause: first.rootFailure },
    hint: id === DEFAULT_SOURCE ? ADD_OR_MOUNT : remedyForMissing(first.source),
  });
}

/** A source whose folder is elsewhere than when it was indexed. */
type MovedRoot = NonNullable<IngestReport['moved']>[number];

/**
 * The sources whose folder has moved: they are configured with another root than they were indexed from, and it contains at least half of
 * their documents, at their paths and with their sizes. Throws `config_invalid` for a source whose configured root is an unrelated folder:
 * ingesting it would replace one index by another.
 */
async function findMovedRoots(
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
