import type {
  DocumentPlace,
  DocumentRow,
  DocumentStore,
  DocumentWrite,
  PreparedDocument,
  SharedEmbeddingsFound,
  StoreStats,
} from '../contracts/document-store.ts';
import type { VectorLedger } from '../contracts/vector-ledger.ts';
import { allDocuments } from '../documents/open-store.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { compileReadRules, type MayRead, type ReadRule } from '../domain/read-rule.ts';
import { KebabError } from '../errors/kebab-error.ts';

/** At most so many ids are looked through for those of readable documents. */
const MAX_IDS_READ = 4096;

/**
 * A document store as someone sees it who may read only what the rules allow: lists and counts are filtered by the store itself, and
 * whatever is read by id or path is checked again. All else is unknown to it, as if it had never been indexed.
 */
export class ReadableStore implements DocumentStore {
  readonly schemaVersion: number;
  readonly location: string;
  readonly vectors: VectorLedger;
  readonly answers: DocumentStore['answers'];
  readonly evals: DocumentStore['evals'];
  readonly documentsAfter?: NonNullable<DocumentStore['documentsAfter']>;
  readonly #store: DocumentStore;
  readonly #rules: readonly ReadRule[];
  readonly #mayRead: MayRead;

  constructor(store: DocumentStore, rules: readonly ReadRule[]) {
    this.#store = store;
    this.#rules = rules;
    this.#mayRead = compileReadRules(rules);
    this.schemaVersion = store.schemaVersion;
    this.location = store.location;
    this.answers = store.answers;
    this.evals = store.evals;
    this.vectors = readableLedger(store.vectors, this);
    if (store.documentsAfter !== undefined) this.documentsAfter = (place, limit) => this.#readableAfter(place, limit);
  }

  corpusRevision(): Promise<number> {
    return this.#store.corpusRevision();
  }

  get onRevision(): DocumentStore['onRevision'] {
    return this.#store.onRevision?.bind(this.#store);
  }

  knowledgeBase(): Promise<string> {
    return this.#store.knowledgeBase();
  }

  indexedRoots(): ReturnType<DocumentStore['indexedRoots']> {
    return this.#store.indexedRoots();
  }

  async documentCount(): Promise<number> {
    return (await this.listDocuments({}, { offset: 0, limit: 1 })).total;
  }

  async getDocuments(ids: readonly DocumentId[]): Promise<readonly DocumentRow[]> {
    return this.#readable(await this.#store.getDocuments(ids));
  }

  async findDocument(sourceId: string, workspacePath: string): Promise<DocumentRow | null> {
    return this.#mayRead(sourceId, workspacePath) ? this.#store.findDocument(sourceId, workspacePath) : null;
  }

  async findByPath(workspacePath: string): Promise<readonly DocumentRow[]> {
    return this.#readable(await this.#store.findByPath(workspacePath));
  }

  async findIds(kind: 'document' | 'chunk', prefix: string, limit: number): Promise<readonly string[]> {
    for (let wanted = limit; ; wanted *= 4) {
      const ids = await this.#store.findIds(kind, prefix, Math.min(wanted, MAX_IDS_READ));
      const readable =
        kind === 'document'
          ? (await this.getDocuments(ids as readonly DocumentId[])).map(({ docId }) => docId)
          : (await this.getPassages(ids as readonly ChunkId[])).map(({ chunkId }) => chunkId);
      if (readable.length >= limit || ids.length < wanted) return readable.slice(0, limit);
    }
  }

  async readTexts(slices: Parameters<DocumentStore['readTexts']>[0]): Promise<readonly string[]> {
    const ids = new Set(slices.map(({ docId }) => docId));
    for (const { docId } of await this.getDocuments([...ids])) ids.delete(docId);
    const [hidden] = ids;
    if (hidden !== undefined)
      throw new KebabError('doc_not_found', `there is no document ${hidden}`, {
        details: { doc_id: hidden, path: null },
      });
    return this.#store.readTexts(slices);
  }

  async getBlocks(ids: readonly DocumentId[]): ReturnType<DocumentStore['getBlocks']> {
    return this.#store.getBlocks((await this.getDocuments(ids)).map(({ docId }) => docId));
  }

  async getCanonicalDocument(id: DocumentId): ReturnType<DocumentStore['getCanonicalDocument']> {
    return (await this.getDocuments([id])).length === 0 ? null : this.#store.getCanonicalDocument(id);
  }

  async derivation(...args: Parameters<NonNullable<DocumentStore['derivation']>>): Promise<Uint8Array | undefined> {
    return this.#store.derivation?.(...args);
  }

  async getChunks(ids: readonly ChunkId[]): ReturnType<DocumentStore['getChunks']> {
    const chunks = await this.#store.getChunks(ids);
    return chunks.filter(({ document }) => this.#mayRead(document.sourceId, document.workspacePath));
  }

  async getPassages(ids: readonly ChunkId[]): ReturnType<DocumentStore['getPassages']> {
    return this.#readable(await this.#store.getPassages(ids));
  }

  async listChunks(id: DocumentId, from?: number, to?: number): ReturnType<DocumentStore['listChunks']> {
    return (await this.getDocuments([id])).length === 0 ? [] : this.#store.listChunks(id, from, to);
  }

  async listDocuments(
    filters: SearchFilters,
    page: Parameters<DocumentStore['listDocuments']>[1],
  ): ReturnType<DocumentStore['listDocuments']> {
    const { documents, total } = await this.#store.listDocuments({ ...filters, readable: this.#rules }, page);
    return { documents: this.#readable(documents), total };
  }

  documentIds(filters: SearchFilters): Promise<ReadonlySet<DocumentId>> {
    return this.#store.documentIds({ ...filters, readable: this.#rules });
  }

  async knownDocuments(sourceId: string, paths?: readonly string[]): ReturnType<DocumentStore['knownDocuments']> {
    const known = await this.#store.knownDocuments(sourceId, paths);
    return new Map([...known].filter(([path]) => this.#mayRead(sourceId, path)));
  }

  async seenPlaces(
    ...[sourceId, only]: Parameters<DocumentStore['seenPlaces']>
  ): ReturnType<DocumentStore['seenPlaces']> {
    const places = await this.#store.seenPlaces(sourceId, only);
    return places.filter(({ path }) => this.#mayRead(sourceId, path));
  }

  async knownSources(): Promise<readonly string[]> {
    const sources: string[] = [];
    for (const id of await this.#store.knownSources())
      if ((await this.listDocuments({ source: [id] }, { offset: 0, limit: 1 })).total > 0) sources.push(id);
    return sources;
  }

  async quarantined(): ReturnType<DocumentStore['quarantined']> {
    return this.#readable(await this.#store.quarantined());
  }

  async partlyRead(ids?: readonly DocumentId[]): ReturnType<DocumentStore['partlyRead']> {
    return this.#readable(await this.#store.partlyRead(ids));
  }

  /** Counted document by document; `storedBytes` is the size of the readable files. */
  async stats(): Promise<StoreStats> {
    const { lastIngestAt } = await this.#store.stats();
    const assets = new Set<string>();
    const [media, langs, codeLangs, codeLangChunks, repos, sources] = Array.from({ length: 6 }, () => new Counts());
    let [documents, chunks, storedBytes] = [0, 0, 0];
    for await (const row of allDocuments(this)) {
      documents++;
      chunks += row.chunkCount;
      storedBytes += row.byteLen;
      assets.add(row.assetId);
      media?.add(row.media);
      langs?.add(row.lang);
      codeLangs?.add(row.codeLang);
      codeLangChunks?.add(row.codeLang, row.chunkCount);
      repos?.add(row.repo);
      sources?.add(row.sourceId);
    }
    return {
      documents,
      chunks,
      assets: assets.size,
      lastIngestAt,
      media: media?.sorted() ?? {},
      langs: langs?.sorted() ?? {},
      codeLangs: codeLangs?.sorted() ?? {},
      codeLangChunks: codeLangChunks?.sorted() ?? {},
      repos: repos?.sorted() ?? {},
      sources: sources?.sorted() ?? {},
      storedBytes,
    };
  }

  sharedEmbeddings(): Promise<SharedEmbeddingsFound | null> {
    return Promise.resolve(null);
  }

  checkIntegrity(options?: Parameters<DocumentStore['checkIntegrity']>[0]): Promise<readonly string[]> {
    return this.#store.checkIntegrity(options);
  }

  prepare(write: DocumentWrite): PreparedDocument {
    return this.#store.prepare(write);
  }

  openWriter(options: Parameters<DocumentStore['openWriter']>[0]): ReturnType<DocumentStore['openWriter']> {
    return this.#store.openWriter(options);
  }

  /** Does nothing: the store belongs to others as well. */
  close(): void {}

  async #readableAfter(place: DocumentPlace | null, limit: number): Promise<readonly DocumentRow[]> {
    const rows: DocumentRow[] = [];
    for (let after = place; ;) {
      const page: readonly DocumentRow[] = (await this.#store.documentsAfter?.(after, limit)) ?? [];
      rows.push(...this.#readable(page));
      if (page.length < limit || rows.length >= limit) return rows.slice(0, limit);
      after = page.at(-1) ?? null;
    }
  }

  #readable<T extends DocumentPlace>(places: readonly T[]): readonly T[] {
    return places.filter(({ sourceId, workspacePath }) => this.#mayRead(sourceId, workspacePath));
  }
}

/** Counts by name. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string | null, count = 1): void {
    if (name !== null) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  sorted(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** A ledger that lists and counts readable documents only; a vector is known by a chunk, which has been checked. */
function readableLedger(ledger: VectorLedger, readable: ReadableStore): VectorLedger {
  const documentsWithout = async (fingerprint: string): Promise<readonly DocumentId[]> => {
    const documents = await readable.getDocuments(await ledger.documentsWithout(fingerprint));
    return documents.map(({ docId }) => docId);
  };
  return {
    collections: () => ledger.collections(),
    documentsWithout,
    countDocumentsWithout: async (fingerprint) =>
      fingerprint === null
        ? Math.min(await ledger.countDocumentsWithout(null), await readable.documentCount())
        : (await documentsWithout(fingerprint)).length,
    committedChunks: (...args) => ledger.committedChunks(...args),
    unsettledChunks: (...args) => ledger.unsettledChunks(...args),
    listVectors: (...args) => ledger.listVectors(...args),
    vectorsOf: (...args) => ledger.vectorsOf(...args),
  };
}
