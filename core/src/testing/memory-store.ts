/* eslint-disable typescript/require-await -- what is in memory is at hand */
import type { AbortOptions } from '../contracts/contribution.ts';
import type {
  ChunkWithDocument,
  DocumentPage,
  DocumentRow,
  DocumentStore,
  DocumentWriter,
  IngestRunRow,
  KnownDocument,
  QuarantinedFile,
  StoreStats,
  TextSlice,
} from '../contracts/document-store.ts';
import type { Passage } from '../contracts/passage.ts';
import type { Block } from '../domain/block.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { CanonicalDocument } from '../domain/document.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { VectorLedgerWriter } from '../contracts/vector-ledger.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import { countDocuments } from './count-documents.ts';
import { matchesFilters } from './matches-filters.ts';
import { passageOf } from './passage-of.ts';
import { MemoryAnswerLog } from './memory-answer-log.ts';
import { MemoryDerivations } from './memory-derivations.ts';
import { MemoryEvalLog } from './memory-eval-log.ts';
import { MemoryTransaction, checked, type MemoryState, type StoredDocument } from './memory-transaction.ts';
import { MemoryVectorLedger } from './memory-vector-ledger.ts';

/** A document store in memory, for tests: a transaction changes a copy, and committing puts the copy in place. */
export class MemoryStore implements DocumentStore {
  readonly schemaVersion = 1;
  readonly location = ':memory:';
  readonly runs: IngestRunRow[] = [];
  readonly vectors = new MemoryVectorLedger(() => this.all());
  readonly derivations = new MemoryDerivations();
  readonly answers = new MemoryAnswerLog();
  readonly evals = new MemoryEvalLog();
  readonly #readonly: boolean;
  #state: MemoryState = { revision: 0, documents: new Map(), assets: new Map() };
  #quarantined: readonly QuarantinedFile[] = [];
  #writer: DocumentWriter | null = null;

  constructor(options: { readonly readonly?: boolean } = {}) {
    this.#readonly = options.readonly ?? false;
  }

  /** Every document with all that was written with it, by source and path. */
  all(): readonly StoredDocument[] {
    return [...this.#state.documents.values()].toSorted(bySourceAndPath);
  }

  async corpusRevision(): Promise<number> {
    return this.#state.revision;
  }

  async documentCount(): Promise<number> {
    return this.#state.documents.size;
  }

  async getDocuments(ids: readonly DocumentId[]): Promise<readonly DocumentRow[]> {
    return ids.flatMap((id) => this.#state.documents.get(id)?.row ?? []);
  }

  async findDocument(sourceId: string, workspacePath: string): Promise<DocumentRow | null> {
    return (
      this.#rows()
        .filter((row) => row.workspacePath === workspacePath)
        .find((row) => row.sourceId === sourceId) ?? null
    );
  }

  async findByPath(workspacePath: string): Promise<readonly DocumentRow[]> {
    return this.#rows().filter((row) => row.workspacePath === workspacePath);
  }

  async findIds(kind: 'document' | 'chunk', prefix: string, limit: number): Promise<readonly string[]> {
    const ids =
      kind === 'document' ? this.#rows().map(({ docId }) => docId) : this.#chunks().map(({ chunk }) => chunk.chunkId);
    return ids
      .filter((id) => id.startsWith(prefix))
      .toSorted()
      .slice(0, limit);
  }

  async readTexts(slices: readonly TextSlice[]): Promise<readonly string[]> {
    return slices.map(({ docId, start, end }) => {
      const stored = this.#state.documents.get(docId);
      if (stored !== undefined) return stored.write.document.text.slice(start, end);
      throw new KebabError('doc_not_found', `there is no document ${docId}`, {
        details: { doc_id: docId, path: null },
      });
    });
  }

  async getBlocks(ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, readonly Block[]>> {
    return new Map(
      ids.flatMap((id) => {
        const stored = this.#state.documents.get(id);
        return stored === undefined ? [] : [[id, stored.write.document.blocks] as const];
      }),
    );
  }

  async getCanonicalDocument(id: DocumentId): Promise<CanonicalDocument | null> {
    return this.#state.documents.get(id)?.write.document ?? null;
  }

  async getChunks(ids: readonly ChunkId[]): Promise<readonly ChunkWithDocument[]> {
    return ids.flatMap((id) => this.#chunk(id) ?? []);
  }

  async getPassages(ids: readonly ChunkId[]): Promise<readonly Passage[]> {
    return ids.flatMap((id) => this.#chunk(id) ?? []).map(passageOf);
  }

  async listChunks(id: DocumentId, from?: number, to?: number): Promise<readonly Chunk[]> {
    return this.#state.documents.get(id)?.write.chunks.slice(from, to) ?? [];
  }

  async listDocuments(
    filters: SearchFilters,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<DocumentPage> {
    const matching = this.#rows().filter((row) => matchesFilters(row, filters));
    return { documents: matching.slice(page.offset, page.offset + page.limit), total: matching.length };
  }

  async documentIds(filters: SearchFilters): Promise<ReadonlySet<DocumentId>> {
    return new Set(
      this.#rows()
        .filter((row) => matchesFilters(row, filters))
        .map(({ docId }) => docId),
    );
  }

  async knownDocuments(sourceId: string): Promise<ReadonlyMap<string, KnownDocument>> {
    const rows = this.#rows().filter((row) => row.sourceId === sourceId);
    return new Map(rows.map((row) => [row.workspacePath, row]));
  }

  async knownSources(): Promise<readonly string[]> {
    return [...new Set(this.#rows().map(({ sourceId }) => sourceId))];
  }

  async quarantined(): Promise<readonly QuarantinedFile[]> {
    return this.#quarantined;
  }

  async stats(): Promise<StoreStats> {
    const lastIngestAt = this.runs.at(-1)?.finishedAt ?? null;
    return { ...countDocuments(this.#rows()), assets: this.#state.assets.size, lastIngestAt, storedBytes: 0 };
  }

  async checkIntegrity(): Promise<readonly string[]> {
    return [];
  }

  async openWriter(options: { readonly waitMs: number } & AbortOptions): Promise<DocumentWriter> {
    if (this.#readonly)
      throw new KebabError('readonly_mode', 'the store was opened for reading', { details: { command: 'write' } });
    const polls = this.#writer === null ? 0 : Math.ceil(options.waitMs / 10);
    for (let poll = 0; poll < polls && this.#writer !== null; poll++) {
      throwIfCancelled(options.signal, 'waiting for the other writer');
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    if (this.#writer !== null)
      throw new KebabError('locked', 'another writer holds the store', { details: { path: this.location, pid: null } });
    this.#writer = this.#makeWriter();
    return this.#writer;
  }

  close(): void {
    this.#writer = null;
  }

  #makeWriter(): DocumentWriter {
    const writer: DocumentWriter = {
      vectors: this.#ledgerWriter(),
      derivations: this.derivations,
      prepare: (write) => ({ docId: write.document.docId, prepared: checked(write) }),
      transaction: (change) => {
        if (this.#writer !== writer) throw new TypeError('the writer has been closed');
        const changed = new MemoryTransaction(this.#state);
        const result = change(changed);
        this.#state = changed.end();
        const rewritten = this.all().filter(({ row }) => changed.written.has(row.docId));
        this.vectors.settle(rewritten.flatMap(({ write }) => write.chunks.map(({ chunkId }) => chunkId)));
        return result;
      },
      sweepAssets: () => this.#sweepAssets(),
      recordRun: (run) => void this.runs.push(run),
      setQuarantine: (files) => {
        this.#quarantined = [...files];
      },
      close: () => {
        if (this.#writer === writer) this.#writer = null;
      },
    };
    return writer;
  }

  #ledgerWriter(): VectorLedgerWriter {
    return {
      begin: (notes) => this.vectors.begin(notes),
      commit: ({ embeddingIds, documents, fingerprint }) => {
        if (this.vectors.move(embeddingIds, 'pending', 'committed') > 0) this.#bumpRevision();
        this.#markEmbedded(new Set(documents), fingerprint);
      },
      doubt: (ids) => {
        this.#markEmbedded(this.vectors.documentsOf(ids), null);
        this.vectors.move(ids, 'committed', 'pending');
        this.#bumpRevision();
      },
      forget: (ids) => this.vectors.forget(ids),
      forgetCollection: (collection) => {
        const ids = this.vectors.all(collection);
        this.#markEmbedded(this.vectors.documentsOf(ids), null);
        this.vectors.forget(ids);
        this.#bumpRevision();
        return ids.length;
      },
    };
  }

  #bumpRevision(): void {
    this.#state = { ...this.#state, revision: this.#state.revision + 1 };
  }

  #markEmbedded(ids: ReadonlySet<DocumentId>, embedding: string | null): void {
    const documents = new Map(this.#state.documents);
    for (const id of ids) {
      const stored = documents.get(id);
      if (stored === undefined) continue;
      const row = { ...stored.row, fingerprints: { ...stored.row.fingerprints, embedding } };
      documents.set(id, { ...stored, row });
    }
    this.#state = { ...this.#state, documents };
  }

  #sweepAssets(): readonly string[] {
    const used = new Set(this.#rows().map(({ assetId }) => assetId));
    const unused = [...this.#state.assets.values()].filter(({ assetId }) => !used.has(assetId));
    const assets = new Map([...this.#state.assets].filter(([, { assetId }]) => used.has(assetId)));
    this.#state = { ...this.#state, assets };
    return unused.flatMap(({ stored }) => (stored.kind === 'copied' ? [stored.path] : []));
  }

  #chunk(id: ChunkId): ChunkWithDocument | null {
    for (const { row, write } of this.#state.documents.values()) {
      const chunk = write.chunks.find(({ chunkId }) => chunkId === id);
      if (chunk !== undefined) return { chunk, document: row };
    }
    return null;
  }

  #rows(): readonly DocumentRow[] {
    return this.all().map(({ row }) => row);
  }

  #chunks(): readonly ChunkWithDocument[] {
    return this.all().flatMap(({ row, write }) => write.chunks.map((chunk) => ({ chunk, document: row })));
  }
}

function bySourceAndPath({ row: a }: StoredDocument, { row: b }: StoredDocument): number {
  return compareCodePoints(a.sourceId, b.sourceId) || compareCodePoints(a.workspacePath, b.workspacePath);
}
