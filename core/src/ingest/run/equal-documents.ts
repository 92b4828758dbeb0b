import type { DocumentWriter, KnownDocument, StageFingerprints } from '../../contracts/document-store.ts';
import type { FileStat, SourceFile } from '../../contracts/source-connector.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { isEmbedded } from '../plan-ingest.ts';
import type { AllEqual } from './equal-mark.ts';
import type { FileTask } from './file-task.ts';

/** The fingerprints of a document, besides those of its stages, that the next run checks. */
type FutureFingerprints = Pick<StageFingerprints, 'embedding' | 'fallbackChunker' | 'unread'>;

/** The fingerprints of every document that is encoded in the process that extracted it. */
export const PLAIN: FutureFingerprints = { embedding: null, fallbackChunker: null, unread: [] };

/** A source whose documents are compared with its files. */
interface ComparedSource {
  readonly sourceId: string;
  /** The number of stored documents; null when unknown. */
  readonly documents: number | null;
  readonly embeddingFingerprint: string | null;
}

/** Tracks which documents of a source equal their files, and renews their timestamps in one transaction. */
export class EqualDocuments {
  readonly #at: Date;
  readonly #source: ComparedSource;
  /** Unchanged documents whose ids are known; those found unchanged by a mark are only counted in `#marked`. */
  readonly #settled: DocumentId[] = [];
  readonly #read: { readonly docId: DocumentId; readonly file: FileStat }[] = [];
  #marked = 0;
  #replaced = 0;
  /** Paths of files that did not become documents. */
  readonly #others: string[] = [];
  readonly #fallbackChunkers = new Set<string>();
  #last: FutureFingerprints | undefined; // thousands of documents share one object
  /** Whether the next run, if nothing changes, would read no files but `#others`. */
  #isLasting = true;

  constructor(at: Date, source: ComparedSource) {
    this.#at = at;
    this.#source = source;
  }

  /** Notes a document whose file has the stored size and time; null when a mark says so without naming the document. */
  settled(known: KnownDocument | null): void {
    if (known === null) {
      this.#marked++;
      return;
    }
    this.#settled.push(known.docId);
    this.#check(known.fingerprints);
  }

  /** Notes a document whose file was read and has the stored checksum; its size and time may be new. */
  read({ docId, fingerprints }: KnownDocument, { size, mtimeNs }: SourceFile): void {
    this.#read.push({ docId, file: { size, mtimeNs } });
    this.#check(fingerprints);
  }

  /** Notes a document that was written, replacing the stored one if `known` is not null. */
  written(known: KnownDocument | null, fingerprints: FutureFingerprints): void {
    if (known !== null) this.#replaced++;
    this.#check(fingerprints);
  }

  /** Notes a file that yielded no document. Every run reads it again; its stored document, if any, may remain. */
  withoutDocument({ file, known }: Pick<FileTask, 'file' | 'known'>): void {
    if (known === null) this.#others.push(file.workspacePath);
    else this.unknown();
  }

  /** Notes a file whose state is unknown, for example because the run was cancelled. */
  unknown(): void {
    this.#isLasting = false;
  }

  /** Null unless every stored document equals its file and the next run has nothing to do but read files without a document. */
  get all(): AllEqual | null {
    if (!this.#isLasting || !this.#isWhole) return null;
    return { others: this.#others, fallbackChunkers: [...this.#fallbackChunkers].toSorted() };
  }

  get #isWhole(): boolean {
    const found = this.#settled.length + this.#marked + this.#read.length + this.#replaced;
    return found === this.#source.documents;
  }

  #check(fingerprints: FutureFingerprints): void {
    if (fingerprints === this.#last) return;
    this.#last = fingerprints;
    const { embeddingFingerprint: wanted } = this.#source;
    if (fingerprints.unread.length > 0 || !isEmbedded(fingerprints, wanted)) this.#isLasting = false;
    if (fingerprints.fallbackChunker !== null) this.#fallbackChunkers.add(fingerprints.fallbackChunker);
  }

  record(writer: DocumentWriter): void {
    const settled = this.#settled.length + this.#marked;
    if (settled + this.#read.length === 0) return;
    const { sourceId } = this.#source;
    const isWhole = this.#isWhole;
    writer.transaction((tx) => {
      if (settled > 0) tx.touchDocuments(this.#settled, this.#at, isWhole ? sourceId : null);
      for (const { docId, file } of this.#read) tx.touchDocument(docId, this.#at, file);
    });
  }
}
