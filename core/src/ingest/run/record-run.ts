import type { Logger } from '../../contracts/contribution.ts';
import type { KnownDocument, QuarantinedFile } from '../../contracts/document-store.ts';
import type { SeenPlace } from '../../contracts/seen-places.ts';
import { configuredSourceIds } from '../../documents/source-roots.ts';
import { sweepCopies } from '../../documents/open-store.ts';
import type { IngestReport } from '../../wire/index.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { FailedFile } from './report-builder.ts';
import { changesBetween, leftOut, mayBeThere, seenUnreadable } from '../scan/seen-places.ts';
import type { SourceScan } from './scan-sources.ts';

/** A finished run that has not been recorded yet. */
export interface EndedRun extends Pick<
  IngestContext,
  'store' | 'writer' | 'report' | 'config' | 'clock' | 'isWhole' | 'options'
> {
  readonly log: Logger;
  readonly startedAt: Date;
  /** The sources that were processed completely. */
  readonly done: readonly SourceScan[];
}

const MS_PER_DAY = 86_400_000;

/** Records a run for later runs and `doctor`, and removes cached results and asset copies that are no longer used. */
export async function recordRun(result: IngestReport, run: EndedRun): Promise<void> {
  const { writer, report, config } = run;
  const finishedAt = run.clock.now();
  const failed = await recordFailures(run);
  const unusedSince = finishedAt.getTime() - config.storage.cacheTtlDays * MS_PER_DAY;
  await writer.derivations.sweep(new Date(unusedSince));
  if (report.changes > 0) await sweepCopies(writer, config.storage.assetDir);
  await writer.recordRun({
    runId: result.run_id,
    scopeJson: JSON.stringify(result.scope),
    scanned: result.scanned,
    newCount: result.new,
    updatedCount: result.updated,
    unchangedCount: result.unchanged,
    skippedCount: result.skipped,
    errorCount: result.errors,
    purgedCount: result.purged,
    embeddingsPending: result.embeddings_pending,
    aborted: result.aborted,
    durationMs: result.duration_ms,
    startedAt: run.startedAt,
    finishedAt,
    itemsJson: failed.length === 0 ? null : JSON.stringify(failed),
  });
}

/** Updates the quarantine, and returns the files that failed in this run. */
export async function recordFailures(run: Omit<EndedRun, 'startedAt'>): Promise<readonly FailedFile[]> {
  const { store, writer, report, log } = run;
  const before = await store.quarantined();
  const failed = report.failed.filter(({ code }) => code !== 'cancelled');
  for (const { sourceId, workspacePath, reason } of failed)
    log.warn('a file was not ingested', { source_id: sourceId, doc_path: workspacePath, reason });
  const at = run.clock.now();
  if (before.length + failed.length === 0) return failed;
  const isGone = before.length === 0 ? () => false : await goneSources(run);
  const isOver = (file: QuarantinedFile): boolean => isGone(file.sourceId) || wasTried(file, run);
  await writer.setQuarantine(quarantineAfter({ before, failed, isOver, at }));
  return failed;
}

/** Decides whether a source is no longer configured; only a run over all sources draws this conclusion. */
async function goneSources({ store, config, isWhole, options }: Omit<EndedRun, 'startedAt'>) {
  if (!isWhole || options.sources !== undefined) return () => false;
  const configured = configuredSourceIds(config, await store.indexedRoots());
  return (sourceId: string): boolean => !configured.has(sourceId);
}

/** Whether a file that failed earlier was processed in this run, or is known to be gone. */
function wasTried(
  { sourceId, workspacePath }: QuarantinedFile,
  { done, isWhole }: Pick<EndedRun, 'done' | 'isWhole'>,
): boolean {
  const scan = done.find(({ source }) => source.id === sourceId);
  return scan !== undefined && (isWhole || scan.present.has(workspacePath));
}

interface QuarantineInput {
  readonly before: readonly QuarantinedFile[];
  readonly failed: readonly FailedFile[];
  /** Whether an earlier failure is no longer on record, unless the file failed again. */
  readonly isOver: (file: QuarantinedFile) => boolean;
  readonly at: Date;
}

/** The quarantine after a run: the files that failed in it, and earlier ones that it neither processed nor found without a source. */
function quarantineAfter(input: QuarantineInput): readonly QuarantinedFile[] {
  const { before, failed, at } = input;
  const attempts = new Map(before.map((file) => [keyOf(file), file.attempts]));
  const now = failed.map((file) => ({ ...file, attempts: (attempts.get(keyOf(file)) ?? 0) + 1, lastFailedAt: at }));
  const failedNow = new Set(now.map(keyOf));
  return [...before.filter((file) => !failedNow.has(keyOf(file)) && !input.isOver(file)), ...now];
}

function keyOf({ sourceId, workspacePath }: { readonly sourceId: string; readonly workspacePath: string }): string {
  return `${sourceId}\n${workspacePath}`;
}

type SeenContext = Pick<IngestContext, 'store' | 'writer' | 'report' | 'config' | 'isWhole' | 'changes'>;

/** Records what a run saw of a source that it completed, so that later checks find subsequent changes. */
export async function recordSeen(
  { source, seen, rootFailure }: SourceScan,
  known: ReadonlyMap<string, KnownDocument>,
  { store, writer, report, config, isWhole, changes }: SeenContext,
): Promise<void> {
  if (rootFailure !== null || source.connectorId !== 'fs') return;
  const unread = new Set(report.failed.flatMap((file) => (isUnread(file, source.id) ? [file.workspacePath] : [])));
  const withUnread = (places: readonly SeenPlace[]): readonly SeenPlace[] =>
    unread.size === 0
      ? places
      : places.map((place) => (unread.has(place.path) ? seenUnreadable(source.root, place) : place));
  const changed = changes?.get(source.id);
  if (isWhole && changed === undefined) {
    const paths = new Set<string>();
    for (const { path } of seen) paths.add(path);
    const place = { root: source.root, linksOutside: config.workspace.symlinksOutside };
    const missed: string[] = [];
    for (const path of known.keys()) if (!paths.has(path) && mayBeThere(place, path)) missed.push(path);
    await writer.setSeen(
      source.id,
      changesBetween(await store.seenPlaces(source.id), [...withUnread(seen), ...missed.map(leftOut)]),
    );
    return;
  }
  const refused = report.hasRefused(source.id);
  const now = [...seen.filter(({ kind }) => kind !== 'directory'), ...(refused ? [] : (changed?.places ?? []))];
  await writer.setSeen(source.id, {
    put: [...new Map(withUnread(now).map((place) => [place.path, place])).values()], // a dangling link is in both
    remove: refused ? [] : (changed?.gone ?? []),
  });
}

function isUnread({ sourceId, code }: FailedFile, id: string): boolean {
  return sourceId === id && code === 'io_error';
}

/** Records what a run saw that was ended by its budget: only the files that it reached, so that the rest is found again. */
export async function recordHandled(
  { source, seen }: SourceScan,
  { writer, report, changes }: SeenContext,
): Promise<void> {
  if (changes === undefined) return;
  const handled = report.handled(source.id);
  await writer.setSeen(source.id, { put: seen.filter(({ path }) => handled.has(path)), remove: [] });
}
