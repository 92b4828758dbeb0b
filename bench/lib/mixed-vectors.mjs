import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TransformersEmbedder } from '../../plugins/embed-transformers/src/transformers-embedder.ts';

const SETS = ['squad2', 'cranfield', 'cacm', 'cosqa-dev'];
const TEXT_CHARS = 280;
const QUERIES_A_SET = 30;
/** The minimum and maximum share of a second text in a vector, and the share of the difference between two others. */
const [MIN_SHARE, MAX_SHARE, NOISE] = [0.2, 0.8, 0.25];

/**
 * Generates any number of vectors like those of a model: real texts are embedded, and each vector is one of theirs with a part of a second
 * and, as noise with a realistic distribution, a part of the difference between two more. Queries are those of the judged sets, unmodified.
 */
export class MixedVectors {
  dimensions;
  queries;
  #texts;

  constructor(texts, queries) {
    this.#texts = texts;
    this.queries = queries;
    this.dimensions = queries[0].length;
  }

  /** Embeds texts of the judged sets in a folder `data` with the model in a folder. */
  static async embed({ data, model, texts, modelDir }) {
    const read = (set, file) =>
      readFileSync(path.join(data, set, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const pieces = SETS.map((set) =>
      read(set, 'corpus.jsonl').flatMap(({ title = '', text }) => cut(`${title} ${text}`)),
    );
    const documents = inTurn(pieces, texts);
    const queries = SETS.flatMap((set) => read(set, 'queries.jsonl').slice(0, QUERIES_A_SET)).map(({ text }) => text);
    const config = { model, version: 'v1', dimensions: null, batchSize: 16, modelDir, threads: 1 };
    const embedder = await TransformersEmbedder.open(config);
    const all = (list, kind) => embedder.embed(list.map((text) => ({ text, kind })));
    const mixed = new MixedVectors(await all(documents, 'document'), await all(queries, 'query'));
    await embedder.close();
    return mixed;
  }

  /** Writes the n-th vector, which is always the same, as a unit vector. */
  write(n, vector) {
    const random = numbers(n + 1);
    const text = () => this.#texts[Math.floor(random() * this.#texts.length)];
    const [first, second, more, less] = [text(), text(), text(), text()];
    const share = MIN_SHARE + (MAX_SHARE - MIN_SHARE) * random();
    let sum = 0;
    for (let at = 0; at < vector.length; at++)
      sum += (vector[at] = first[at] + share * second[at] + NOISE * (more[at] - less[at])) ** 2;
    const length = Math.sqrt(sum);
    for (let at = 0; at < vector.length; at++) vector[at] /= length;
  }
}

function cut(text) {
  const pieces = [];
  for (let at = 0; at < text.length; at += TEXT_CHARS) pieces.push(text.slice(at, at + TEXT_CHARS));
  return pieces.filter((piece) => piece.length > TEXT_CHARS / 4);
}

/** Interleaves lists: the first of each, then the second of each, until there are enough. */
function inTurn(lists, count) {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)))
    .flat()
    .slice(0, count);
}

function numbers(seed) {
  let state = Math.imul(seed, 2_654_435_761);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
