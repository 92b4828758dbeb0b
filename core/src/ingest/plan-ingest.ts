import type { KnownDocument, StageFingerprints } from '../contracts/document-store.ts';
import type { SourceFile } from '../contracts/source-connector.ts';

/** What is to be done with a file, as far as its size, its time and the stages say. */
export type FileAction =
  /** Size and time are as recorded and no stage is another: not even read. `known` is null where the mark of its source says so. */
  | { readonly kind: 'unchanged'; readonly file: SourceFile; readonly known: KnownDocument | null }
  /** The bytes are as recorded, but the chunker is another. */
  | { readonly kind: 'rechunk'; readonly file: SourceFile; readonly known: KnownDocument }
  /** Never seen, to be redone, or only its bytes can show: {@link decideByContent} says the rest. */
  | { readonly kind: 'read'; readonly file: SourceFile; readonly known: KnownDocument | null };

/** What a plan depends on beside the files. */
export interface PlanOptions {
  /** The fingerprints a document of this file would get now. */
  readonly fingerprints: (file: SourceFile, known: KnownDocument) => StageFingerprints;
  /** Read every file, whatever size and time say. */
  readonly verify: boolean;
  /** Treat every file as changed. */
  readonly force: boolean;
}

/** A file changed this short a time before it was recorded may have changed again without a new time. */
const SETTLING_NS = 2_000_000_000n;
const NS_PER_MS = 1_000_000n;

/** Decides for each scanned file of a source what has to be done, in the same order. */
export function planIngest(
  scanned: readonly SourceFile[],
  known: ReadonlyMap<string, KnownDocument>,
  options: PlanOptions,
): readonly FileAction[] {
  const isSettled = settling();
  return scanned.map((file) => {
    const document = known.get(file.workspacePath) ?? null;
    if (document === null || options.force || options.verify || !isSettled(file, document))
      return { kind: 'read', file, known: document };
    const expected = options.fingerprints(file, document);
    if (!isParsed(document, expected)) return { kind: 'read', file, known: document };
    return { kind: sameChunks(document, expected) ? 'unchanged' : 'rechunk', file, known: document };
  });
}

/** What is to be done with a document whose bytes are known now. */
export function decideByContent(
  known: KnownDocument | null,
  now: { readonly checksum: string; readonly fingerprints: StageFingerprints; readonly force: boolean },
): 'extract' | 'rechunk' | 'unchanged' {
  if (known === null || now.force || known.checksum !== now.checksum) return 'extract';
  if (!isParsed(known, now.fingerprints)) return 'extract';
  return sameChunks(known, now.fingerprints) ? 'unchanged' : 'rechunk';
}

/** Whether the document is what its extractor would make of the file now, with nothing left to read in its pictures. */
function isParsed({ fingerprints }: KnownDocument, expected: StageFingerprints): boolean {
  return fingerprints.parser === expected.parser && fingerprints.unread.length === 0;
}

function sameChunks(known: KnownDocument, expected: StageFingerprints): boolean {
  return known.fingerprints.chunker === expected.chunker;
}

/** Whether a document has the vectors that a run would give it; null stands for none. */
export function isEmbedded({ embedding }: Pick<StageFingerprints, 'embedding'>, wanted: string | null): boolean {
  return wanted === null || embedding === wanted;
}

/** Says whether size and time alone prove that the bytes are those recorded. */
function settling(): (file: SourceFile, known: KnownDocument) => boolean {
  let last: Date | undefined; // thousands of documents share the time at which they were found equal
  let settledNs = 0n;
  return (file, { file: recorded, indexedAt }) => {
    const { mtimeNs, linkChangedNs = mtimeNs } = file;
    if (recorded === null || recorded.size !== file.size || recorded.mtimeNs !== mtimeNs) return false;
    if (indexedAt !== last) settledNs = BigInt(indexedAt.getTime()) * NS_PER_MS - SETTLING_NS;
    last = indexedAt;
    return mtimeNs <= settledNs && linkChangedNs <= settledNs;
  };
}
