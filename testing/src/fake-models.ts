import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Captioner,
  type AbortOptions,
  type CallContext,
  type EmbedInput,
  type Embedder,
  type GenerateRequest,
  type LanguageModel,
  type TokenChunk,
  type OcrEngine,
  type OcrImage,
  type Reranker,
  type OcrText,
  type ModelCaption,
  type ChunkId,
  throwIfCancelled,
} from '@kebab/core';
import { blake3Hex } from '@kebab/core/store';
import { numbersFrom } from './sample-vectors.ts';

/** One answer of a {@link ScriptedModel}. */
export interface ScriptedReply {
  readonly text: string;
  /** Delay before each token; 0 by default. */
  readonly delayMs?: number;
  /** Breaks off after this many tokens with `finishReason: 'error'` and this message; `after: 0` throws it instead. */
  readonly fails?: { readonly after: number; readonly error: Error };
}

/**
 * The answers of a model: one text for every request, texts or replies in turn (the last one repeatedly), or a function of the request and
 * of the number of previous requests.
 */
export type Script =
  | string
  | readonly (string | ScriptedReply)[]
  | ((request: GenerateRequest, call: number) => string | ScriptedReply | Promise<string | ScriptedReply>);

/** Options of a {@link ScriptedModel}. */
export interface ScriptedModelOptions {
  /** 8192 by default. */
  readonly contextTokens?: number;
  /** `scripted` of the provider `fake` by default. */
  readonly model?: LanguageModel['model'];
}

/**
 * A language model that answers from a script, token by token: a token is a word with the white space after it, and the prompt's tokens are
 * counted in the same way. It meets the contract, and records its requests for tests.
 */
export class ScriptedModel implements LanguageModel {
  readonly id = 'scripted';
  readonly version = '1';
  readonly model: LanguageModel['model'];
  readonly contextTokens: number;
  readonly #script: Script;
  readonly #requests: GenerateRequest[] = [];
  #running = 0;

  constructor(script: Script, { contextTokens = 8192, model }: ScriptedModelOptions = {}) {
    this.#script = script;
    this.contextTokens = contextTokens;
    this.model = model ?? { id: 'scripted', provider: 'fake' };
  }

  /** Its requests, in order. */
  get requests(): readonly GenerateRequest[] {
    return this.#requests;
  }

  /** The number of answers in progress. */
  get running(): number {
    return this.#running;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}:${this.model.id}`;
  }

  async *generate(request: GenerateRequest, { signal }: AbortOptions = {}): AsyncGenerator<TokenChunk> {
    const call = this.#requests.push(request) - 1;
    const promptTokens = request.messages.reduce((sum, { text }) => sum + tokensOf(text).length, 0);
    let completionTokens = 0;
    const done = (finishReason: DoneReason, error?: string): TokenChunk => ({
      kind: 'done',
      finishReason,
      ...(error === undefined ? {} : { error }),
      usage: { promptTokens, completionTokens },
    });
    this.#running++;
    try {
      const { text, delayMs = 0, fails } = await this.#reply(request, call);
      const { kept, finishReason } = bounded(tokensOf(beforeStop(text, request.stop)), request.maxTokens);
      for (const token of kept) {
        if (fails?.after === completionTokens) break;
        if (delayMs > 0 && !(await waited(delayMs, signal))) break;
        if (signal?.aborted === true) break;
        completionTokens++;
        yield { kind: 'token', token };
      }
      if (signal?.aborted === true) yield done('aborted');
      else if (fails === undefined || fails.after > completionTokens) yield done(finishReason);
      else if (completionTokens === 0) throw fails.error;
      else yield done('error', fails.error.message);
    } finally {
      this.#running--;
    }
  }

  async #reply(request: GenerateRequest, call: number): Promise<ScriptedReply> {
    const script = this.#script;
    const reply =
      typeof script === 'function'
        ? await script(request, call)
        : typeof script === 'string'
          ? script
          : (script[Math.min(call, script.length - 1)] ?? '');
    return typeof reply === 'string' ? { text: reply } : reply;
  }
}

type DoneReason = Extract<TokenChunk, { kind: 'done' }>['finishReason'];

function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? [];
}

function beforeStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((each) => text.indexOf(each)).filter((end) => end >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}

function bounded(
  tokens: readonly string[],
  maxTokens: number,
): { readonly kept: readonly string[]; readonly finishReason: 'stop' | 'length' } {
  const kept = tokens.slice(0, maxTokens);
  return { kept, finishReason: kept.length < tokens.length ? 'length' : 'stop' };
}

/** False when the signal fired first. */
async function waited(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(delayMs, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** Options of a {@link HashEmbedder}. */
export interface HashEmbedderOptions {
  readonly modelId?: string;
  /** 64 by default. */
  readonly dimensions?: number;
  readonly languages?: readonly string[] | null;
}

/**
 * An embedder for tests that needs no model: every word has its own direction, and a text has the direction of the sum of its words. Texts
 * with common words are near each other, in any language; meaning is ignored.
 */
export class HashEmbedder implements Embedder {
  readonly id = 'hash';
  readonly version = '1';
  readonly modelVersion = 'v1';
  readonly maxInputTokens = 512;
  readonly relevance = { floor: 0.1, ceil: 0.7 };
  readonly modelId: string;
  readonly dimensions: number;
  readonly languages: readonly string[] | null;
  /** While it is set, every call fails with it. */
  failure: Error | null = null;
  readonly #directions = new Map<string, Float32Array>();
  #textsEmbedded = 0;

  constructor({ modelId = 'hash-64', dimensions = 64, languages = null }: HashEmbedderOptions = {}) {
    this.modelId = modelId;
    this.dimensions = dimensions;
    this.languages = languages;
  }

  /** The number of texts it has received. */
  get textsEmbedded(): number {
    return this.#textsEmbedded;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.modelId}+${this.dimensions}`;
  }

  async embed(inputs: readonly EmbedInput[], { signal }: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    throwIfCancelled(signal, 'embedding');
    if (this.failure !== null) throw this.failure;
    this.#textsEmbedded += inputs.length;
    return inputs.map(({ text }) => this.#embedText(text));
  }

  #embedText(text: string): Float32Array | null {
    const words =
      text
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
    const sum = new Float64Array(this.dimensions);
    for (const word of words) this.#directionOf(word).forEach((x, at) => void (sum[at] = (sum[at] ?? 0) + x));
    const length = Math.sqrt(sum.reduce((squares, x) => squares + x * x, 0));
    return length > 0 ? Float32Array.from(sum, (x) => x / length) : null;
  }

  #directionOf(word: string): Float32Array {
    let direction = this.#directions.get(word);
    if (direction === undefined) {
      const random = numbersFrom(Number.parseInt(blake3Hex(word).slice(0, 8), 16));
      direction = Float32Array.from({ length: this.dimensions }, () => random() + random() - 1);
      this.#directions.set(word, direction);
    }
    return direction;
  }
}

type Items = Parameters<Reranker['rerank']>[1];

/** A reranker without a model, for tests: the score is the share of the query's words that occur in a passage. */
export class FakeReranker implements Reranker {
  readonly id = 'fake';
  readonly version = '1';
  /** Its requests, in order. */
  readonly calls: { readonly query: string; readonly items: Items }[] = [];
  /** When set, every call fails with it. */
  failure: Error | null = null;

  fingerprint(): string {
    return 'fake@1';
  }

  // eslint-disable-next-line typescript/require-await -- the contract is asynchronous for rerankers that ask a model
  async rerank(
    query: string,
    items: Items,
    { signal }: AbortOptions = {},
  ): Promise<readonly { readonly chunkId: ChunkId; readonly score: number }[]> {
    throwIfCancelled(signal, 'rerank');
    this.calls.push({ query, items });
    if (this.failure !== null) throw this.failure;
    const wanted = wordsOf(query);
    return items
      .map(({ chunkId, text }) => ({ chunkId, score: shareOf(wanted, wordsOf(text)) }))
      .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function shareOf(wanted: ReadonlySet<string>, present: ReadonlySet<string>): number {
  let found = 0;
  for (const word of wanted) if (present.has(word)) found++;
  return wanted.size === 0 ? 0 : found / wanted.size;
}

/** Options of a {@link FakeOcrEngine}. */
export interface FakeOcrOptions {
  readonly fingerprint?: string;
  /** The lines that it reads in a picture; by default one that contains the size of the picture. */
  readonly read?: (image: OcrImage, context: CallContext) => readonly string[] | Promise<readonly string[]>;
}

/** An OCR engine that only considers the size of a picture, and returns one line below the other. */
export class FakeOcrEngine implements OcrEngine {
  readonly id = 'fake';
  readonly version = '1';
  readonly #options: FakeOcrOptions;
  readonly #asked: Pick<OcrImage, 'width' | 'height' | 'languages'>[] = [];

  constructor(options: FakeOcrOptions = {}) {
    this.#options = options;
  }

  /** The pictures it received, in order. */
  get asked(): readonly Pick<OcrImage, 'width' | 'height' | 'languages'>[] {
    return this.#asked;
  }

  fingerprint(): string {
    return this.#options.fingerprint ?? `${this.id}@${this.version}`;
  }

  async recognize(image: OcrImage, context: CallContext): Promise<OcrText> {
    throwIfCancelled(context.signal, 'ocr');
    const { width, height, languages } = image;
    this.#asked.push({ width, height, languages });
    const lines = (await this.#options.read?.(image, context)) ?? [`A picture of ${width} by ${height} pixels.`];
    const lineHeight = height / Math.max(1, lines.length);
    const regions = lines.map((text, i) => {
      const bbox = [0, Math.floor(i * lineHeight), width, Math.max(1, Math.floor(lineHeight))] as const;
      return { bbox, text, confidence: 1 };
    });
    return { joined: lines.join('\n'), regions, engine: this.id, engineVersion: this.version };
  }
}

const inEnglish = (bytes: number): string => `A picture of ${bytes} bytes.`;
const inKorean = (bytes: number): string => `${bytes}바이트로 된 그림입니다.`;

/** A captioner that describes the size of an image file: in Korean if requested, else in English. */
export class FakeCaptioner implements Captioner {
  readonly id = 'fake';
  readonly version = '1';
  readonly #asked: string[] = [];

  /** The requested languages, in order. */
  get asked(): readonly string[] {
    return this.#asked;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async caption(
    { png, lang }: { readonly png: Uint8Array; readonly lang: string },
    { signal }: CallContext,
  ): Promise<ModelCaption> {
    throwIfCancelled(signal, 'caption');
    this.#asked.push(lang);
    const text = (lang === 'ko' ? inKorean : inEnglish)(png.length);
    return { text, model: 'fake', modelVersion: '1' };
  }
}
