import { type EmbedInput, type Embedder, decodeText } from '@kebab/core';
import assert from 'node:assert/strict';
import { assertIdentified, casesOn, isCancelled, soon, type ContractSuite } from './contract-suite.ts';
import { hostileTexts } from './hostile-texts.ts';
import { cosine } from './sample-vectors.ts';

/** Options of {@link embedderSuite}. */
export interface EmbedderSuiteOptions {
  /** The name of the embedder, for test titles. */
  readonly name?: string;
  /** Creates a fresh embedder; called once per promise, and closed after it. */
  readonly create: () => Embedder | Promise<Embedder>;
  /** Texts of various lengths in a language that the model knows; English ones by default. */
  readonly texts?: readonly string[];
  /** White-space separated words of about one token each, for building long texts; English ones by default. */
  readonly words?: readonly string[];
}

/** Vectors consist of 32-bit numbers. */
const UNIT_TOLERANCE = 1e-4;
const BATCH_TOLERANCE = 1e-3;
/** Long and hostile texts have the necessary length, but not so much that a slow model takes minutes. */
const MAX_LONG_WORDS = 4000;
const MAX_HOSTILE_CHARS = 4000;

const TEXTS = [
  'How do I reset my password?',
  'cat',
  'The index is written in one transaction, so that a reader sees all of it or nothing.',
  'Bake the cake for forty minutes, let it cool, and cover it with sugar. '.repeat(8),
  'fn main() { println!("{}", answer(42)); }',
  'A search returns chunks; every chunk is a slice of its document.',
  'error: the file is not there (ENOENT)',
];
const WORDS =
  'the of and to in is for on with as by that it be this are or from an at not we can if all use file'.split(' ');

type Case = readonly [name: string, check: (embedder: Embedder, other: () => Promise<Embedder>) => Promise<void>];

/**
 * The contract suite of an {@link Embedder}: one unit-length finite vector per input, in order, or null for a text without content; a batch
 * equals its members; nothing is truncated silently; it is deterministic, survives hostile text, and stops when its signal fires.
 */
export function embedderSuite(options: EmbedderSuiteOptions): ContractSuite {
  const promise = casesOn(async () => {
    const made: Embedder[] = [];
    const make = async (): Promise<Embedder> => {
      const embedder = await options.create();
      made.push(embedder);
      return embedder;
    };
    const close = async (): Promise<void> => {
      for (const embedder of made.toReversed()) await embedder.close?.();
    };
    return { embedder: await make(), make, close };
  });
  return {
    contract: options.name === undefined ? 'Embedder' : `Embedder ${options.name}`,
    cases: casesOf(options.texts ?? TEXTS, options.words ?? WORDS).map(([name, check]) =>
      promise(name, ({ embedder, make }) => check(embedder, make)),
    ),
  };
}

function casesOf(texts: readonly string[], words: readonly string[]): readonly Case[] {
  const inputs = texts.map((text, n): EmbedInput => ({ text, kind: n % 2 === 0 ? 'document' : 'query' }));
  return [
    [
      'declares itself: ids, dimensions, window, languages, and bounds of relevance',
      async (embedder, other) => {
        assertIdentified(embedder, await other());
        for (const name of [embedder.modelId, embedder.modelVersion]) assert.match(name, /\S/);
        assert.ok(Number.isInteger(embedder.dimensions) && embedder.dimensions > 0);
        assert.ok(Number.isInteger(embedder.maxInputTokens) && embedder.maxInputTokens > 0);
        for (const language of embedder.languages ?? []) assert.match(language, /^[a-z]{2}$/);
        assert.ok(embedder.relevance.floor < embedder.relevance.ceil && embedder.relevance.ceil <= 1);
      },
    ],
    [
      'returns one unit-length finite vector of its dimensions for each input',
      async (embedder) => {
        const vectors = await embedder.embed(inputs);
        assert.equal(vectors.length, inputs.length);
        for (const vector of vectors) assertUnit(vector, embedder);
      },
    ],
    ['returns nothing for no input', async (embedder) => assert.deepEqual(await embedder.embed([]), [])],
    [
      'keeps the order of its inputs, and a batch equals its members embedded one by one',
      async (embedder) => {
        const batch = await embedder.embed(inputs);
        for (const [n, input] of inputs.entries()) {
          const [single] = await embedder.embed([input]);
          assertNear(batch[n], single, `input ${n} alone`);
        }
        const reversed = (await embedder.embed(inputs.toReversed())).toReversed();
        for (const n of inputs.keys()) assertNear(batch[n], reversed[n], `input ${n} in reverse order`);
      },
    ],
    [
      'distinguishes different texts',
      async (embedder) => {
        const vectors = await embedder.embed(texts.map((text) => ({ text, kind: 'document' })));
        for (const [n, one] of vectors.entries())
          for (const other of vectors.slice(n + 1))
            assert.ok(cosineOf(one, other) < 0.9999, `text ${n} has its own vector`);
      },
    ],
    [
      'embeds queries near the documents with the same content',
      async (embedder) => {
        for (const text of texts) {
          const [query, document, ...others] = await embedder.embed([
            { text, kind: 'query' },
            { text, kind: 'document' },
            ...texts.filter((other) => other !== text).map((other): EmbedInput => ({ text: other, kind: 'document' })),
          ]);
          assertUnit(query, embedder);
          const nearest = Math.max(...others.map((other) => cosineOf(query, other)));
          assert.ok(cosineOf(query, document) > nearest, `"${text.slice(0, 40)}" is nearest to itself`);
        }
      },
    ],
    [
      'returns null for empty text and white space, and only for these inputs',
      async (embedder) => {
        const [first] = texts;
        const empty = ['', ' ', '\n\t \r\n', '\u3000\u00a0'];
        const mixed = empty.flatMap((text): EmbedInput[] => [
          { text, kind: 'document' },
          { text: first ?? '', kind: 'query' },
          { text, kind: 'query' },
        ]);
        const vectors = await embedder.embed(mixed);
        for (const [n, vector] of vectors.entries())
          if (n % 3 === 1) assertUnit(vector, embedder);
          else assert.ok(vector === null, `the result of ${JSON.stringify(mixed[n]?.text)} is null`);
      },
    ],
    [
      'truncates nothing: a change at the beginning, in the middle and at the end of a long text changes its vector',
      async (embedder) => {
        const count = Math.min(embedder.maxInputTokens * 3, MAX_LONG_WORDS);
        const long = Array.from({ length: count }, (_, n) => words[(n * 7) % words.length] ?? 'a');
        const [change] = texts;
        const at = (place: number): string =>
          [...long.slice(0, place), ...Array.from({ length: 20 }, () => change), ...long.slice(place)].join(' ');
        const changed = [long.join(' '), at(0), at(count >> 1), at(count)];
        const vectors = await embedder.embed(changed.map((text) => ({ text, kind: 'document' })));
        for (const vector of vectors) assertUnit(vector, embedder);
        for (const [n, vector] of vectors.slice(1).entries())
          assert.ok(cosineOf(vectors[0], vector) < 0.99999, `change ${n} is seen`);
      },
    ],
    [
      'is deterministic, in every instance, even for concurrent calls',
      async (embedder, other) => {
        const first = await embedder.embed(inputs);
        const second = await other();
        const again = await Promise.all([embedder.embed(inputs), second.embed(inputs), embedder.embed(inputs)]);
        for (const vectors of again)
          for (const [n, vector] of vectors.entries()) assertNear(vector, first[n], `input ${n}`, 1e-6);
      },
    ],
    [
      'survives hostile texts: a vector of unit length or null for each',
      async (embedder) => {
        for (const { name, bytes } of hostileTexts()) {
          const text = (await decodeText(bytes)).text.slice(0, MAX_HOSTILE_CHARS);
          const [vector] = await embedder.embed([{ text, kind: 'document' }]);
          if (vector !== null) assertUnit(vector, embedder, name);
        }
      },
    ],
    [
      'returns nothing when its signal has already fired',
      async (embedder) => {
        await assert.rejects(() => embedder.embed(inputs, { signal: AbortSignal.abort() }), isCancelled);
        for (const vector of await embedder.embed(inputs)) assertUnit(vector, embedder);
      },
    ],
    [
      'stops soon after its signal fires during long work, and continues with the next call',
      async (embedder) => {
        await embedder.embed(inputs.slice(0, 1)); // a model may take longer than this to load
        const controller = new AbortController();
        const work = Array.from({ length: 200 }, () => inputs).flat();
        const settled = embedder.embed(work, { signal: controller.signal }).catch((error: unknown) => {
          if (!isCancelled(error)) throw error;
        });
        setImmediate(() => controller.abort());
        await soon(settled);
        for (const vector of await embedder.embed(inputs)) assertUnit(vector, embedder);
      },
    ],
  ];
}

function assertUnit(vector: Float32Array | null | undefined, { dimensions }: Embedder, of = 'the text'): void {
  assert.ok(vector instanceof Float32Array, `${of} has a vector`);
  assert.equal(vector.length, dimensions);
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)); // NaN if one of them is not finite
  assert.ok(Math.abs(length - 1) <= UNIT_TOLERANCE, `the vector of ${of} is a unit vector; its length is ${length}`);
}

function assertNear(
  one: Float32Array | null | undefined,
  other: Float32Array | null | undefined,
  of: string,
  tolerance = BATCH_TOLERANCE,
): void {
  assert.ok(one instanceof Float32Array && other instanceof Float32Array, `${of} has a vector`);
  const furthest = one.reduce((most, x, at) => Math.max(most, Math.abs(x - (other[at] ?? Number.NaN))), 0);
  assert.ok(furthest <= tolerance, `the vector of ${of} differs by ${furthest}`);
}

function cosineOf(one: Float32Array | null | undefined, other: Float32Array | null | undefined): number {
  assert.ok(one instanceof Float32Array && other instanceof Float32Array, 'both texts have a vector');
  return cosine(one, other);
}
