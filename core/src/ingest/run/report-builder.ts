import type { SourceFile } from '../../contracts/source-connector.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { Degraded, IngestCounts, IngestItem, IngestItemKind, IngestReport } from '../../wire/index.ts';
import { compareCodePoints } from '../../domain/code-point-order.ts';
import { KEBAB_VERSION } from '../../domain/versions.ts';

/** The agent of failures that are not a plugin's. */
export const HOST_AGENT = `kebab@${KEBAB_VERSION}`;

/** The reasons for skipping that a report counts separately. */
const COUNTERS = [
  'gitignore',
  'kebabignore',
  'builtin_blacklist',
  'excluded',
  'generated',
  'size_exceeded',
  'binary',
  'unfollowed_link',
  'secrets',
] as const;
type Counter = (typeof COUNTERS)[number];

const MAX_EXAMPLES = 5;

/** The known members of an item; the others become null. */
export type ItemFacts = Pick<IngestItem, 'kind' | 'doc_path' | 'source_id'> & Partial<IngestItem>;

const NOTHING_KNOWN = {
  doc_id: null,
  asset_id: null,
  byte_len: null,
  block_count: null,
  chunk_count: null,
  parser_version: null,
  chunker_version: null,
  ocr_pages: null,
  warnings: [],
  error: null,
  error_code: null,
} as const satisfies Partial<IngestItem>;

/** A file that failed in this run. */
export interface FailedFile {
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly reason: string;
  readonly code: ErrorCode;
  readonly agent: string;
}

/** The members of a report that are known only when the run is over. */
interface EndedRunFacts extends Pick<IngestReport, 'run_id' | 'scope' | 'aborted' | 'duration_ms'> {
  readonly moved: NonNullable<IngestReport['moved']>;
}

/** Collects the outcome of every entry of a run, and summarises them in a report. */
export class ReportBuilder {
  readonly #keepItems: boolean;
  readonly #omitUnchanged: boolean;
  readonly #items: IngestItem[] = [];
  readonly #counts: Record<IngestItemKind, number> = {
    new: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    error: 0,
    purged: 0,
  };
  readonly #skipped = new Map<string, { count: number; readonly examples: string[] }>();
  readonly #byExtension = new Map<string, number>();
  readonly #purgeRefused: IngestReport['purge_refused'][number][] = [];
  readonly #failed: FailedFile[] = [];
  readonly #tooLarge: string[] = [];
  #files = 0;
  #queued: number | undefined;
  #unread = 0;
  #chunks = 0;
  #embedded = 0;
  #embeddingsPending = 0;
  readonly #degraded: Degraded[] = [];

  constructor(options: { readonly keepItems: boolean; readonly omitUnchanged?: boolean | undefined }) {
    this.#keepItems = options.keepItems;
    this.#omitUnchanged = options.omitUnchanged ?? false;
  }

  /** Whether the report lists items of this kind, rather than only counting them. */
  names(kind: IngestItemKind): boolean {
    return this.#keepItems && !(this.#omitUnchanged && kind === 'unchanged');
  }

  /** Files that failed so far. */
  get failed(): readonly FailedFile[] {
    return this.#failed;
  }

  /** Files that no plugin reads so far, by extension. */
  get unsupported(): ReadonlyMap<string, number> {
    return this.#byExtension;
  }

  /** Files that were too large to be read so far. */
  get tooLarge(): readonly string[] {
    return this.#tooLarge;
  }

  /** Documents written or removed so far. */
  get changes(): number {
    return this.#counts.new + this.#counts.updated + this.#counts.purged;
  }

  /** The paths of a source that have an outcome; empty if items are not kept. */
  handled(sourceId: string): ReadonlySet<string> {
    return new Set(this.#items.flatMap(({ source_id, doc_path }) => (source_id === sourceId ? [doc_path] : [])));
  }

  /** Whether a purge of the source was refused, so that documents remain although their files are gone. */
  hasRefused(sourceId: string): boolean {
    return this.#purgeRefused.some(({ source_id }) => source_id === sourceId);
  }

  /** Sets the number of files that the run processes. */
  found(files: number): void {
    this.#files = files;
  }

  /** Counts files that were left to workers. */
  queued(files: number): void {
    this.#queued = (this.#queued ?? 0) + files;
  }

  /** Counts a document that was written although no model was available to read its pictures. */
  leftUnread(): void {
    this.#unread++;
  }

  /** Counts a file without listing it. */
  count(kind: 'unchanged' | 'updated'): void {
    this.#counts[kind]++;
  }

  record(facts: ItemFacts): void {
    this.#counts[facts.kind]++;
    if (facts.kind === 'new' || facts.kind === 'updated') this.#chunks += facts.chunk_count ?? 0;
    const { kind, doc_path, source_id, ...known } = facts;
    if (this.names(kind)) this.#items.push({ kind, doc_path, source_id, ...NOTHING_KNOWN, ...known });
  }

  /** Records a failure; as a skipped file with a reason, if that is its `kind`, because an earlier run has named it. */
  fail(file: FailedFile, { kind = 'error', ...facts }: Partial<IngestItem> = {}): void {
    const { sourceId, workspacePath, reason, code } = file;
    this.#failed.push(file);
    this.record({
      ...facts,
      kind,
      doc_path: workspacePath,
      source_id: sourceId,
      error: reason,
      error_code: code,
    });
  }

  skip(sourceId: string, workspacePath: string, counter: string): void {
    this.#note(counter, workspacePath);
    this.record({ kind: 'skipped', doc_path: workspacePath, source_id: sourceId });
  }

  /** Counts a document of which only the beginning is indexed; it is recorded as written. */
  indexedByName(workspacePath: string): void {
    this.#note('generated', workspacePath);
  }

  #note(counter: string, workspacePath: string): void {
    if (counter === 'size_exceeded') this.#tooLarge.push(workspacePath);
    const group = this.#skipped.get(counter) ?? { count: 0, examples: [] };
    group.count++;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(workspacePath);
    this.#skipped.set(counter, group);
  }

  skipUnsupported(sourceId: string, file: SourceFile, extension: string): void {
    const key = extension === '' ? '<no-ext>' : extension;
    this.#byExtension.set(key, (this.#byExtension.get(key) ?? 0) + 1);
    this.record({ kind: 'skipped', doc_path: file.workspacePath, source_id: sourceId, byte_len: file.size });
  }

  refusePurge(refusal: IngestReport['purge_refused'][number]): void {
    this.#purgeRefused.push(refusal);
  }

  /** Sets the result of the embedding step. */
  recordEmbedding({ embedded, pending }: { readonly embedded: number; readonly pending: number }): void {
    this.#embedded = embedded;
    this.#embeddingsPending = pending;
  }

  /** Notes a skipped stage, once per stage and reason. */
  degrade(degraded: Degraded): void {
    const isKnown = this.#degraded.some(({ stage, reason }) => stage === degraded.stage && reason === degraded.reason);
    if (!isKnown) this.#degraded.push(degraded);
  }

  counts(): IngestCounts {
    const { error, ...rest } = this.#counts;
    const scanned = rest.new + rest.updated + rest.unchanged + rest.skipped + error;
    return { ...rest, scanned, errors: error, chunks_indexed: this.#chunks, embeddings_indexed: this.#embedded };
  }

  build({ moved, ...run }: EndedRunFacts): IngestReport {
    const { chunks_indexed: _chunks, embeddings_indexed: _embeddings, ...counts } = this.counts();
    const order = new Map(run.scope.sources.map(({ id }, i) => [id, i]));
    const rank = (item: IngestItem): number => order.get(item.source_id) ?? order.size;
    return {
      schema_version: 'ingest_report.v1',
      ...run,
      ...counts,
      files: this.#files,
      unread: this.#unread,
      ...(this.#queued === undefined ? {} : { queued: this.#queued }),
      purge_refused: this.#purgeRefused,
      ...(moved.length === 0 ? {} : { moved }),
      embeddings_pending: this.#embeddingsPending,
      degraded: this.#degraded,
      ...this.#skipCounts(),
      skipped_by_extension: Object.fromEntries(this.#byExtension),
      skip_examples: byCounter((counter) => this.#skipped.get(counter)?.examples ?? []),
      items: this.#keepItems
        ? this.#items.toSorted((a, b) => rank(a) - rank(b) || compareCodePoints(a.doc_path, b.doc_path))
        : null,
    };
  }

  #skipCounts(): SkipCounts {
    const entries = COUNTERS.map((counter) => [`skipped_${counter}`, this.#skipped.get(counter)?.count ?? 0]);
    return Object.fromEntries(entries) as SkipCounts;
  }
}

type SkipCounts = Pick<IngestReport, `skipped_${Counter}`>;

function byCounter<T>(value: (counter: Counter) => T): Readonly<Record<Counter, T>> {
  return Object.fromEntries(COUNTERS.map((counter) => [counter, value(counter)])) as Record<Counter, T>;
}
