import { fingerprintOf } from '../../domain/policy-hash.ts';
import type { AbortOptions, Clock } from '../../contracts/contribution.ts';
import type { DerivationRecords } from '../../contracts/derivation-records.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import { blake3Id } from '../../domain/blake3.ts';
import { EMBEDDING_TEXT_VERSION } from '../../embedding/open-embedding.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { Progress } from '../progress.ts';
import { faultInVectors } from '../../plugin/guard/faults.ts';
import { pluginFailure } from '../../plugin/plugin-failure.ts';

/** The embedder, the cache and the limits for computing vectors. */
interface VectorSourceInit {
  readonly embedder: Embedder;
  readonly plugin: { readonly name: string; readonly version: string };
  readonly derivations: DerivationRecords;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Maximum number of concurrent calls of the embedder. */
  readonly width: number;
  /** The progress of the run, in documents. */
  readonly position: () => { readonly done: number; readonly total: number };
}

/** Number of texts per call of the embedder. */
const TEXTS_A_CALL = 32;
/** After this many refused texts in a run, the embedder is not called again. */
const MAX_REFUSED = 100;

/** The result for a text: its vector, null for a text without one, undefined when the embedder returned nothing usable. */
type Made = Float32Array | null | undefined;

/** A text with the cache key of its vector. */
type KeyedText = readonly [key: string, text: string];

/** Provides the vectors of texts: from the cache if the same text was embedded before, else from the embedder. */
export class VectorSource {
  readonly #init: VectorSourceInit;
  readonly #fingerprint: string;
  #refusals: { readonly count: number; readonly error: unknown } | null = null;

  constructor(init: VectorSourceInit) {
    this.#init = init;
    this.#fingerprint = `${fingerprintOf(init.embedder)}+text${EMBEDDING_TEXT_VERSION}`;
  }

  /**
   * The number of texts for which the embedder returned nothing usable while it returned vectors for others, and the last reason; null when
   * there are none.
   */
  get refusals(): { readonly count: number; readonly error: unknown } | null {
    return this.#refusals;
  }

  /**
   * Returns one vector per text, in order; null for a text without one, undefined when the embedder returned nothing usable. What was
   * computed before a cancellation is cached, unless it is unusable. Errors: those of the embedder, `plugin_failed` when it breaks its
   * contract, `cancelled`.
   */
  async vectorsOf(texts: readonly string[], options: AbortOptions): Promise<readonly Made[]> {
    const { derivations, clock, embedder } = this.#init;
    const keys = texts.map((text) => this.#keyOf(text));
    const known = new Map<string, Made>();
    const missing = new Map<string, string>();
    const payloads = await derivations.get('embedding', [...new Set(keys)]);
    for (const [i, key] of keys.entries()) {
      if (known.has(key) || missing.has(key)) continue;
      const payload = payloads.get(key);
      const vector = payload === undefined ? undefined : decodeVector(payload, embedder.dimensions);
      if (vector === undefined) missing.set(key, texts[i] ?? '');
      else known.set(key, vector);
    }
    await derivations.touch([...known.keys()], clock.now());
    await this.#compute([...missing], known, options);
    return keys.map((key) => known.get(key));
  }

  async #compute(missing: readonly KeyedText[], known: Map<string, Made>, options: AbortOptions): Promise<void> {
    const calls: (readonly KeyedText[])[] = [];
    for (let at = 0; at < missing.length; at += TEXTS_A_CALL) calls.push(missing.slice(at, at + TEXTS_A_CALL));
    let next = 0;
    const work = async (): Promise<void> => {
      for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
        throwIfCancelled(options.signal, 'ingest');
        const vectors = await this.#embed(call, options);
        for (const [i, [key]] of call.entries()) known.set(key, vectors[i]);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#init.width, calls.length) }, work));
  }

  async #embed(call: readonly KeyedText[], options: AbortOptions): Promise<readonly Made[]> {
    const { progress, derivations, clock, position } = this.#init;
    const started = performance.now();
    progress.embedBatchStarted(call.length, position());
    const vectors = await this.#made(
      call.map(([, text]) => text),
      options,
    );
    const entries = call.flatMap(([key], i) => {
      const vector = vectors[i];
      return vector === undefined ? [] : [{ key, payload: encodeVector(vector) }];
    });
    await derivations.set('embedding', entries, clock.now());
    progress.embedBatchFinished(call.length, { ms: performance.now() - started, ...position() });
    return vectors;
  }

  /**
   * Embeds texts. If the result is unusable, embedding an ordinary word shows where the fault is: in the embedder, which ends the run, or
   * in single texts, which are left without a vector so that the others get theirs.
   */
  async #made(texts: readonly string[], options: AbortOptions): Promise<readonly Made[]> {
    let failure: unknown;
    try {
      const vectors = await this.#ask(texts, options);
      if (!vectors.some((vector, i) => vector === null && HOLDS_WORDS.test(texts[i] ?? ''))) return vectors;
      await this.#probe(options);
      return vectors;
    } catch (error) {
      if (!isKebabError(error) || !OF_THE_EMBEDDER.has(error.code)) throw error;
      failure = error;
    }
    await this.#probe(options).catch(() => {
      throw failure;
    });
    if (texts.length === 1) return [this.#refused(failure)];
    const vectors: Made[] = [];
    for (const text of texts) vectors.push(...(await this.#made([text], options)));
    return vectors;
  }

  /** Throws when the embedder has no vector for a word that every model knows. */
  async #probe(options: AbortOptions): Promise<void> {
    const [vector] = await this.#ask([ORDINARY_WORD], options);
    if (vector === null) throw this.#failure(new Error('it gives texts of ordinary words no vector'));
  }

  #refused(error: unknown): undefined {
    const count = (this.#refusals?.count ?? 0) + 1;
    if (count > MAX_REFUSED) throw error;
    this.#refusals = { count, error };
  }

  async #ask(texts: readonly string[], options: AbortOptions): Promise<readonly (Float32Array | null)[]> {
    const { embedder } = this.#init;
    let vectors: readonly (Float32Array | null)[];
    try {
      vectors = await embedder.embed(
        texts.map((text) => ({ text, kind: 'document' as const })),
        options,
      );
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      throw this.#failure(error);
    }
    const fault = faultInVectors(vectors, { count: texts.length, dimensions: embedder.dimensions });
    if (fault !== null) throw this.#failure(new Error(fault));
    return vectors;
  }

  #failure(error: unknown): Error {
    return pluginFailure(error, { plugin: this.#init.plugin, kind: 'embedder', stage: 'embed' });
  }

  #keyOf(text: string): string {
    return blake3Id(`${this.#fingerprint}\0${text}`);
  }
}

/** Errors that may be caused by a text rather than by the embedder. */
const OF_THE_EMBEDDER: ReadonlySet<string> = new Set(['plugin_failed', 'model_unreachable', 'invalid_input']);
const ORDINARY_WORD = 'kebab';
const HOLDS_WORDS = /[\p{L}\p{N}]/u;

/** The cache entry for a text without a vector. */
const NONE = new Uint8Array(1);

/** Encodes a vector for the cache, as little-endian float32. */
function encodeVector(vector: Float32Array | null): Uint8Array {
  if (vector === null) return NONE;
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < vector.length; i++) view.setFloat32(i * 4, vector[i] ?? 0, true);
  return bytes;
}

/** Decodes a cached vector: null for a text without one, undefined when the bytes are not a vector of this many dimensions. */
function decodeVector(bytes: Uint8Array, dimensions: number): Made {
  if (bytes.length === NONE.length) return null;
  if (bytes.length !== dimensions * 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = view.getFloat32(i * 4, true);
  return faultInVectors([vector], { count: 1, dimensions }) === null ? vector : undefined;
}
