import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/retriever.ts';
import { EXTERNAL } from '../documents/source-roots.ts';
import type { ChunkId } from '../domain/ids.ts';
import { headingTokensOf, passageKind, type PassageKind } from './passage-kind.ts';

/** What ranking needs to know about a passage. */
export interface KnownPassage extends Pick<
  Passage,
  'chunkId' | 'docId' | 'sourceId' | 'workspacePath' | 'media' | 'ordinal' | 'symbol' | 'sectionLabel'
> {
  /** Whether it is in a copy that was added by hand. */
  readonly isManuallyAdded: boolean;
  /** A fingerprint of its text. */
  readonly print: TextPrint;
  readonly kind: PassageKind;
  /** The content words of the heading of its section; those of the file name where it has none. */
  readonly headingTokens: readonly string[];
  /** Only for source code: no other text is needed again. */
  readonly code: string | null;
}

/** Reads passages of a store, each once: the stages of a search ask for the same ones. Ids that no longer exist are missing. */
export function passageReader(
  store: Pick<DocumentStore, 'getPassages'>,
): (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, KnownPassage>> {
  const known = new Map<ChunkId, KnownPassage>();
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id));
    const passages = unknown.length === 0 ? [] : await store.getPassages(unknown);
    for (const passage of passages) known.set(passage.chunkId, knownPassage(passage));
    return new Map(
      ids.flatMap((id) => {
        const passage = known.get(id);
        return passage === undefined ? [] : [[id, passage]];
      }),
    );
  };
}

function knownPassage({ text, headingPath, ...passage }: Passage): KnownPassage {
  const { sourceId, workspacePath, media } = passage;
  const isCode = media === 'code';
  return {
    ...passage,
    isManuallyAdded: sourceId === EXTERNAL,
    code: isCode ? text : null,
    print: new TextPrint(text),
    headingTokens: headingTokensOf(headingPath.at(-1) ?? fileName(workspacePath)),
    kind: passageKind({ text, headingPath, isCode, workspacePath }),
  };
}

/** Without folders and extension. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** From this Jaccard similarity of their word runs on, two texts count as the same. */
const SAME = 0.9;
const WORDS_IN_A_RUN = 4;

/**
 * A fingerprint of a text: one number per run of four words, regardless of punctuation and case. Han and kana characters are words of their
 * own. Two texts can be compared without reading them again.
 */
export class TextPrint {
  /** The number of words in the text. */
  readonly words: number;
  /** Equal for equal words. */
  readonly key: number;
  /** Ascending. */
  readonly #runs: Int32Array;

  constructor(text: string) {
    const words = wordNumbers(text.toLowerCase());
    this.words = words.length;
    this.key = words.reduce((key, word) => Math.imul(key ^ word, FNV_PRIME), FNV_BASIS);
    this.#runs = runNumbers(words).toSorted();
  }

  /** Whether the texts share at least nine tenths of all runs of words. */
  isNearly(other: TextPrint): boolean {
    const [a, b] = [this.#runs, other.#runs];
    return Math.min(a.length, b.length) >= SAME * Math.max(a.length, b.length) && shareMost(a, b);
  }
}

/** Whether two ascending lists share {@link SAME} of all their numbers; most that do not are recognised after a twentieth of them. */
function shareMost(a: Int32Array, b: Int32Array): boolean {
  const all = a.length + b.length;
  let own = 0; // numbers that only one list contains
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i] as number;
    const y = b[j] as number;
    if (x <= y) i++;
    if (y <= x) j++;
    if (x === y) continue;
    own++;
    const most = (all - own) / 2;
    if (most < SAME * (all - most)) return false;
  }
  const shared = (all - own - (a.length - i) - (b.length - j)) / 2;
  return shared >= SAME * (all - shared);
}

/** FNV-1a over numbers; a state of 0 means empty, so 1 replaces it. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A number per run of four words. */
function runNumbers(words: Int32Array): Int32Array {
  const runs = new Int32Array(Math.max(0, words.length - WORDS_IN_A_RUN + 1));
  for (let at = 0; at < runs.length; at++) {
    let run = FNV_BASIS;
    for (let i = at; i < at + WORDS_IN_A_RUN; i++) run = Math.imul(run ^ (words[i] as number), FNV_PRIME) || 1;
    runs[at] = run;
  }
  return runs;
}

/** A number per word. Written as a loop, because a regular expression over fifty passages costs more than a search. */
function wordNumbers(text: string): Int32Array {
  const words = new Int32Array(text.length);
  const { length } = text;
  let count = 0;
  let word = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    const kind = unit < 0x80 ? ASCII_KINDS[unit] : kindBeyondAscii(unit);
    if (kind === PART_OF_A_WORD) {
      word = Math.imul((word === 0 ? FNV_BASIS : word) ^ unit, FNV_PRIME) || 1;
    } else {
      if (word !== 0) words[count++] = word;
      word = 0;
      if (kind === WORD_OF_ITS_OWN) words[count++] = Math.imul(FNV_BASIS ^ unit, FNV_PRIME) || 1;
    }
  }
  if (word !== 0) words[count++] = word;
  return words.subarray(0, count);
}

const PART_OF_A_WORD = 1;
const WORD_OF_ITS_OWN = 2;
/** Digits and lower-case letters. */
const ASCII_KINDS = new Uint8Array(0x80).fill(PART_OF_A_WORD, 0x30, 0x3a).fill(PART_OF_A_WORD, 0x61, 0x7b);

/** Everything is part of a word except Latin symbols, general punctuation and CJK punctuation; Han and kana are words of their own. */
function kindBeyondAscii(unit: number): number {
  if (unit >= 0x3040 && unit <= 0x9fff) return WORD_OF_ITS_OWN;
  const isWord = unit >= 0xc0 && (unit < 0x2000 || unit > 0x206f) && (unit < 0x3000 || unit > 0x303f);
  return isWord ? PART_OF_A_WORD : 0;
}
