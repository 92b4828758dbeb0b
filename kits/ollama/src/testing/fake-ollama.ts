import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
} from './fake-models.ts';
import { answerChat, type FakeChatBody, type FakeReply } from './fake-chat.ts';

/** One request that a fake server was sent. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  /** The JSON of a POST; an empty object for everything else. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a fake server behaves; everything may be left out. */
export interface FakeOllamaOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly version?: string;
  readonly models?: FakeModels;
  /** What its models write; by default they repeat the last message. */
  readonly reply?: string | ((body: FakeChatBody) => string | FakeReply);
  readonly embed?: EmbedText;
  /** Whether every batch of vectors lacks its first. */
  readonly losesVectors?: boolean;
  /** What goes wrong with a request to `/api/chat`, `/api/embed` or `/api/show`. */
  readonly fault?: (request: FakeRequest) => Fault | null;
  readonly firstPartDelayMs?: number;
  /** Waited in the middle of each part; 1 by default, so that its halves really arrive apart; with 0 it is sent whole. */
  readonly partDelayMs?: number;
  /** 4 by default. */
  readonly partChars?: number;
}

/** A fake server that listens on a loopback port. */
export interface FakeOllama {
  readonly url: string;
  readonly port: number;
  /** What it was sent, the first request first. */
  readonly requests: readonly FakeRequest[];
  /** Resolves as soon as it is answering nothing: every answer is complete, or its client has gone. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a test double of an Ollama server, for tests of plugins and of whole programs. It answers `GET|HEAD /`,
 * `GET /api/version`, `/api/tags`, `/api/ps`, and `POST /api/show`, `/api/chat`, `/api/embed` as Ollama 0.12 does.
 */
export async function startFakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const requests: FakeRequest[] = [];
  const answering = new Set<ServerResponse>();
  let whenIdle: (() => void)[] = [];
  const server = createServer((request, response) => {
    answering.add(response);
    response.on('close', () => {
      answering.delete(response);
      if (answering.size > 0) return;
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    });
    answer(request, response, { options, requests }).catch(() => response.destroy()); // a test's function threw
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    idle: () => (answering.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly options: FakeOllamaOptions;
  readonly requests: FakeRequest[];
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { options, requests } = serving;
  const { models = FAKE_MODELS, version = '0.12.0' } = options;
  const { method = 'GET' } = request;
  const { pathname: path } = new URL(request.url ?? '/', 'http://localhost');
  const body = method === 'POST' ? await bodyOf(request) : {};
  if (body === undefined) return sendJson(response, 400, { error: 'invalid JSON' });
  const asked: FakeRequest = { method, path, body };
  requests.push(asked);
  if (path === '/') return void response.end(method === 'HEAD' ? '' : 'Ollama is running');
  if (path === '/api/version') return sendJson(response, 200, { version });
  if (path === '/api/ps') return sendJson(response, 200, { models: [] });
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
      const { reply = echo, firstPartDelayMs = 0, partDelayMs = 1, partChars = 4 } = options;
      return answerChat(
        response,
        { body: body as unknown as FakeChatBody, model, fault },
        { reply: typeof reply === 'string' ? () => reply : reply, firstPartDelayMs, partDelayMs, partChars },
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
