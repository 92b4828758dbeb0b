import type { DocumentRow, DocumentTransaction, DocumentWrite, PreparedDocument } from '../contracts/document-store.ts';
import type { RawAsset } from '../domain/asset.ts';
import type { DocumentId } from '../domain/ids.ts';

/** A document as the store keeps it. */
export interface StoredDocument {
  readonly row: DocumentRow;
  readonly write: DocumentWrite;
}

/** All that a store in memory holds. */
export interface MemoryState {
  readonly revision: number;
  readonly documents: ReadonlyMap<DocumentId, StoredDocument>;
  readonly assets: ReadonlyMap<string, RawAsset>;
}

/** Changes to a copy of a store's state; what it was made from never changes. */
export class MemoryTransaction implements DocumentTransaction {
  readonly #documents: Map<DocumentId, StoredDocument>;
  readonly #assets: Map<string, RawAsset>;
  readonly #written = new Set<DocumentId>();
  #revision: number;
  #hasEnded = false;

  constructor(state: MemoryState) {
    this.#documents = new Map(state.documents);
    this.#assets = new Map(state.assets);
    this.#revision = state.revision;
  }

  /** The state as changed so far. */
  state(): MemoryState {
    return { revision: this.#revision, documents: this.#documents, assets: this.#assets };
  }

  /** The documents that were put, whether they were there before or not. */
  get written(): ReadonlySet<DocumentId> {
    return this.#written;
  }

  /** The state as changed; nothing can be changed any more. */
  end(): MemoryState {
    this.#hasEnded = true;
    return this.state();
  }

  putDocument(document: DocumentWrite | PreparedDocument): void {
    if (this.#hasEnded) throw new TypeError('the transaction has ended');
    const write = checked('prepared' in document ? (document.prepared as DocumentWrite) : document);
    const row = rowOf(write);
    for (const [id, { row: old }] of this.#documents)
      if (old.sourceId === row.sourceId && old.workspacePath === row.workspacePath) this.#documents.delete(id);
    this.#documents.set(row.docId, { row, write });
    this.#written.add(row.docId);
    this.#assets.set(write.asset.assetId, write.asset);
    this.#revision++;
  }

  deleteDocument(id: DocumentId): void {
    if (this.#documents.delete(id)) this.#revision++;
  }

  touchDocument(id: DocumentId, indexedAt: Date, file: DocumentRow['file']): void {
    const stored = this.#documents.get(id);
    if (stored !== undefined) this.#documents.set(id, { ...stored, row: { ...stored.row, indexedAt, file } });
  }

  touchDocuments(ids: readonly DocumentId[], indexedAt: Date): void {
    for (const id of ids) this.touchDocument(id, indexedAt, this.#documents.get(id)?.row.file ?? null);
  }
}

/** A document whose parts belong together; throws a TypeError for any other. */
export function checked(write: DocumentWrite): DocumentWrite {
  if (write.index.length === write.chunks.length) return write;
  throw new TypeError(`${write.chunks.length} chunks came with ${write.index.length} index texts`);
}

function rowOf({
  asset,
  document,
  chunks,
  fingerprints,
  chunkerVersion,
  file,
  committedAt,
}: DocumentWrite): DocumentRow {
  const { metadata } = document;
  return {
    docId: document.docId,
    assetId: asset.assetId,
    sourceId: document.sourceId,
    workspacePath: document.workspacePath,
    media: document.mediaType.kind,
    title: document.title,
    lang: document.lang,
    sourceType: metadata.sourceType,
    trustLevel: metadata.trustLevel,
    repo: metadata.repo,
    codeLang: metadata.codeLang,
    tags: metadata.tags,
    parserVersion: document.parserVersion,
    chunkerVersion,
    fingerprints,
    docVersion: document.docVersion,
    byteLen: asset.byteLen,
    chunkCount: chunks.length,
    textLength: document.text.length,
    pages: document.pages,
    file,
    checksum: asset.checksum,
    createdAt: metadata.createdAt,
    updatedAt: metadata.updatedAt,
    committedAt,
    indexedAt: committedAt,
  };
}
