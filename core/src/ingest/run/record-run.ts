import type { Logger } from '../../contracts/contribution.ts';
import type { QuarantinedFile } from '../../contracts/document-store.ts';
import { configuredSourceIds } from '../../documents/source-roots.ts';
import { sweepCopies } from '../../documents/sweep-copies.ts';
import type { IngestReport } from '../../wire/index.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { FailedFile } from './report-builder.ts';
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
  writer.derivations.sweep(new Date(unusedSince));
  if (report.changes > 0) sweepCopies(writer, config.storage.assetDir);
  writer.recordRun({
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
  writer.setQuarantine(quarantineAfter({ before, failed, isOver, at }));
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
