import type { IndexText } from '../analysis/index-text.ts';
import type { RawAsset, Chunk, CanonicalDocument, PageRange } from '../domain/document.ts';
import type { Block } from '../domain/block.ts';
import type { AssetId, ChunkId, DocumentId } from '../domain/ids.ts';
import type { Media, SourceType, TrustLevel } from '../domain/kinds.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { ErrorCode } from '../errors/codes.ts';
import type { FileStat } from './source-connector.ts';
import type { AnswerLog, EvalLog } from './logs.ts';
import type { AbortOptions } from './contribution.ts';
import type { PictureUse } from './extractor.ts';
import type { JobRepo } from './job-repo.ts';
import type { DerivationKind, DerivationRecords } from './derivation-records.ts';
import type { Passage } from './retriever.ts';
import type { SeenChanges, SeenPlace, SeenScope } from './seen-places.ts';
import type { StoreArchive } from './store-archive.ts';
import type { VectorLedger, VectorLedgerWriter } from './vector-ledger.ts';

/** The fingerprints of the stages that produced a document; a difference decides what must be redone. */
export interface StageFingerprints {
  readonly parser: string;
  readonly chunker: string;
  readonly embedding: string | null;
  /** The chunker that the extractor chose for this document, if it is not the default one of its medium. */
  readonly fallbackChunker: string | null;
  /** The picture uses that were skipped because their engine was missing: every later run examines the document again. */
  readonly unread: readonly PictureUse[];
  /** Whether secrets were redacted from its text. */
  readonly hasSecrets: boolean;
}

/** A stored document without its text and blocks. */
export interface DocumentRow {
  readonly docId: DocumentId;
  readonly assetId: AssetId;
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly media: Media;
  readonly title: string;
  readonly lang: string;
  readonly sourceType: SourceType;
  readonly trustLevel: TrustLevel;
  readonly repo: string | null;
  readonly codeLang: string | null;
  /** The tags that the document declares; see {@link DocumentRow.inlineTags} for the rest. */
  readonly tags: readonly string[];
  /** Tags in the text; absent when there are none. */
  readonly inlineTags?: readonly string[] | undefined;
  readonly parserVersion: string;
  readonly chunkerVersion: string;
  readonly fingerprints: StageFingerprints;
  readonly docVersion: number;
  readonly byteLen: number;
  readonly chunkCount: number;
  readonly textLength: number;
  readonly pages: readonly PageRange[];
  /** The state of the file when it was read; null for documents without a file. */
  readonly file: FileStat | null;
  readonly checksum: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The date that filters compare, see `documentDate`. */
  readonly date: Date;
  readonly committedAt: Date;
  readonly indexedAt: Date;
}

/** A chunk with its document and its own text: the basis of a hit. */
export interface ChunkWithDocument {
  readonly chunk: Chunk;
  readonly document: DocumentRow;
  /** A longer stretch of the document's text that contains the slice, from a store that had to read it anyway. */
  readonly around?: { readonly start: number; readonly text: string };
}

/** The facts about a known document that an ingest compares. */
export interface KnownDocument {
  readonly docId: DocumentId;
  readonly workspacePath: string;
  readonly assetId: AssetId;
  readonly checksum: string;
  readonly file: FileStat | null;
  readonly indexedAt: Date;
  readonly docVersion: number;
  readonly fingerprints: StageFingerprints;
}

/** A document with everything that is committed along with it. */
export interface DocumentWrite {
  readonly asset: RawAsset;
  readonly document: CanonicalDocument;
  readonly chunks: readonly Chunk[];
  /** One per chunk, in the same order, made by `analyseChunk` from the chunk and its document. A store may make them again from these. */
  readonly index: readonly IndexText[];
  readonly fingerprints: StageFingerprints;
  readonly chunkerVersion: string;
  readonly file: FileStat | null;
  readonly committedAt: Date;
}

/** A document encoded for the writers of one kind of store. It is self-contained: its source objects are no longer needed. */
export interface PreparedDocument {
  readonly docId: DocumentId;
  readonly prepared: unknown;
}

/** Changes inside one transaction. Each change that can alter a search result increments the corpus revision by itself. */
export interface DocumentTransaction {
  /** Writes a document, its text, blocks, chunks and full-text rows, and removes the version it replaces. */
  putDocument(document: DocumentWrite | PreparedDocument): void;
  /** Removes a document; chunks, full-text rows and tags go with it, its vectors become tombstones. */
  deleteDocument(id: DocumentId): void;
  /** Records that a document was found unchanged; does not change the corpus revision. */
  touchDocument(id: DocumentId, indexedAt: Date, file: FileStat | null): void;
  /** Does the same for many documents whose files have the recorded size and time. */
  touchDocuments(ids: readonly DocumentId[], indexedAt: Date): void;
}

/**
 * The single writer of a knowledge base; it holds the lock until it is closed. Each call is one
 * transaction; calls may overlap, and take effect in the order in which they were made.
 */
export interface DocumentWriter {
  readonly vectors: VectorLedgerWriter;
  readonly derivations: DerivationRecords;
  /**
   * Makes changes atomically, even under `kill -9`: `change` names them in order, without waiting for anything, and none is visible before
   * the promise resolves. If one of them fails, or `change` throws, none takes effect, and the promise rejects.
   */
  transaction(change: (tx: DocumentTransaction) => void): Promise<void>;
  /** Removes assets that no document refers to; returns the paths of their stored copies. */
  sweepAssets(): Promise<readonly string[]>;
  /** Records the root that a source is indexed from; null removes the source, and the places seen in it. */
  setIndexedRoot(sourceId: string, root: string | null): Promise<void>;
  /** Changes what {@link DocumentStore.seenPlaces} returns for a source. */
  setSeen(sourceId: string, changes: SeenChanges): Promise<void>;
  /** Adds the record of an ingest; old records may be dropped. */
  recordRun(run: IngestRunRow): Promise<void>;
  /** Replaces the list of quarantined files. */
  setQuarantine(files: readonly QuarantinedFile[]): Promise<void>;
  /** Removes everything that the store keeps; it has to be opened again. Absent for a store in a file, which is removed itself. */
  removeAll?(): Promise<void>;
  /** Releases the lock; a second call does nothing. */
  close(): Promise<void>;
}

/** A file that could not be ingested. It does not stop a run, every run retries it (as an error, or if it is `invalid_input` for the same reason, as a skipped file), and it leaves the list once it succeeds. */
export interface QuarantinedFile {
  readonly sourceId: string;
  readonly workspacePath: string;
  /** The reason, as one line, and the code of the error. */
  readonly reason: string;
  readonly code: ErrorCode;
  /** The component that failed on it, with its version: `@kebab/plugin-md@0.1.0`. */
  readonly agent: string;
  /** The number of consecutive runs in which it failed. */
  readonly attempts: number;
  readonly lastFailedAt: Date;
}

/** The record of one ingest. */
export interface IngestRunRow {
  readonly runId: string;
  readonly scopeJson: string;
  readonly scanned: number;
  readonly newCount: number;
  readonly updatedCount: number;
  readonly unchangedCount: number;
  readonly skippedCount: number;
  readonly errorCount: number;
  readonly purgedCount: number;
  readonly embeddingsPending: number;
  readonly aborted: boolean;
  readonly durationMs: number;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly itemsJson: string | null;
}

/** A page of documents. */
export interface DocumentPage {
  readonly documents: readonly DocumentRow[];
  readonly total: number;
}

/** Counts for `schema`; breakdowns count documents unless named otherwise. */
export interface StoreStats {
  readonly documents: number;
  readonly chunks: number;
  readonly assets: number;
  /** When the run that was recorded last ended; a run before it may have a later time, if the clock was set back. */
  readonly lastIngestAt: Date | null;
  readonly media: Readonly<Record<string, number>>;
  readonly langs: Readonly<Record<string, number>>;
  readonly codeLangs: Readonly<Record<string, number>>;
  readonly codeLangChunks: Readonly<Record<string, number>>;
  readonly repos: Readonly<Record<string, number>>;
  readonly sources: Readonly<Record<string, number>>;
  /** The size of everything the store keeps, except vectors. */
  readonly storedBytes: number;
}

/** A slice `[start, end)` of the text of a document; the whole text without bounds, which are clamped to the text. */
export interface TextSlice {
  readonly docId: DocumentId;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** A file of embeddings that several knowledge bases share. */
export interface SharedEmbeddingsFound {
  readonly file: string;
  readonly entries: number;
  readonly bytes: number;
}

/** A part of a store that is missing or malformed. */
export interface Damage {
  /** Null when the damage is not in a single table, for example in a page of the file. */
  readonly table: string | null;
  /** One line. */
  readonly problem: string;
}

/** The location of a document. */
export interface DocumentPlace {
  readonly sourceId: string;
  readonly workspacePath: string;
}

/** A document of which something was not read. */
export interface PartlyRead extends DocumentPlace {
  readonly docId: DocumentId;
  /** What was not read, and why; never empty. */
  readonly unread: readonly string[];
}

/** Options of a repair. */
export interface RepairOptions extends AbortOptions {
  /** Reports what needs to be done, and changes nothing. */
  readonly dryRun: boolean;
  /** How long to wait for another writer to finish. */
  readonly waitMs: number;
  /** Called with each step, as a short text. */
  readonly onStep: (step: string) => void;
}

/** The result of a repair. */
export interface StoreRepair {
  readonly damage: readonly Damage[];
  /** The copy of the damaged store; null if it was not damaged, or nothing was changed. */
  readonly setAside: string | null;
  /** The documents that the damaged store still listed. None of them is in the new one before the next ingest. */
  readonly documents: readonly DocumentPlace[];
}

/**
 * Stores documents. Every read and every change returns a promise, and takes a list where callers have one, so that a server can implement it. Each call
 * sees committed documents only, in one consistent snapshot; two calls may see different snapshots, which {@link
 * DocumentStore.corpusRevision} distinguishes. A read returns exactly what was written. Opening throws `not_indexed` when there is no
 * database (read-only) or it is newer than the program, and `io_error` when it cannot be read.
 */
export interface DocumentStore {
  /** The version of the storage format; it only grows. */
  readonly schemaVersion: number;
  /** The location of the data, for messages. */
  readonly location: string;
  readonly vectors: VectorLedger;
  readonly answers: AnswerLog;
  readonly evals: EvalLog;
  /** Increases with every change that can alter a search result. */
  corpusRevision(): Promise<number>;
  /**
   * Calls back when any process has changed the revision, until the signal fires or a change may be missed, which `lost` says once. Absent
   * where the revision has to be read again and again.
   */
  readonly onRevision?:
    | ((listener: (event: 'changed' | 'lost') => void, options: { readonly signal: AbortSignal }) => Promise<void>)
    | undefined;
  /** The id of this knowledge base, 32 hex digits: assigned when the store is created, and never changed. */
  knowledgeBase(): Promise<string>;
  /** The root that each source was last indexed from, by source id; see {@link DocumentWriter.setIndexedRoot}. */
  indexedRoots(): Promise<ReadonlyMap<string, string>>;
  documentCount(): Promise<number>;
  /** One entry per id, in order; ids that no longer exist are left out. */
  getDocuments(ids: readonly DocumentId[]): Promise<readonly DocumentRow[]>;
  findDocument(sourceId: string, workspacePath: string): Promise<DocumentRow | null>;
  /** Documents of any source at this path, by source. */
  findByPath(workspacePath: string): Promise<readonly DocumentRow[]>;
  /** Ids that begin with these hex digits, at most `limit`; for ids that a user abbreviated. */
  findIds(kind: 'document' | 'chunk', prefix: string, limit: number): Promise<readonly string[]>;
  /** Slices of texts, one per request; only the segments they need are read. Throws `doc_not_found`. */
  readTexts(slices: readonly TextSlice[]): Promise<readonly string[]>;
  /** The blocks of documents; documents that no longer exist are left out. */
  getBlocks(ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, readonly Block[]>>;
  /** What the chunks of a document were indexed by, in order; for an index that is not in this store, which otherwise analyses them again. */
  indexTexts?(id: DocumentId): Promise<readonly IndexText[]>;
  /** The whole document as it was written: one at a time, since it may be large. */
  getCanonicalDocument(id: DocumentId): Promise<CanonicalDocument | null>;
  /** A cached model output from {@link DocumentWriter.derivations}; undefined when there is none. Needs no lock. */
  derivation?(kind: DerivationKind, key: string): Promise<Uint8Array | undefined>;
  /** Loads the chunks of a ranking: one entry per id, in order; ids that no longer exist are left out. */
  getChunks(ids: readonly ChunkId[]): Promise<readonly ChunkWithDocument[]>;
  /** Loads only the parts that ranking reads, which are much smaller: a search needs more of these than it shows. */
  getPassages(ids: readonly ChunkId[]): Promise<readonly Passage[]>;
  /** Chunks of a document by ordinal, `[from, to)`; all without bounds. */
  listChunks(id: DocumentId, from?: number, to?: number): Promise<readonly Chunk[]>;
  /** Documents by source, then path (code point order); with `newestFirst` by date, and by source and path where dates are equal. */
  listDocuments(
    filters: SearchFilters,
    page: { readonly offset: number; readonly limit: number; readonly newestFirst?: boolean | undefined },
  ): Promise<DocumentPage>;
  /**
   * The documents after a location in the order of {@link DocumentStore.listDocuments}, at most `limit`; null starts at the beginning. The
   * location need not hold a document. Without this member, all documents are read by offset, which takes longer with each page.
   */
  documentsAfter?(place: DocumentPlace | null, limit: number): Promise<readonly DocumentRow[]>;
  /** The ids of all documents that match the filters. */
  documentIds(filters: SearchFilters): Promise<ReadonlySet<DocumentId>>;
  /** The known documents of one source by workspace path: all of them, or those at some paths. */
  knownDocuments(sourceId: string, paths?: readonly string[]): Promise<ReadonlyMap<string, KnownDocument>>;
  /**
   * The places that the last scan of a source saw, ordered by path unless the newest were requested: all of them, or those within a scope,
   * whose cost does not grow with the size of the folder. Empty when no scan was recorded.
   */
  seenPlaces(sourceId: string, only?: SeenScope): Promise<readonly SeenPlace[]>;
  knownSources(): Promise<readonly string[]>;
  /** Files that could not be ingested when they were last tried. */
  quarantined(): Promise<readonly QuarantinedFile[]>;
  /** The documents of which something was not read, by source and path: all of them, or those among `ids`. */
  partlyRead(ids?: readonly DocumentId[]): Promise<readonly PartlyRead[]>;
  stats(): Promise<StoreStats>;
  /** For moving; absent when a knowledge base can be moved neither to this store nor away from it. */
  archive?(): Promise<StoreArchive>;
  /** Opens the queue of work for several processes, which the caller closes; absent where only one process works at a time. */
  jobs?(): Promise<JobRepo>;
  /**
   * Encodes a document ahead of its transaction, and without the writer's lock, so that a batch of documents can wait without keeping their
   * blocks and chunks in memory. Throws a TypeError when the parts of the document do not belong together.
   */
  prepare(write: DocumentWrite): PreparedDocument;
  /** The embeddings that it shares with the user's other knowledge bases; null when there are none yet. */
  sharedEmbeddings?(): Promise<SharedEmbeddingsFound | null>;
  /**
   * Lists damaged or missing parts of the store, one sentence per problem; empty when it is intact. `deep` reads every text and every block
   * as well.
   */
  checkIntegrity(options?: { readonly deep?: boolean | undefined }): Promise<readonly string[]>;
  /**
   * Replaces a damaged store by a new one that has what no file can give back: conversations, answers, what models derived. Documents are
   * left to the next ingest. The store must be reopened afterwards. Throws `locked`.
   */
  repair?(options: RepairOptions): Promise<StoreRepair>;
  /**
   * Acquires the writer lock. Waits up to `waitMs` for another process; then throws `locked` with its pid. The lock of a dead process is
   * taken over. Throws `readonly_mode` on a store opened read-only.
   */
  openWriter(options: { readonly waitMs: number } & AbortOptions): Promise<DocumentWriter>;
  close(): void | Promise<void>;
}
