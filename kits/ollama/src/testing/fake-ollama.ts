import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { startLoopbackServer, type LoopbackServer } from '@kebab/testing';
import {
  sendFault,
  sendJson,
  type Fault,
  FAKE_MODELS,
  findModel,
  listed,
  shown,
  type FakeModels,
  answerEmbedding,
  wordVector,
  type EmbedText,
  type FakeEmbedBody,
  countTokens,
  type FakeModel,
} from './fake-models.ts';

/** One request to a fake server. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  /** The JSON of a POST; an empty object for everything else. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a fake server behaves; all members are optional. */
export interface FakeOllamaOptions {
  readonly models?: FakeModels;
  /** The output of its models; by default they repeat the last message. */
  readonly reply?: string | ((body: FakeChatBody) => string | FakeReply);
  readonly embed?: EmbedText;
  /** Whether the first vector of every batch is missing. */
  readonly losesVectors?: boolean;
  /** The fault of a request to `/api/chat`, `/api/embed` or `/api/show`. */
  readonly fault?: (request: FakeRequest) => Fault | null;
  /** The delay in the middle of each part; 1 by default, so that its halves arrive separately; with 0 it is sent whole. */
  readonly partDelayMs?: number;
  /** 4 by default. */
  readonly partChars?: number;
}

/** A fake server that listens on a loopback port. */
export interface FakeOllama extends LoopbackServer {
  /** The requests, in order. */
  readonly requests: readonly FakeRequest[];
}

/**
 * Starts a test double of an Ollama server, for tests of plugins and of whole programs. It answers `GET /api/tags`, and `POST /api/show`,
 * `/api/chat`, in streams, and `/api/embed` like Ollama 0.12.
 */
export async function startFakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const requests: FakeRequest[] = [];
  const server = await startLoopbackServer((request, response) => answer(request, response, { options, requests }));
  return { ...server, requests };
}

interface Serving {
  readonly options: FakeOllamaOptions;
  readonly requests: FakeRequest[];
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { options, requests } = serving;
  const { models = FAKE_MODELS } = options;
  const { method = 'GET' } = request;
  const { pathname: path } = new URL(request.url ?? '/', 'http://localhost');
  const body = method === 'POST' ? await bodyOf(request) : {};
  if (body === undefined) return sendJson(response, 400, { error: 'invalid JSON' });
  const asked: FakeRequest = { method, path, body };
  requests.push(asked);
  if (path === '/api/tags') {
    const list = Object.entries(models).map(([name, model]) => listed(name, model));
    return sendJson(response, 200, { models: list });
  }
  if (method !== 'POST') return void response.writeHead(404).end('404 page not found');
  const name = body['model'];
  if (typeof name !== 'string' || name === '') return sendJson(response, 400, { error: 'model is required' });
  const model = findModel(models, name);
  if (model === undefined) return sendJson(response, 404, { error: `model '${name}' not found` });
  const fault = options.fault?.(asked) ?? null;
  switch (path) {
    case '/api/show':
      if (!sendFault(response, fault)) sendJson(response, 200, shown(model));
      return;
    case '/api/embed': {
      const { embed = wordVector, losesVectors = false } = options;
      return answerEmbedding(response, { body: body as unknown as FakeEmbedBody, model, fault, embed, losesVectors });
    }
    case '/api/chat': {
      const { reply = echo, partDelayMs = 1, partChars = 4 } = options;
      return answerChat(
        response,
        { body: body as unknown as FakeChatBody, model, fault },
        { reply: typeof reply === 'string' ? () => reply : reply, partDelayMs, partChars },
      );
    }
    default:
      return void response.writeHead(404).end('404 page not found');
  }
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function echo({ messages = [] }: FakeChatBody): string {
  return messages.at(-1)?.content ?? '';
}

/** The body of `POST /api/chat`. */
export interface FakeChatBody {
  readonly model: string;
  readonly messages?: readonly FakeMessage[];
  readonly think?: boolean | string;
  readonly keep_alive?: string | number;
  /** `json`, or the JSON Schema of the answer. */
  readonly format?: string | object;
  readonly options?: {
    readonly num_ctx?: number;
    readonly num_predict?: number;
    readonly temperature?: number;
    readonly seed?: number;
    readonly stop?: readonly string[];
  };
}

/** A message of a chat; images are base64. */
export interface FakeMessage {
  readonly role: string;
  readonly content: string;
  readonly images?: readonly string[];
}

/** The output of a fake model; `thinking` is sent separately, before the text, unless the request forbids it. */
export interface FakeReply {
  readonly content: string;
  readonly thinking?: string;
}

/** How a fake server writes. */
interface FakeWriting {
  readonly reply: (body: FakeChatBody) => string | FakeReply;
  /** The delay in the middle of each part; with 0 a part is sent whole. */
  readonly partDelayMs: number;
  /** Code points per part; a part counts as one token. */
  readonly partChars: number;
}

/** One chat to answer. */
interface FakeChat {
  readonly body: FakeChatBody;
  readonly model: FakeModel;
  readonly fault: Fault | null;
}

/** Answers a chat like `/api/chat`, in lines whose halves are sent separately, split inside a character if possible. */
async function answerChat(response: ServerResponse, chat: FakeChat, writing: FakeWriting): Promise<void> {
  const { body, model, fault } = chat;
  const { messages = [] } = body;
  if (sendFault(response, fault)) return;
  const refusal = refusalOf(chat);
  if (refusal !== null) return sendJson(response, 400, { error: refusal });
  const line = (fields: object): object => ({ model: body.model, created_at: new Date(0).toISOString(), ...fields });
  const says = (content: string): object => ({ message: { role: 'assistant', content } });
  const { content, thinking } = replyOf(writing.reply(body));
  const thought = thinks(model, body) ? partsOf(thinking ?? '', writing.partChars) : [];
  const all = partsOf(beforeStop(content, body.options?.stop ?? []), writing.partChars);
  const limit = body.options?.num_predict ?? -1;
  const kept = limit < 0 ? all : all.slice(0, Math.max(0, limit - thought.length));
  const last = line({
    ...says(''),
    done: true,
    done_reason: kept.length < all.length ? 'length' : 'stop',
    total_duration: 5_000_000, // nanoseconds
    load_duration: 1_000_000,
    prompt_eval_count: countTokens(messages.map((message) => message.content).join('\n')),
    prompt_eval_duration: 1_000_000,
    eval_count: thought.length + kept.length,
    eval_duration: 3_000_000,
  });
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const parts = [
    ...thought.map((part) => line({ message: { role: 'assistant', content: '', thinking: part }, done: false })),
    ...kept.map((part) => line({ ...says(part), done: false })),
  ];
  for (const [index, part] of parts.entries()) {
    if (response.destroyed) return;
    if (index === Math.min(2, parts.length - 1) && (await breaksOff(response, fault))) return;
    await sendLine(response, part, writing.partDelayMs);
  }
  if (!response.destroyed) response.end(`${JSON.stringify(last)}\n`);
}

/** The delay before a connection is cut, so that the data sent before is read: closing would overtake it. */
const ARRIVAL_MS = 30;

function refusalOf({ body, model }: FakeChat): string | null {
  const lacks = (capability: string): boolean => model.capabilities?.includes(capability) === false;
  if (lacks('completion')) return `"${body.model}" does not support chat`;
  if (lacks('thinking') && body.think !== undefined && body.think !== false)
    return `"${body.model}" does not support thinking`;
  const seen = body.messages?.some(({ images }) => images !== undefined && images.length > 0) === true;
  return seen && lacks('vision') ? 'this model is missing data required for image input' : null;
}

function thinks(model: FakeModel, body: FakeChatBody): boolean {
  return model.capabilities?.includes('thinking') === true && body.think !== false;
}

/** Whether the answer ends here. */
async function breaksOff(response: ServerResponse, fault: Fault | null): Promise<boolean> {
  if (fault === 'cut') await sleep(ARRIVAL_MS);
  if (fault === 'error') response.end('{"error":"an error was encountered while running the model"}\n');
  else if (fault === 'cut') response.destroy();
  else if (fault === 'incomplete') response.end();
  else if (fault === 'garbled') response.write('{"model": oops\n');
  return fault === 'error' || fault === 'cut' || fault === 'incomplete';
}

async function sendLine(response: ServerResponse, value: object, delayMs: number): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  if (delayMs === 0) {
    response.write(bytes);
    await setImmediate();
    return;
  }
  const inside = bytes.findIndex((byte) => (byte & 0xc0) === 0x80); // a byte that continues a character
  const at = inside === -1 ? bytes.length >> 1 : inside;
  response.write(bytes.subarray(0, at));
  await sleep(delayMs);
  response.write(bytes.subarray(at));
}

function replyOf(reply: string | FakeReply): FakeReply {
  return typeof reply === 'string' ? { content: reply } : reply;
}

function partsOf(text: string, size: number): readonly string[] {
  const codePoints = [...text];
  const count = Math.ceil(codePoints.length / size);
  return Array.from({ length: count }, (_, n) => codePoints.slice(n * size, (n + 1) * size).join(''));
}

function beforeStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((each) => text.indexOf(each)).filter((end) => end >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}
