import type { IndexText } from '../analysis/index-text.ts';
import type { RawAsset, Chunk, CanonicalDocument, PageRange } from '../domain/document.ts';
import type { Block } from '../domain/block.ts';
import type { AssetId, ChunkId, DocumentId } from '../domain/ids.ts';
import type { Media, SourceType, TrustLevel } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { ErrorCode } from '../errors/codes.ts';
import type { FileStat } from './source-connector.ts';
import type { AnswerLog, EvalLog } from './logs.ts';
import type { AbortOptions } from './contribution.ts';
import type { PictureUse } from './extractor.ts';
import type { DerivationKind, DerivationRecords } from './derivation-records.ts';
import type { Passage } from './retriever.ts';
import type { SeenChanges, SeenPlace, SeenScope, SeenShare, SeenShareSize } from './seen-places.ts';
import type { VectorLedger, VectorLedgerWriter } from './vector-ledger.ts';

/** What the stages that made a document were; a difference decides what must be redone. */
export interface StageFingerprints {
  readonly parser: string;
  readonly chunker: string;
  readonly embedding: string | null;
  /** The chunker that the extractor named for this document, where it is not the one that its medium is given. */
  readonly fallbackChunker: string | null;
  /** What its pictures could not be read for, because the engine was missing: every later run looks at the document again. */
  readonly unread: readonly PictureUse[];
  /** Whether secrets were redacted in its text. */
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
  /** What the document says of itself; see {@link DocumentRow.inlineTags} for the rest. */
  readonly tags: readonly string[];
  /** Tags in the text; absent without any. */
  readonly inlineTags?: readonly string[] | undefined;
  readonly parserVersion: string;
  readonly chunkerVersion: string;
  readonly fingerprints: StageFingerprints;
  readonly docVersion: number;
  readonly byteLen: number;
  readonly chunkCount: number;
  readonly textLength: number;
  readonly pages: readonly PageRange[];
  /** The file as it was when it was read; null for documents without a file. */
  readonly file: FileStat | null;
  readonly checksum: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly committedAt: Date;
  readonly indexedAt: Date;
}

/** A chunk with the document it belongs to and its own text: what a hit is made of. */
export interface ChunkWithDocument {
  readonly chunk: Chunk;
  readonly document: DocumentRow;
  /** A longer stretch of the document's text that holds the slice, from a store that had to read it anyway. */
  readonly around?: { readonly start: number; readonly text: string };
}

/** What an ingest needs to know of each document it has seen before. */
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

/** A document with everything that is committed together with it. */
export interface DocumentWrite {
  readonly asset: RawAsset;
  readonly document: CanonicalDocument;
  readonly chunks: readonly Chunk[];
  /** One for each chunk, in the same order. */
  readonly index: readonly IndexText[];
  readonly fingerprints: StageFingerprints;
  readonly chunkerVersion: string;
  readonly file: FileStat | null;
  readonly committedAt: Date;
}

/** A document that was made ready for writers of one kind of store, complete without what it was made from. */
export interface PreparedDocument {
  readonly docId: DocumentId;
  readonly prepared: unknown;
}

/** Changes inside one transaction. Each that can alter a search result grows the corpus revision by itself. */
export interface DocumentTransaction {
  /** Writes a document, its text, blocks, chunks and full-text rows, and removes the version it replaces. */
  putDocument(document: DocumentWrite | PreparedDocument): void;
  /** Removes a document; chunks, full-text rows and tags go with it, its vectors become tombstones. */
  deleteDocument(id: DocumentId): void;
  /** Records that a document was found equal to its source; not a change of the corpus. */
  touchDocument(id: DocumentId, indexedAt: Date, file: FileStat | null): void;
  /**
   * The same for many documents at once whose files have the size and time on record. `wholeSource` names their source where no other
   * document of it was indexed before that time: a store may then note the time once, instead of for each. Where the mark of the source
   * says which they are, no ids are given; see {@link DocumentStore.equalMark}.
   */
  touchDocuments(ids: readonly DocumentId[], indexedAt: Date, wholeSource?: string | null): void;
}

/** The one writer of a knowledge base; it holds the lock until it is closed. */
export interface DocumentWriter {
  readonly vectors: VectorLedgerWriter;
  readonly derivations: DerivationRecords;
  /**
   * Encodes a document ahead of its transaction, so that a group of documents can wait without their blocks and chunks.
   * Throws a TypeError when the parts of the document do not belong together.
   */
  prepare(write: DocumentWrite): PreparedDocument;
  /** Runs changes all or nothing, also under `kill -9`. */
  transaction<T>(change: (tx: DocumentTransaction) => T): T;
  /**
   * Opens what writes documents while the calling thread prepares others, for a run that has thousands; null, or left out, where
   * nothing does. It is closed before the writer.
   */
  openGroups?(): DocumentGroups | null;
  /** Removes assets that no document refers to any more; returns the paths of their stored copies. */
  sweepAssets(): readonly string[];
  /** Leaves a mark of a source, for {@link DocumentStore.equalMark}. */
  setEqualMark?(sourceId: string, mark: string): void;
  /** Remembers the root that a source is indexed from; null forgets the source, and what was seen of it. */
  setIndexedRoot(sourceId: string, root: string | null): void;
  /** Changes what {@link DocumentStore.seenPlaces} gives for a source. */
  setSeen(sourceId: string, changes: SeenChanges): void;
  /** Adds the record of an ingest; those that are long over may be forgotten. */
  recordRun(run: IngestRunRow): void;
  /** Replaces the list of files that could not be taken in. */
  setQuarantine(files: readonly QuarantinedFile[]): void;
  close(): void;
}

/** Writes prepared documents in the order in which they are given, beside the calling thread. */
export interface DocumentGroups {
  /**
   * Writes documents in one transaction. Settles with true when it is committed; with false when it is not, for whatever reason:
   * the writer then says why when it is given the same documents.
   */
  put(documents: readonly PreparedDocument[]): Promise<boolean>;
  /** Waits for what was given. */
  close(): Promise<void>;
}

/** A file that could not be taken in. It stops nothing, is tried again by every run, and leaves the list by succeeding. */
export interface QuarantinedFile {
  readonly sourceId: string;
  readonly workspacePath: string;
  /** Why, as one line, and the code of the error. */
  readonly reason: string;
  readonly code: ErrorCode;
  /** What failed on it, with its version: `@kebab/plugin-md@0.1.0`. */
  readonly agent: string;
  /** In how many runs it failed without a break. */
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

/** A page of documents, ordered by source, then path (code point order). */
export interface DocumentPage {
  readonly documents: readonly DocumentRow[];
  readonly total: number;
}

/** Counts for `schema`; breakdowns count documents unless named otherwise. */
export interface StoreStats {
  readonly documents: number;
  readonly chunks: number;
  readonly assets: number;
  readonly lastIngestAt: Date | null;
  readonly media: Readonly<Record<string, number>>;
  readonly langs: Readonly<Record<string, number>>;
  readonly codeLangs: Readonly<Record<string, number>>;
  readonly codeLangChunks: Readonly<Record<string, number>>;
  readonly repos: Readonly<Record<string, number>>;
  readonly sources: Readonly<Record<string, number>>;
  /** The size of everything the store keeps, vectors excluded. */
  readonly storedBytes: number;
}

/** A slice `[start, end)` of the text of a document; all of it without bounds, which are cut to the text. */
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

/** Something in a store that is missing or malformed. */
export interface Damage {
  /** Null where it is not in one table, as a page of the file. */
  readonly table: string | null;
  /** One line. */
  readonly problem: string;
}

/** Where a document lies. */
export interface DocumentPlace {
  readonly sourceId: string;
  readonly workspacePath: string;
}

/** How a store is repaired. */
export interface RepairOptions extends AbortOptions {
  /** Finds out what there is to do, and leaves everything as it is. */
  readonly dryRun: boolean;
  /** How long another writer may take to finish. */
  readonly waitMs: number;
  /** Whether the file of a document is where it was. */
  readonly isThere: (place: DocumentPlace) => boolean;
  /** Called with each step, as a short text. */
  readonly onStep: (step: string) => void;
}

/** What a repair found and did. */
export interface StoreRepair {
  readonly damage: readonly Damage[];
  /** Documents to be read again from their files. */
  readonly readAgain: readonly DocumentPlace[];
  /** Documents that something is lost of, because their files are gone. */
  readonly incomplete: readonly (DocumentPlace & { readonly lost: string })[];
  /** Whether documents are missing of which not even the place is known: every file has to be looked at. */
  readonly hasLostPlaces: boolean;
}

/**
 * Keeps documents. Every read returns a promise, and takes a list where callers have one, so that a server can stand behind
 * it. Each call sees committed documents alone, all of one moment; two calls may see two moments, which
 * {@link DocumentStore.corpusRevision} distinguishes. Put then get is identity. Opening throws `not_indexed` when there is no
 * database (read-only) or one newer than the program, `io_error` when it cannot be read.
 */
export interface DocumentStore {
  /** The version of the form in which documents are kept; it only grows. */
  readonly schemaVersion: number;
  /** Where the data lies, for messages. */
  readonly location: string;
  readonly vectors: VectorLedger;
  readonly answers: AnswerLog;
  readonly evals: EvalLog;
  /** Grows with every change that can alter a search result. */
  corpusRevision(): Promise<number>;
  /** The id of this knowledge base, 32 hex digits: given when the store was made, and never changed. */
  knowledgeBase(): Promise<string>;
  /** The root that each source was indexed from last, by source id; see {@link DocumentWriter.setIndexedRoot}. */
  indexedRoots(): Promise<ReadonlyMap<string, string>>;
  documentCount(): Promise<number>;
  /** One entry for each id, in order; ids that are gone are left out. */
  getDocuments(ids: readonly DocumentId[]): Promise<readonly DocumentRow[]>;
  findDocument(sourceId: string, workspacePath: string): Promise<DocumentRow | null>;
  /** Documents of any source at this path, by source. */
  findByPath(workspacePath: string): Promise<readonly DocumentRow[]>;
  /** Ids that begin with these hex digits, at most `limit`; for ids that a person shortened. */
  findIds(kind: 'document' | 'chunk', prefix: string, limit: number): Promise<readonly string[]>;
  /** Slices of texts, one for each asked for; only the segments they need are read. Throws `doc_not_found`. */
  readTexts(slices: readonly TextSlice[]): Promise<readonly string[]>;
  /** The blocks of documents; those that are gone are left out. */
  getBlocks(ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, readonly Block[]>>;
  /** The whole document as it was written: one at a time, since it may be large. */
  getCanonicalDocument(id: DocumentId): Promise<CanonicalDocument | null>;
  /** What a model derived, as it is kept in {@link DocumentWriter.derivations}; undefined when it is not. Needs no lock. */
  derivation?(kind: DerivationKind, key: string): Promise<Uint8Array | undefined>;
  /** Hydrates a ranking: one entry for each id, in order; ids that are gone are left out. */
  getChunks(ids: readonly ChunkId[]): Promise<readonly ChunkWithDocument[]>;
  /** The same of what ranking looks at alone, which is far less to read: a search asks for more of these than it shows. */
  getPassages(ids: readonly ChunkId[]): Promise<readonly Passage[]>;
  /** Chunks of a document by ordinal, `[from, to)`; all without bounds. */
  listChunks(id: DocumentId, from?: number, to?: number): Promise<readonly Chunk[]>;
  listDocuments(
    filters: SearchFilters,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<DocumentPage>;
  /**
   * The documents behind a place in the order of {@link DocumentStore.listDocuments}, at most `limit`; null is the place before the
   * first. A document need not be at the place. Without this member, all documents are read by offset, which takes longer with each page.
   */
  documentsAfter?(place: DocumentPlace | null, limit: number): Promise<readonly DocumentRow[]>;
  /** The ids of all documents that filters let through. */
  documentIds(filters: SearchFilters): Promise<ReadonlySet<DocumentId>>;
  /** What is known of one source, by workspace path: of all documents, or of those at some paths. */
  knownDocuments(sourceId: string, paths?: readonly string[]): Promise<ReadonlyMap<string, KnownDocument>>;
  /**
   * What {@link DocumentWriter.setEqualMark} left of a source, as long as neither a document of it nor what was seen of it has been
   * written since, by whatever process; null otherwise. That documents were found equal to their files is no writing here, where it is
   * noted for the whole source. A store that cannot promise this leaves both members out: each run then compares all documents.
   */
  equalMark?(sourceId: string): Promise<string | null>;
  /**
   * What the last look at the folder of a source saw, ordered by path: everything, or what a scope names, which takes no longer in a
   * large folder. Empty when none was recorded.
   */
  seenPlaces(sourceId: string, only?: SeenScope): Promise<readonly SeenPlace[]>;
  /** The same of a share that takes no longer to read in a large folder. */
  seenShare(sourceId: string, size: SeenShareSize): Promise<SeenShare>;
  knownSources(): Promise<readonly string[]>;
  /** Files that could not be taken in when they were last tried. */
  quarantined(): Promise<readonly QuarantinedFile[]>;
  stats(): Promise<StoreStats>;
  /** The embeddings that it shares with the other knowledge bases of the user; null where there are none yet. */
  sharedEmbeddings?(): Promise<SharedEmbeddingsFound | null>;
  /**
   * What is damaged or missing in the store, one sentence a problem; empty when it is whole. `deep` reads every text and every block
   * as well.
   */
  checkIntegrity(options?: { readonly deep?: boolean | undefined }): Promise<readonly string[]>;
  /**
   * Builds what is damaged from what is whole, all or nothing; what cannot be built is taken out, so that it can be read again
   * from its file. The store must be opened again afterwards. Throws `locked`, and `store_damaged` for what it cannot repair.
   */
  repair?(options: RepairOptions): Promise<StoreRepair>;
  /**
   * Becomes the one writer. Waits up to `waitMs` for another process; then throws `locked` with its pid. The lock of a
   * dead process is taken over. Throws `readonly_mode` on a store opened read-only.
   */
  openWriter(options: { readonly waitMs: number } & AbortOptions): Promise<DocumentWriter>;
  close(): void;
}
