import { readdirSync } from 'node:fs';
import type { InFlight } from '../../extraction/in-flight.ts';
import type { IngestOptions } from '../ingest-options.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { CallContext, Clock } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter, KnownDocument } from '../../contracts/document-store.ts';
import { isAbort } from '../../errors/abort.ts';
import { isKebabError, KebabError } from '../../errors/kebab-error.ts';
import { EXTERNAL } from '../../documents/external-folder.ts';
import type { EmbeddingStep } from '../embedding/embedding-step.ts';
import { planIngest } from '../plan-ingest.ts';
import type { Pipelines } from '../../extraction/pipelines.ts';
import type { FileHints } from './file-task.ts';
import { HOST_AGENT, type FilePreparation } from './prepare-file.ts';
import { FileProcessing } from './process-files.ts';
import type { Progress } from '../progress.ts';
import { purgeVanished } from './purge-vanished.ts';
import type { ReportBuilder } from './report-builder.ts';
import { scanSource, type SourceScan, type WalkedSource } from './scan-sources.ts';

/** What a run takes. */
export interface RunTools {
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
  readonly pipelines: Pipelines;
  readonly preparation: FilePreparation;
  readonly inFlight: InFlight;
  readonly progress: Progress;
  readonly report: ReportBuilder;
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly context: CallContext;
  readonly options: IngestOptions;
  readonly embedding: EmbeddingStep;
  /** What is known of the one file that was brought in by hand; such a run removes nothing. */
  readonly hints: FileHints | null;
}

/** The steps of one ingest, in a straight line: scan, plan, prepare and write, remove what vanished, embed. */
export class IngestRun {
  readonly #tools: RunTools;
  /** Which files were looked at, by source. */
  readonly #tried = new Map<string, (workspacePath: string) => boolean>();

  constructor(tools: RunTools) {
    this.#tools = tools;
  }

  /** Whether a file was looked at, or is known not to be there any more. */
  tried(sourceId: string, workspacePath: string): boolean {
    return this.#tried.get(sourceId)?.(workspacePath) ?? false;
  }

  /** Says whether the run was cancelled on its way. Throws `io_error` when no root can be walked. */
  async perform(sources: readonly WalkedSource[]): Promise<{ readonly aborted: boolean }> {
    const { context, progress } = this.#tools;
    const scans = await this.#scan(sources);
    if (scans === null) return { aborted: await this.#embed() };
    refuseWithoutRoots(scans);
    progress.scanCompleted(scans.reduce((total, { files }) => total + files.length, 0));
    const processing = this.#processing();
    for (const scan of scans) {
      const known = await this.#tools.store.knownDocuments(scan.source.id);
      await this.#process(scan, known, processing);
      if (context.signal.aborted) return { aborted: await this.#embed() };
      const isWhole = this.#tools.hints === null;
      if (isWhole) await this.#purge(scan, known);
      this.#tried.set(scan.source.id, (path) => isWhole || scan.present.has(path));
    }
    return { aborted: await this.#embed() };
  }

  /** Says whether it was cancelled. */
  async #embed(): Promise<boolean> {
    const { embedding, report, context } = this.#tools;
    const outcome = await embedding.run({ signal: context.signal });
    report.recordEmbedding(outcome);
    for (const degraded of outcome.degraded) report.degrade(degraded);
    return outcome.isCancelled;
  }

  /** Null when the run was cancelled before it had seen everything. */
  async #scan(sources: readonly WalkedSource[]): Promise<readonly SourceScan[] | null> {
    const scans: SourceScan[] = [];
    try {
      for (const source of sources) {
        this.#tools.progress.scanStarted(source.root);
        scans.push(await scanSource(source, { ...this.#tools, agent: HOST_AGENT }));
      }
      return this.#tools.context.signal.aborted ? null : scans;
    } catch (error) {
      if (this.#tools.context.signal.aborted && (isAbort(error) || isKebabError(error, 'cancelled'))) return null;
      throw error;
    }
  }

  async #process(
    { source, files }: SourceScan,
    known: ReadonlyMap<string, KnownDocument>,
    processing: FileProcessing,
  ): Promise<void> {
    const { pipelines, options } = this.#tools;
    await pipelines.prepare(files, known);
    const plan = planIngest(files, known, {
      fingerprints: (file, document) => pipelines.expected(file.mediaType, source.defaults, document),
      verify: options.verify ?? false,
      force: options.forceReingest ?? false,
    });
    await processing.process(source, plan);
  }

  async #purge(scan: SourceScan, known: ReadonlyMap<string, KnownDocument>): Promise<void> {
    await purgeVanished(scan, known, {
      ...this.#tools,
      allowMassDelete: this.#tools.options.allowMassDelete ?? false,
    });
  }

  #processing(): FileProcessing {
    const { config, context } = this.#tools;
    return new FileProcessing({
      ...this.#tools,
      signal: context.signal,
      width: config.indexing.maxParallelExtractors,
      embeddingFingerprint: this.#tools.embedding.fingerprint,
    });
  }
}

function refuseWithoutRoots(scans: readonly SourceScan[]): void {
  const rooted = scans.filter(({ source }) => source.id !== EXTERNAL);
  const failed = rooted.flatMap(({ source, rootFailure }) => (rootFailure === null ? [] : [{ source, rootFailure }]));
  const [first] = failed;
  if (first === undefined || failed.length < rooted.length) return;
  const { root } = first.source;
  const reason = first.rootFailure.replace(/^cannot read \.: /, '');
  throw new KebabError('io_error', `there is no source to walk: ${root}: ${reason}`, {
    details: { kind: whyUnreadable(root), path: root, cause: first.rootFailure },
    hint: 'check that the folder is there and mounted, or correct workspace.root with `kebab config show`',
  });
}

/** The code of the operating system for a folder that could not be read; `EIO` when it can be by now. */
function whyUnreadable(folder: string): string {
  try {
    readdirSync(folder);
    return 'EIO';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO';
  }
}
