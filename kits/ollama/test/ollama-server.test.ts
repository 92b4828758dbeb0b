import { isKebabError, type KebabError, type DerivationCache } from '@kebab/core';
import { startLoopbackServer } from '@kebab/testing';
import type { ListResponse, ShowResponse } from 'ollama';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isTooLong } from '../src/ollama-failure.ts';
import {
  type ChatCall,
  type OllamaServer,
  endpointLabel,
  fullModelName,
  modelFacts,
  shortDigest,
  rememberedFacts,
} from '../src/ollama-server.ts';
import { type FakeModel, FAKE_MODELS, type Fault, startFakeOllama } from '../src/testing/index.ts';
import { deadAddress, onFake, serverAt } from './server-at.ts';

const ASKING: ChatCall = { messages: [{ role: 'user', content: 'why?' }] };

async function chat(server: OllamaServer, call: ChatCall = ASKING, signal?: AbortSignal): Promise<readonly string[]> {
  const parts: string[] = [];
  for await (const part of server.chat(call, { signal })) parts.push(part.message.content);
  return parts;
}

async function failure(work: Promise<unknown>): Promise<KebabError> {
  try {
    await work;
  } catch (error) {
    if (isKebabError(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const chatFault = (fault: Fault) => ({
  reply: 'one two three four five',
  fault: ({ path }: { readonly path: string }) => (path === '/api/chat' ? fault : null),
});

describe('OllamaServer', () => {
  const printed: unknown[] = [];

  beforeEach(() => {
    printed.length = 0;
    for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...said) => void printed.push(said));
  });

  afterEach(() => {
    vi.restoreAllMocks();
    if (printed.length > 0) throw new Error(`something was printed: ${JSON.stringify(printed)}`);
  });

  it('yields the parts of an answer, the last one empty with its counts', async () => {
    await onFake({ reply: '김치 kimchi 😀', partChars: 3 }, async ({ url }) => {
      const parts = await chat(serverAt(url));
      expect(parts).toEqual(['김치 ', 'kim', 'chi', ' 😀', '']);
    });
  });

  it.each<[Fault, string, RegExp]>([
    ['html', 'model_unreachable', /answered 502: Bad Gateway/],
    ['error', 'model_unreachable', /reported: an error was encountered/],
    ['cut', 'model_unreachable', /the connection broke off/],
    ['incomplete', 'model_unreachable', /ended before its last line/],
    ['garbled', 'model_unreachable', /not JSON/],
    [{ status: 404, error: "model 'tiny' not found" }, 'model_not_pulled', /no model "tiny"/],
  ])('turns %j into %s', async (fault, code, message) => {
    await onFake(chatFault(fault), async ({ url }) => {
      const error = await failure(chat(serverAt(url)));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain('\n');
      expect(error.hint).not.toContain('ollama serve'); // it runs
    });
  });

  it('names endpoint, model and cause if there is no server, and what to start', async () => {
    const url = await deadAddress();
    const error = await failure(chat(serverAt(url)));
    expect(error.code).toBe('model_unreachable');
    expect(error.details).toMatchObject({ endpoint: url, model: 'tiny', cause: expect.stringMatching(/ECONNREFUSED/) });
    expect(error.hint).toContain('`ollama serve` (https://ollama.com)');
  });

  it('names an unknown host, and its configuration key', async () => {
    const error = await failure(chat(serverAt('http://no-such-host.invalid:11434')));
    expect(error.code).toBe('model_unreachable');
    expect(error.details).toMatchObject({ cause: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
    expect(error.hint).toContain('models.llm.endpoint');
  });

  it('says how to download a missing model', async () => {
    await onFake({}, async ({ url }) => {
      const error = await failure(chat(serverAt(url, 'llama9:7b')));
      expect(error.details).toEqual({ model: 'llama9:7b', provider: 'ollama' });
      expect(error.hint).toContain('ollama pull llama9:7b');
    });
  });

  it('reports that something other than Ollama responds', async () => {
    const { url, close } = await startLoopbackServer((_, response) => void response.end('<html>It works!</html>'));
    const error = await failure(serverAt(url).probe());
    expect(error.code).toBe('model_unreachable');
    expect(error.message).toMatch(/not JSON/);
    await close();
  });

  it.each([
    ['an answer', 'application/json', (server: OllamaServer) => server.probe()],
    ['a line of a stream', 'application/x-ndjson', (server: OllamaServer) => chat(server)],
  ])('gives up %s that never ends', async (_, type, use) => {
    const { url, close } = await startLoopbackServer((__, response) => {
      response.writeHead(200, { 'content-type': type });
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(2 ** 20, ' '), more));
      more();
    });
    const error = await failure(use(serverAt(url)));
    expect(error).toMatchObject({ code: 'model_unreachable', message: expect.stringMatching(/far too long/) });
    await close();
  });

  it.each(['{}', '[]', '{"message":null,"done":true}'])('reports that %s is not a part of an answer', async (body) => {
    const { url, close } = await startLoopbackServer((_, response) => void response.end(body));
    const error = await failure(chat(serverAt(url)));
    expect(error).toMatchObject({ code: 'model_unreachable', message: expect.stringMatching(/without a message/) });
    await close();
  });

  it.each(['secret', 'secret%', '100%secret'])(
    'keeps user name and the password %s out of every message',
    async (password) => {
      const { port } = new URL(await deadAddress());
      const error = await failure(chat(serverAt(`http://me:${password}@127.0.0.1:${port}/`)));
      expect(error.code).toBe('model_unreachable');
      expect(JSON.stringify([error.message, error.details, error.hint])).not.toContain('secret');
      expect(error.details).toMatchObject({ endpoint: `http://127.0.0.1:${port}` });
    },
  );

  it('gives up when the whole answer takes longer than its limit', async () => {
    await onFake({ reply: 'on and on '.repeat(1000) }, async (fake) => {
      const error = await failure(chat(serverAt(fake.url, 'tiny', 40)));
      expect(error.code).toBe('timeout');
      expect(error.details).toEqual({ operation: 'generate', after_ms: 40 });
      await expect(fake.idle()).resolves.toBeUndefined();
    });
  });

  it('gives up on a server that accepts no connection', async () => {
    const error = await failure(serverAt('http://192.0.2.1:11434').probe());
    expect(error.code).toBe('model_unreachable');
  });

  it('is cancelled by its signal, before and after the answer has begun', async () => {
    await onFake({ reply: 'on and on '.repeat(1000) }, async (fake) => {
      expect((await failure(chat(serverAt(fake.url), ASKING, AbortSignal.abort()))).code).toBe('cancelled');
      const stop = new AbortController();
      const answer = chat(serverAt(fake.url), ASKING, stop.signal);
      while (fake.requests.length === 0) await new Promise(setImmediate);
      stop.abort();
      expect((await failure(answer)).code).toBe('cancelled');
      await expect(fake.idle()).resolves.toBeUndefined();
    });
  });

  it('returns the properties of a model', async () => {
    await onFake({}, async ({ url }) => {
      expect(await serverAt(url, 'vectors').probe()).toEqual({
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        contextTokens: 512,
        embeddingLength: 64,
        capabilities: ['embedding'],
      });
    });
  });

  it('works with an endpoint that has a path before /api', async () => {
    await onFake({}, async ({ url }) => {
      const error = await failure(serverAt(`${url}/behind/a/proxy/`).probe());
      expect(error.code).toBe('model_unreachable');
      expect(error.details).toMatchObject({ endpoint: `${url}/behind/a/proxy` });
    });
  });

  it('knows less of a model that a server lists but cannot describe', async () => {
    const fault = ({ path }: { readonly path: string }): Fault | null =>
      path === '/api/show' ? { status: 404, error: 'no such route' } : null;
    await onFake({ fault }, async ({ url }) => {
      const nothing = { contextTokens: null, embeddingLength: null, capabilities: null };
      expect(await serverAt(url, 'tiny').probe()).toEqual({ digest: expect.any(String), ...nothing });
      expect((await failure(serverAt(url, 'absent').probe())).code).toBe('model_not_pulled');
    });
  });

  it('returns vectors as the server sent them', async () => {
    await onFake({ embed: () => [1, null, 3] }, async ({ url }) => {
      expect(await serverAt(url, 'vectors').embed({ input: ['a', 'b'] })).toEqual([
        [1, null, 3],
        [1, null, 3],
      ]);
    });
  });

  it('distinguishes a text that is too long from other errors', async () => {
    await onFake({}, async ({ url }) => {
      const server = serverAt(url, 'vectors');
      const error = await failure(server.embed({ input: ['x '.repeat(5000)], truncate: false }));
      expect(isTooLong(error)).toBe(true);
      expect(isTooLong(await failure(serverAt(url, 'tiny').embed({ input: ['x'] })))).toBe(false);
    });
  });

  it('opens a separate connection for each call', async () => {
    await onFake({ reply: ({ messages }) => String(messages?.length) }, async ({ url }) => {
      const server = serverAt(url);
      const answers = await Promise.all([1, 2, 3].map((n) => chat(server, { messages: messagesOf(n) })));
      expect(answers.map((parts) => parts.join(''))).toEqual(['1', '2', '3']);
    });
  });
});

function messagesOf(count: number): ChatCall['messages'] & object {
  return Array.from({ length: count }, () => ({ role: 'user', content: 'x' }));
}

it.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
  ['https://me:secret@example.org/ollama/?key=secret', 'https://example.org/ollama'],
])('shows %s as %s', (endpoint, label) => {
  expect(endpointLabel(endpoint)).toBe(label);
});

const show = (value: object): ShowResponse => value as ShowResponse;
const list = (...models: object[]): ListResponse => ({ models }) as ListResponse;

describe('modelFacts', () => {
  it('reads the window and the length of vectors under the name of the architecture', () => {
    const shown = show({
      model_info: { 'general.architecture': 'bert', 'bert.context_length': 512, 'bert.embedding_length': 384 },
      capabilities: ['embedding'],
    });
    expect(modelFacts('minilm', shown, list({ name: 'minilm:latest', digest: 'abc' }))).toEqual({
      digest: 'abc',
      contextTokens: 512,
      embeddingLength: 384,
      capabilities: ['embedding'],
    });
  });

  it('is null for properties that an old server does not report', () => {
    const unknown = { digest: null, contextTokens: null, embeddingLength: null, capabilities: null };
    expect(modelFacts('x', show({}), list())).toEqual(unknown);
    expect(modelFacts('x', show({ model_info: { 'general.architecture': 7 } }), {} as ListResponse)).toEqual(unknown);
  });
});

describe('fullModelName', () => {
  it.each([
    ['qwen2.5', 'qwen2.5:latest'],
    ['qwen2.5:14b', 'qwen2.5:14b'],
    ['me/model', 'me/model:latest'],
    ['host:5000/me/model', 'host:5000/me/model:latest'],
    ['host:5000/me/model:q4', 'host:5000/me/model:q4'],
  ])('is, for %s, %s', (name, full) => {
    expect(fullModelName(name)).toBe(full);
  });
});

describe('shortDigest', () => {
  it('is the beginning of the digest, or says that there is none', () => {
    const facts = { digest: '0123456789abcdef', contextTokens: null, embeddingLength: null, capabilities: null };
    expect([shortDigest(facts), shortDigest(null)]).toEqual(['0123456789ab', 'unknown']);
  });
});

function memory(): DerivationCache {
  const entries = new Map<string, Uint8Array>();
  return { get: (key) => entries.get(key), set: (key, payload) => void entries.set(key, payload) };
}

describe('rememberedFacts', () => {
  it('queries the server, and uses the cache while the server is unreachable', async () => {
    const cache = memory();
    const fake = await startFakeOllama();
    const server = serverAt(fake.url, 'vectors');
    const facts = await rememberedFacts(server, cache);
    await fake.close();
    expect(facts.embeddingLength).toBe(64);
    expect(await rememberedFacts(server, cache)).toEqual(facts);
  });

  it('fails if the server has never reported anything', async () => {
    const server = serverAt(await deadAddress());
    await expect(rememberedFacts(server, memory())).rejects.toMatchObject({ code: 'model_unreachable' });
  });

  it('does not use the cache for a model that the server no longer has', async () => {
    const cache = memory();
    const models: Record<string, FakeModel> = { ...FAKE_MODELS };
    await onFake({ models }, async ({ url }) => {
      await rememberedFacts(serverAt(url, 'tiny'), cache);
      delete models['tiny:latest'];
      await expect(rememberedFacts(serverAt(url, 'tiny'), cache)).rejects.toMatchObject({ code: 'model_not_pulled' });
    });
  });
});
