import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Queries generated from a corpus, deterministically. */
export interface CorpusQueries {
  /** One, two and three words, without the most common English words. */
  readonly short: readonly string[];
  /** Sentences of 8 to 20 words. */
  readonly questions: readonly string[];
}

const COMMON = new Set(
  'the and for that this with you are can from not use when your which have has all will'.split(' '),
);

/** Draws queries from the Markdown files of a folder. */
export function drawQueries(folder: string, count: number): CorpusQueries {
  const texts = markdownFiles(folder).map((file) => readFileSync(file, 'utf8'));
  const random = generator(20_260_101);
  const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? '';
  const short: string[] = [];
  const questions: string[] = [];
  while (short.length < count) {
    const words = (pick(texts).match(/[A-Za-z][A-Za-z_]{2,}/g) ?? []).filter((word) => !COMMON.has(word.toLowerCase()));
    if (words.length > 20) short.push(Array.from({ length: 1 + (short.length % 3) }, () => pick(words)).join(' '));
  }
  while (questions.length < count) {
    const sentences =
      pick(texts)
        .replaceAll(/```[^]*?```/g, ' ')
        .match(/[A-Z][^.#|`"\n[\]*]{40,200}\./g) ?? [];
    if (sentences.length === 0) continue;
    const sentence = pick(sentences);
    const words = sentence.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
    if (words >= 8 && words <= 20) questions.push(sentence);
  }
  return { short, questions };
}

/** The Markdown files of a folder and the folders in it, in order. */
export function markdownFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => path.join(folder, name));
}

/** A small linear congruential generator: numbers from 0 up to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
