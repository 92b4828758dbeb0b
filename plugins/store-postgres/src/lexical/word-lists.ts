/** A list of postings has those of 2 ** 14 consecutive chunks. */
export const CHUNK_BITS = 14;
const LOW_VALUES = 2 ** 32;
const WORD_BITS = 48n;

/** The number of a word, of 48 bits: two hashes like FNV-1a over its UTF-16 units, each mixed with the other as in MurmurHash3. */
export function wordId(word: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
  }
  const mixed = mix(low ^ (high >>> 15));
  return (mix(high ^ mixed) & 0xffff) * LOW_VALUES + (mixed >>> 0);
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** The number of the list that a chunk is in for a word, in halves of 32 bits, since it does not fit into a number. */
export function listOf(word: number, chunk: number): { readonly high: number; readonly low: number } {
  return { high: (segmentOf(chunk) << 16) | (word / LOW_VALUES), low: word | 0 };
}

/** The lists of a word in an index whose last chunk has this number; of 64 bits, hence as text. */
export function listsOf(word: string, lastChunk: number): readonly string[] {
  const id = BigInt(wordId(word));
  return Array.from({ length: segmentOf(lastChunk) + 1 }, (_, segment) =>
    ((BigInt(segment) << WORD_BITS) + id).toString(),
  );
}

function segmentOf(chunk: number): number {
  return chunk >> CHUNK_BITS;
}
