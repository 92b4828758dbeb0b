import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoopbackServer, type LoopbackServer } from '@kebab/testing';

/** A fault: no response, or an interruption after the second part. */
export type Fault = 'hang' | 'cut' | 'incomplete' | 'garbled';

/** How the fake behaves. */
export interface FakeOpenaiOptions {
  readonly models?: readonly object[];
  readonly apiKey?: string;
  readonly reply?: (body: ChatBody) => string;
  readonly finishReason?: string;
  readonly withoutUsage?: boolean;
  readonly fault?: Fault;
}

/** A body of `/v1/chat/completions`. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly max_tokens?: number;
  readonly stop?: readonly string[];
  readonly [key: string]: unknown;
}

/** A listening fake. */
export interface FakeOpenai extends LoopbackServer {
  readonly requests: readonly {
    readonly path: string;
    readonly authorization?: string;
    readonly body: ChatBody | null;
  }[];
}

type Requests = { path: string; authorization?: string; body: ChatBody | null }[];

/** Starts a test double of an OpenAI-compatible server on a loopback port. */
export async function startFakeOpenai(options: FakeOpenaiOptions = {}): Promise<FakeOpenai> {
  const requests: Requests = [];
  const server = await startLoopbackServer((request, response) => answer(request, response, { options, requests }));
  return { ...server, requests };
}

const MODELS = [{ id: 'tiny', object: 'model', owned_by: 'test', max_model_len: 4096 }];

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { options, requests }: { readonly options: FakeOpenaiOptions; readonly requests: Requests },
): Promise<void> {
  const { models = MODELS, apiKey, fault } = options;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const body = text === '' ? null : (JSON.parse(text) as ChatBody);
  const { authorization } = request.headers;
  const path = request.url ?? '/';
  requests.push({ path, body, ...(authorization === undefined ? {} : { authorization }) });
  const json = (status: number, value: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`)
    return json(401, { error: { message: `Incorrect API key provided: ${authorization?.slice(7)}`, code: 'invalid' } });
  if (path === '/v1/models') return json(200, { object: 'list', data: models });
  if (path !== '/v1/chat/completions' || body === null) return void response.writeHead(404).end('Not Found');
  if (!models.some((model) => (model as { id: string }).id === body.model))
    return json(404, { error: { message: `The model \`${body.model}\` does not exist.`, code: 'model_not_found' } });
  if (fault !== 'hang') await write(response, body, options);
}

async function write(response: ServerResponse, body: ChatBody, options: FakeOpenaiOptions): Promise<void> {
  const { reply = echo, finishReason, withoutUsage = false, fault } = options;
  const whole = reply(body);
  const stops = (body.stop ?? []).map((stop) => whole.indexOf(stop)).filter((at) => at >= 0);
  const all = partsOf(whole.slice(0, Math.min(whole.length, ...stops)));
  const kept = all.slice(0, body.max_tokens ?? all.length);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const event = (value: object | string): string =>
    `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
  const delta = (fields: object, reason: string | null = null): string =>
    event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: fields, finish_reason: reason }] });
  const events = [delta({ role: 'assistant', content: null }), ...kept.map((part) => delta({ content: part }))];
  response.write(': a comment\n\n');
  for (const [index, each] of events.entries()) {
    if (response.destroyed) return;
    if (index === 3 && (await breaksOff(response, fault))) return;
    await writeApart(response, each);
  }
  response.write(delta({}, finishReason ?? (kept.length < all.length ? 'length' : 'stop')));
  const usage = { prompt_tokens: JSON.stringify(body.messages).length, completion_tokens: kept.length };
  if (!withoutUsage) response.write(event({ object: 'chat.completion.chunk', choices: [], usage }));
  response.end(event('[DONE]'));
}

async function breaksOff(response: ServerResponse, fault: Fault | undefined): Promise<boolean> {
  if (fault === 'cut') await sleep(30); // the end of a connection overtakes what was sent before it
  if (fault === 'cut') response.destroy();
  else if (fault === 'incomplete') response.end();
  else if (fault === 'garbled') response.end('data: {"choices": oops\n\n');
  return fault !== undefined;
}

/** Writes a text in two halves, split inside a character if possible. */
async function writeApart(response: ServerResponse, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const inside = bytes.findIndex((byte) => (byte & 0xc0) === 0x80);
  const at = inside === -1 ? bytes.length >> 1 : inside;
  response.write(bytes.subarray(0, at));
  await sleep(1);
  response.write(bytes.subarray(at));
}

function partsOf(text: string): readonly string[] {
  const codePoints = [...text];
  const count = Math.ceil(codePoints.length / 4);
  return Array.from({ length: count }, (_, n) => codePoints.slice(n * 4, (n + 1) * 4).join(''));
}

function echo({ messages }: ChatBody): string {
  const content = messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}
