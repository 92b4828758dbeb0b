import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** A model of a fake server. */
export interface FakeModel {
  /** Tokens of its window; a token is four characters of input. */
  readonly contextTokens: number;
  /** `completion`, `vision`, `thinking`, `embedding`; if omitted, the server does not report them, like old ones. */
  readonly capabilities?: readonly string[];
  /** The length of its vectors, for a model that embeds. */
  readonly dimensions?: number;
  /** Whether `/api/show` does not report the length of vectors. */
  readonly hidesDimensions?: boolean;
}

/** Models by full name. */
export type FakeModels = Readonly<Record<string, FakeModel>>;

/** The default models of a fake server: one that chats, one with vision, one that thinks, one that embeds. */
export const FAKE_MODELS: FakeModels = {
  'tiny:latest': { contextTokens: 4096, capabilities: ['completion'] },
  'eyes:latest': { contextTokens: 8192, capabilities: ['completion', 'vision'] },
  'thinker:latest': { contextTokens: 4096, capabilities: ['completion', 'thinking'] },
  'vectors:latest': { contextTokens: 512, capabilities: ['embedding'], dimensions: 64 },
};

/** The model of that name; one without a tag is the latest. */
export function findModel(models: FakeModels, name: string): FakeModel | undefined {
  return models[name.includes(':') ? name : `${name}:latest`];
}

/** The number of tokens of a text for a fake model. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'fake',
  families: ['fake'],
  parameter_size: '1M',
  quantization_level: 'Q8_0',
};

/** An entry of `GET /api/tags`; the digest depends on the name and the model's properties. */
export function listed(name: string, model: FakeModel): object {
  const digest = createHash('sha256')
    .update(`${name} ${JSON.stringify(model)}`)
    .digest('hex');
  return { name, model: name, modified_at: new Date(0).toISOString(), size: 1000, digest, details: DETAILS };
}

/** The answer of `POST /api/show`. */
export function shown({ contextTokens, capabilities, dimensions, hidesDimensions = false }: FakeModel): object {
  return {
    modelfile: '',
    parameters: '',
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': 'fake',
      'fake.context_length': contextTokens,
      ...(dimensions === undefined || hidesDimensions ? {} : { 'fake.embedding_length': dimensions }),
    },
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

/**
 * A fault in a response. `hang`: no response. `html`: the 502 page of a proxy. The others break a stream after its second
 * part: `error` is a line that reports one, `cut` closes the connection, `incomplete` ends without a last line, `garbled` is a line that is
 * not JSON. An object is any status with an error of that text.
 */
export type Fault =
  | 'hang'
  | 'html'
  | 'error'
  | 'cut'
  | 'incomplete'
  | 'garbled'
  | { readonly status: number; readonly error: string };

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

/** Sends a fault that needs no stream; false if there is none, and the request should be answered. */
export function sendFault(response: ServerResponse, fault: Fault | null): boolean {
  if (fault === null) return false;
  if (typeof fault === 'object') sendJson(response, fault.status, { error: fault.error });
  else if (fault === 'html')
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>502 Bad Gateway</body></html>');
  else return fault === 'hang';
  return true;
}

/** The body of `POST /api/embed`. */
export interface FakeEmbedBody {
  readonly model: string;
  readonly input?: unknown;
  readonly truncate?: boolean;
  readonly options?: { readonly num_ctx?: number };
}

/** Computes the vector of one text; it is sent unvalidated, so that a test can send nonsense. */
export type EmbedText = (text: string, dimensions: number) => readonly (number | null)[];

/** One batch to answer. */
interface FakeEmbedding {
  readonly body: FakeEmbedBody;
  readonly model: FakeModel;
  readonly fault: Fault | null;
  readonly embed: EmbedText;
  /** Whether the first vector of every batch is missing. */
  readonly losesVectors: boolean;
}

/** Answers a batch like `/api/embed`: one vector per text, none for a single empty text, 400 for a text that is too long. */
export function answerEmbedding(
  response: ServerResponse,
  { body, model, fault, embed, losesVectors }: FakeEmbedding,
): void {
  if (sendFault(response, fault)) return;
  const { input = '' } = body;
  const given: readonly unknown[] = Array.isArray(input) ? input : input === '' ? [] : [input];
  const texts = given.filter((text): text is string => typeof text === 'string');
  if (texts.length < given.length) return sendJson(response, 400, { error: 'invalid input type' });
  const { dimensions } = model;
  if (dimensions === undefined) return sendJson(response, 500, { error: 'this model does not support embeddings' });
  const window = Math.min(model.contextTokens, body.options?.num_ctx ?? Infinity);
  if (body.truncate === false && texts.some((text) => countTokens(text) > window))
    return sendJson(response, 400, { error: 'the input length exceeds the context length' });
  const kept = texts.map((text) => text.slice(0, window * 4));
  sendJson(response, 200, {
    model: body.model,
    embeddings: (losesVectors ? kept.slice(1) : kept).map((text) => embed(text, dimensions)),
    total_duration: 1_000_000, // nanoseconds
    load_duration: 1_000,
    prompt_eval_count: kept.reduce((sum, text) => sum + countTokens(text), 0),
  });
}

/**
 * The vector of a text computed from its words: each adds a number to a few components chosen by its letters, so that texts with common
 * words are near each other. Unit length; the same text always has the same vector.
 */
export const wordVector: EmbedText = (text, dimensions) => {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    let state = 2_166_136_261;
    for (const character of word) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
    for (let place = 0; place < 4; place++) {
      state = Math.imul(state ^ (state >>> 15), 2_246_822_519) >>> 0;
      const at = state % dimensions;
      vector[at] = (vector[at] ?? 0) + ((state & 0x1_0000) === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.map((_, at) => (at === 0 ? 1 : 0)) : vector.map((number) => number / length);
};
