import type { DocumentWriter, KnownDocument, StageFingerprints } from '../../contracts/document-store.ts';
import type { FileStat, SourceFile } from '../../contracts/source-connector.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { isEmbedded } from '../plan-ingest.ts';
import type { AllEqual } from './equal-mark.ts';
import type { FileTask } from './file-task.ts';

/** What the next run asks of the fingerprints of a document, beside those of its stages. */
type FutureFingerprints = Pick<StageFingerprints, 'embedding' | 'fallbackChunker' | 'unread'>;

/** Those of every document that is made ready where it is extracted. */
export const PLAIN: FutureFingerprints = { embedding: null, fallbackChunker: null, unread: [] };

/** A source whose documents are compared with their files. */
interface ComparedSource {
  readonly sourceId: string;
  /** How many are on record; null when that is not known. */
  readonly documents: number | null;
  readonly embeddingFingerprint: string | null;
}

/** Documents found equal to their files; their record is renewed in one transaction. */
export class EqualDocuments {
  readonly #at: Date;
  readonly #source: ComparedSource;
  /** Those whose ids are known: a mark of their source names none. */
  readonly #settled: DocumentId[] = [];
  readonly #read: { readonly docId: DocumentId; readonly file: FileStat }[] = [];
  #marked = 0;
  #replaced = 0;
  /** The paths of files that are no documents. */
  readonly #others: string[] = [];
  readonly #fallbackChunkers = new Set<string>();
  #last: FutureFingerprints | undefined; // thousands of documents share them
  /** Whether the next run would look into nothing but these files. */
  #isLasting = true;

  constructor(at: Date, source: ComparedSource) {
    this.#at = at;
    this.#source = source;
  }

  /** Size and time are as recorded. */
  settled(known: KnownDocument | null): void {
    if (known === null) {
      this.#marked++;
      return;
    }
    this.#settled.push(known.docId);
    this.#look(known.fingerprints);
  }

  /** The bytes are as recorded; size and time may be new. */
  read({ docId, fingerprints }: KnownDocument, { size, mtimeNs }: SourceFile): void {
    this.#read.push({ docId, file: { size, mtimeNs } });
    this.#look(fingerprints);
  }

  /** One has been written, in the place of one that was on record or as a new one. */
  written(known: KnownDocument | null, fingerprints: FutureFingerprints): void {
    if (known !== null) this.#replaced++;
    this.#look(fingerprints);
  }

  /** A file became no document: every run looks into it; what was on record of it may have stayed. */
  withoutDocument({ file, known }: Pick<FileTask, 'file' | 'known'>): void {
    if (known === null) this.#others.push(file.workspacePath);
    else this.unknown();
  }

  /** Nothing can be said of a file. */
  unknown(): void {
    this.#isLasting = false;
  }

  /** Null unless every document on record equals its file, and all that is left to do is to look at files without one. */
  get all(): AllEqual | null {
    if (!this.#isLasting || !this.#isWhole) return null;
    return { others: this.#others, fallbackChunkers: [...this.#fallbackChunkers].toSorted() };
  }

  get #isWhole(): boolean {
    const found = this.#settled.length + this.#marked + this.#read.length + this.#replaced;
    return found === this.#source.documents;
  }

  #look(fingerprints: FutureFingerprints): void {
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
