import { fingerprintOf } from '../../domain/fingerprint-of.ts';
import type { AbortOptions, Clock } from '../../contracts/contribution.ts';
import type { DerivationRecords } from '../../contracts/derivation-records.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import { blake3Id } from '../../domain/blake3.ts';
import { EMBEDDING_TEXT_VERSION } from '../../embedding/embedding-text.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import type { Progress } from '../progress.ts';
import { faultInVectors } from '../../plugin/guard/faults.ts';
import { pluginFailure } from '../../plugin/plugin-failure.ts';

/** The embedder, the cache and the limits that vectors are made with. */
interface VectorSourceInit {
  readonly embedder: Embedder;
  readonly plugin: { readonly name: string; readonly version: string };
  readonly derivations: DerivationRecords;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Calls of the embedder under way at a time. */
  readonly width: number;
  /** How far the run is, in documents. */
  readonly position: () => { readonly done: number; readonly total: number };
}

/** Texts given to the embedder in one call. */
const TEXTS_A_CALL = 32;

/** Gives texts their vectors: from the cache where the same text was embedded before, else from the embedder. */
export class VectorSource {
  readonly #init: VectorSourceInit;
  readonly #fingerprint: string;

  constructor(init: VectorSourceInit) {
    this.#init = init;
    this.#fingerprint = `${fingerprintOf(init.embedder)}+text${EMBEDDING_TEXT_VERSION}`;
  }

  /**
   * One vector for each text, in order; null for a text that has none. What was computed before a cancellation is kept in
   * the cache. Errors: those of the embedder, `plugin_failed` when it breaks its promises, `cancelled`.
   */
  async vectorsOf(texts: readonly string[], options: AbortOptions): Promise<readonly (Float32Array | null)[]> {
    const { derivations, clock, embedder } = this.#init;
    const keys = texts.map((text) => this.#keyOf(text));
    const known = new Map<string, Float32Array | null>();
    const missing = new Map<string, string>();
    for (const [i, key] of keys.entries()) {
      if (known.has(key) || missing.has(key)) continue;
      const payload = derivations.get('embedding', key);
      const vector = payload === undefined ? undefined : decodeVector(payload, embedder.dimensions);
      if (vector === undefined) missing.set(key, texts[i] ?? '');
      else known.set(key, vector);
    }
    derivations.touch([...known.keys()], clock.now());
    await this.#compute([...missing], known, options);
    return keys.map((key) => known.get(key) ?? null);
  }

  async #compute(
    missing: readonly (readonly [key: string, text: string])[],
    known: Map<string, Float32Array | null>,
    options: AbortOptions,
  ): Promise<void> {
    const calls: (readonly (readonly [key: string, text: string])[])[] = [];
    for (let at = 0; at < missing.length; at += TEXTS_A_CALL) calls.push(missing.slice(at, at + TEXTS_A_CALL));
    let next = 0;
    const work = async (): Promise<void> => {
      for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
        throwIfCancelled(options.signal, 'ingest');
        const vectors = await this.#embed(call, options);
        for (const [i, [key]] of call.entries()) known.set(key, vectors[i] ?? null);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#init.width, calls.length) }, work));
  }

  async #embed(
    call: readonly (readonly [key: string, text: string])[],
    options: AbortOptions,
  ): Promise<readonly (Float32Array | null)[]> {
    const { embedder, progress, derivations, clock, position } = this.#init;
    const started = performance.now();
    progress.embedBatchStarted(call.length, position());
    const vectors = await this.#ask(
      call.map(([, text]) => text),
      options,
    );
    const fault = faultInVectors(vectors, { count: call.length, dimensions: embedder.dimensions });
    if (fault !== null) throw this.#failure(new Error(fault));
    const entries = call.map(([key], i) => ({ key, payload: encodeVector(vectors[i] ?? null) }));
    derivations.set('embedding', entries, clock.now());
    progress.embedBatchFinished(call.length, { ms: performance.now() - started, ...position() });
    return vectors;
  }

  async #ask(texts: readonly string[], options: AbortOptions): Promise<readonly (Float32Array | null)[]> {
    try {
      return await this.#init.embedder.embed(
        texts.map((text) => ({ text, kind: 'document' as const })),
        options,
      );
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): Error {
    return pluginFailure(error, { plugin: this.#init.plugin, kind: 'embedder', stage: 'embed' });
  }

  #keyOf(text: string): string {
    return blake3Id(`${this.#fingerprint}\0${text}`);
  }
}

const EMPTY = new Uint8Array(0);

/** A vector as cached bytes, little-endian float32; a text without a vector is no bytes at all. */
function encodeVector(vector: Float32Array | null): Uint8Array {
  if (vector === null) return EMPTY;
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of vector.entries()) view.setFloat32(i * 4, value, true);
  return bytes;
}

/** The vector in cached bytes: null for a text without one, undefined when the bytes cannot be of this many dimensions. */
function decodeVector(bytes: Uint8Array, dimensions: number): Float32Array | null | undefined {
  if (bytes.length === 0) return null;
  if (bytes.length !== dimensions * 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = view.getFloat32(i * 4, true);
  return vector;
}
