import type { KnownDocument, StageFingerprints } from '../contracts/document-store.ts';
import type { SourceFile } from '../contracts/source-connector.ts';

/** The action for a file, as far as its size, its time and the stages determine it. */
export type FileAction =
  /** Size, time and stages are as recorded: the file is not even read. */
  | { readonly kind: 'unchanged'; readonly file: SourceFile; readonly known: KnownDocument }
  /** The bytes are as recorded, but the chunker differs. */
  | { readonly kind: 'rechunk'; readonly file: SourceFile; readonly known: KnownDocument }
  /** New, to be redone, or undecidable without its bytes: {@link decideByContent} decides the rest. */
  | { readonly kind: 'read'; readonly file: SourceFile; readonly known: KnownDocument | null };

/** Inputs of a plan besides the files. */
export interface PlanOptions {
  /** The fingerprints that a document of this file would get now. */
  readonly fingerprints: (file: SourceFile, known: KnownDocument) => StageFingerprints;
  /** Read every file, whatever its size and time. */
  readonly verify: boolean;
  /** Treat every file as changed. */
  readonly force: boolean;
  /** The current time. */
  readonly now: Date;
}

/** A file changed within this time before it was recorded may have changed again without a new timestamp. */
const SETTLING_NS = 2_000_000_000n;
const NS_PER_MS = 1_000_000n;

/** Decides the action for each scanned file of a source, in the same order. */
export function planIngest(
  scanned: readonly SourceFile[],
  known: ReadonlyMap<string, KnownDocument>,
  options: PlanOptions,
): readonly FileAction[] {
  const isSettled = settling(options.now);
  return scanned.map((file) => {
    const document = known.get(file.workspacePath) ?? null;
    if (document === null || options.force || options.verify || !isSettled(file, document))
      return { kind: 'read', file, known: document };
    const expected = options.fingerprints(file, document);
    if (!isParsed(document, expected)) return { kind: 'read', file, known: document };
    return { kind: sameChunks(document, expected) ? 'unchanged' : 'rechunk', file, known: document };
  });
}

/** Decides the action for a document once its bytes are known. */
export function decideByContent(
  known: KnownDocument | null,
  now: { readonly checksum: string; readonly fingerprints: StageFingerprints; readonly force: boolean },
): 'extract' | 'rechunk' | 'unchanged' {
  if (known === null || now.force || known.checksum !== now.checksum) return 'extract';
  if (!isParsed(known, now.fingerprints)) return 'extract';
  return sameChunks(known, now.fingerprints) ? 'unchanged' : 'rechunk';
}

/** Whether the document is what its extractor would produce now, with no pictures left to read. */
function isParsed({ fingerprints }: KnownDocument, expected: StageFingerprints): boolean {
  return fingerprints.parser === expected.parser && fingerprints.unread.length === 0;
}

function sameChunks(known: KnownDocument, expected: StageFingerprints): boolean {
  return known.fingerprints.chunker === expected.chunker;
}

/** Whether a document has the vectors that a run would compute; null stands for none. */
export function isEmbedded({ embedding }: Pick<StageFingerprints, 'embedding'>, wanted: string | null): boolean {
  return wanted === null || embedding === wanted;
}

/**
 * Returns a function that decides whether size and time alone prove that the bytes are the recorded ones. A record from the future proves
 * nothing: the clock was set back since, and the file may have changed right after it was read.
 */
function settling(now: Date): (file: SourceFile, known: KnownDocument) => boolean {
  let last: Date | undefined; // thousands of documents share the time at which they were found unchanged
  let settledNs = 0n;
  return (file, { file: recorded, indexedAt }) => {
    const { mtimeNs, linkChangedNs = mtimeNs } = file;
    if (recorded === null || recorded.size !== file.size || recorded.mtimeNs !== mtimeNs) return false;
    if (indexedAt !== last) settledNs = BigInt(indexedAt.getTime()) * NS_PER_MS - SETTLING_NS;
    last = indexedAt;
    return indexedAt <= now && mtimeNs <= settledNs && linkChangedNs <= settledNs;
  };
}
