import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { IngestOptions } from '../ingest-options.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { CallContext } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter, QuarantinedFile } from '../../contracts/document-store.ts';
import type { LexicalIndex } from '../../contracts/lexical-index.ts';
import type { Ports } from '../../ports.ts';
import { findHooks, tellHooks } from '../../plugin/hooks.ts';
import type { Degraded, IngestReport } from '../../wire/index.ts';
import type { ExtractionHost } from '../../extraction/extraction-job.ts';
import { CrashGuard } from '../../extraction/crash-guard.ts';
import { InFlight } from '../../extraction/in-flight.ts';
import { InlineExtraction } from '../../extraction/inline-extraction.ts';
import { EmbeddingStep } from '../embedding/embedding-step.ts';
import { PictureStep } from '../pictures/picture-step.ts';
import { Pipelines } from '../../extraction/pipelines.ts';
import type { FileHints } from './file-task.ts';
import { IngestRun } from './ingest-run.ts';
import { FilePreparation } from './prepare-file.ts';
import { Progress } from '../progress.ts';
import { quarantineAfter } from './quarantine.ts';
import { ReportBuilder } from './report-builder.ts';
import { mintRunId } from '../../domain/run-id.ts';
import type { WalkedSource } from './scan-sources.ts';

/** The ports of an ingest. */
export type IngestPorts = Pick<
  Ports,
  | 'documents'
  | 'lexicalIndex'
  | 'connectors'
  | 'extractors'
  | 'chunkers'
  | 'embedders'
  | 'vectorStores'
  | 'ocrEngines'
  | 'captioners'
  | 'hooks'
  | 'config'
  | 'clock'
  | 'log'
>;

/** What every ingest takes. */
export interface EngineInit {
  readonly ports: IngestPorts;
  /** For extractors that run in a thread of their own; null runs them here. */
  readonly isolated: ExtractionHost | null;
}

/** What one ingest is to do. */
export interface EngineRequest {
  readonly options: IngestOptions;
  /** Opens the sources to walk; called when the lock is held. */
  readonly open: (store: DocumentStore) => Promise<readonly WalkedSource[]>;
  readonly hints: FileHints | null;
}

/** What is open while a run lasts. */
interface OpenRun {
  readonly store: DocumentStore;
  readonly lexical: LexicalIndex;
  readonly writer: DocumentWriter;
  readonly progress: Progress;
  readonly report: ReportBuilder;
  readonly inFlight: InFlight;
}

const MS_PER_DAY = 86_400_000;

/** How long another writer may take to finish. */
const LOCK_WAIT_MS = 1000;

/** Performs ingests: takes the lock, runs, records the run, and tells exactly one end to whoever listens. */
export class IngestEngine {
  readonly #init: EngineInit;

  constructor(init: EngineInit) {
    this.#init = init;
  }

  /** Errors: `locked` while another process writes, `io_error` without any root, `readonly_mode`. */
  async run(request: EngineRequest): Promise<IngestReport> {
    const { ports, isolated } = this.#init;
    const { options } = request;
    const store = await ports.documents.write();
    const lexical = await ports.lexicalIndex.write();
    const signal = options.signal ?? new AbortController().signal;
    const writer = await store.openWriter({ waitMs: LOCK_WAIT_MS, signal });
    const progress = new Progress(options.onProgress, ports.clock);
    const report = new ReportBuilder({ keepItems: options.summaryOnly !== true });
    const inFlight = InFlight.open(ports.config.storage.dataDir);
    try {
      const result = await this.#perform(request, { store, lexical, writer, progress, report, inFlight });
      await this.#tellHooks(result);
      return result;
    } catch (error) {
      progress.ended('aborted', report.counts());
      throw error;
    } finally {
      await isolated?.close();
      inFlight.close();
      writer.close();
    }
  }

  async #tellHooks(result: IngestReport): Promise<void> {
    const { ports } = this.#init;
    tellHooks(await findHooks(ports), 'onIngested', { value: result, log: ports.log });
  }

  async #perform({ options, open, hints }: EngineRequest, opened: OpenRun): Promise<IngestReport> {
    const { ports, isolated } = this.#init;
    const { config, clock, log } = ports;
    const { store, lexical, writer, progress, report } = opened;
    const startedAt = clock.now();
    const started = performance.now();
    const signal = options.signal ?? new AbortController().signal;
    const context: CallContext = { signal, log, progress: () => {} };
    const sources = await open(store);
    const pipelines = await Pipelines.open({ ...ports, indexVersion: lexical.indexVersion() });
    const inline = new InlineExtraction(ports);
    const { derivations } = writer;
    const onDegraded = (degraded: Degraded): void => report.degrade(degraded);
    const pictures = new PictureStep({ ...ports, derivations, onDegraded });
    const preparation = new FilePreparation({
      pipelines,
      pictures,
      inline,
      store,
      lexical,
      config,
      clock,
      context,
      isolated: new CrashGuard({
        host: isolated ?? inline,
        quarantined: options.forceReingest === true ? [] : await store.quarantined(),
        maxCrashes: (id) => ports.extractors.names().find((named) => named.id === id)?.policy.maxCrashes ?? null,
      }),
      inFlight: opened.inFlight,
      force: options.forceReingest ?? false,
    });
    const embedding = await EmbeddingStep.open({ ...opened, ...ports });
    const run = new IngestRun({ ...opened, embedding, pipelines, preparation, config, clock, context, options, hints });
    const { aborted } = await run.perform(sources);
    const result = report.build({
      run_id: mintRunId(startedAt, randomBytes(5)),
      scope: scopeOf(config, sources),
      aborted,
      duration_ms: Math.round(performance.now() - started),
    });
    await this.#record(opened, { result, run, startedAt });
    log.info('ingest ended', { run_id: result.run_id, ...report.counts(), aborted });
    progress.ended(aborted ? 'aborted' : 'completed', report.counts());
    return result;
  }

  /** Keeps what later runs and `doctor` ask for, and removes copies of bytes that nothing refers to any more. */
  async #record(
    { store, writer, report }: OpenRun,
    { result, run, startedAt }: { readonly result: IngestReport; readonly run: IngestRun; readonly startedAt: Date },
  ): Promise<void> {
    const finishedAt = this.#init.ports.clock.now();
    const before = await store.quarantined();
    const failed = report.failed.filter(({ code }) => code !== 'cancelled');
    for (const { sourceId, workspacePath, reason } of failed)
      this.#init.ports.log.warn('a file was not taken in', { source_id: sourceId, doc_path: workspacePath, reason });
    const wasTried = (file: QuarantinedFile): boolean => run.tried(file.sourceId, file.workspacePath);
    if (before.length + failed.length > 0)
      writer.setQuarantine(quarantineAfter({ before, failed, wasTried, at: finishedAt }));
    const unusedSince = finishedAt.getTime() - this.#init.ports.config.storage.cacheTtlDays * MS_PER_DAY;
    writer.derivations.sweep(new Date(unusedSince));
    if (report.changes > 0) for (const path of writer.sweepAssets()) this.#removeCopy(path);
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
      startedAt,
      finishedAt,
      itemsJson: failed.length === 0 ? null : JSON.stringify(failed),
    });
  }

  #removeCopy(path: string): void {
    const inside = relative(this.#init.ports.config.storage.assetDir, path);
    if (!inside.startsWith('..') && !isAbsolute(inside)) rmSync(path, { force: true });
  }
}

function scopeOf({ workspace }: ResolvedConfig, sources: readonly WalkedSource[]): IngestReport['scope'] {
  return {
    root: workspace.root,
    include: [...workspace.include],
    exclude: [...workspace.exclude],
    sources: sources.map(({ id, root }) => ({ id, root })),
  };
}
