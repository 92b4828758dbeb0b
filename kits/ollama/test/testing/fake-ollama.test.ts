import { describe, expect, it } from 'vitest';
import { FAKE_MODELS, wordVector, type FakeOllama } from '../../src/testing/index.ts';
import { onFake } from '../server-at.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask({ url }: FakeOllama, path: string, body?: unknown, method?: string): Promise<Answer> {
  const given = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { method: method ?? (body === undefined ? 'GET' : 'POST'), ...given });
  return { status: answer.status, text: await answer.text() };
}

async function json(fake: FakeOllama, path: string, body?: unknown): Promise<Record<string, unknown>> {
  return JSON.parse((await ask(fake, path, body)).text) as Record<string, unknown>;
}

const messages = [{ role: 'user', content: 'one two three' }];

describe('startFakeOllama', () => {
  it('responds, and has models', async () => {
    await onFake({ version: '9.9.9' }, async (fake) => {
      expect(await ask(fake, '/')).toEqual({ status: 200, text: 'Ollama is running' });
      expect(await ask(fake, '/', undefined, 'HEAD')).toEqual({ status: 200, text: '' });
      expect(await json(fake, '/api/version')).toEqual({ version: '9.9.9' });
      const { models } = (await json(fake, '/api/tags')) as { models: { name: string; digest: string }[] };
      expect(models.map(({ name }) => name)).toEqual(Object.keys(FAKE_MODELS));
      expect(new Set(models.map(({ digest }) => digest)).size).toBe(models.length);
      expect(await json(fake, '/api/show', { model: 'vectors' })).toMatchObject({
        model_info: { 'general.architecture': 'fake', 'fake.context_length': 512, 'fake.embedding_length': 64 },
        capabilities: ['embedding'],
      });
    });
  });

  it.each([
    ['/api/show', { model: 'nope' }, 404],
    ['/api/chat', { model: 'nope', messages }, 404],
    ['/api/chat', { messages }, 400],
    ['/api/chat', '{', 400],
    ['/api/chat', { model: 'vectors', messages }, 400],
    ['/api/chat', { model: 'tiny', messages, think: true }, 400],
    ['/api/chat', { model: 'tiny', messages: [{ role: 'user', content: '', images: ['aa'] }] }, 400],
    ['/api/embed', { model: 'tiny', input: 'x' }, 500],
    ['/api/embed', { model: 'vectors', input: [1] }, 400],
    ['/api/embed', { model: 'vectors', input: 'x'.repeat(9999), truncate: false }, 400],
    ['/api/nonsense', { model: 'tiny' }, 404],
  ])('refuses %s %j with %i', async (path, body, status) => {
    await onFake({}, async (fake) => expect((await ask(fake, path, body)).status).toBe(status));
  });

  it('answers in one piece if no stream is requested', async () => {
    await onFake({}, async (fake) => {
      expect(await json(fake, '/api/chat', { model: 'tiny', messages, stream: false })).toMatchObject({
        message: { role: 'assistant', content: 'one two three' },
        done: true,
        done_reason: 'stop',
        eval_count: 4,
      });
      const load = await json(fake, '/api/chat', { model: 'tiny', messages: [] });
      expect(load).toMatchObject({ done: true, done_reason: 'load' });
    });
  });

  it('streams lines, thinking first, within num_predict', async () => {
    const reply = () => ({ content: 'the answer', thinking: 'let me see' });
    await onFake({ reply }, async (fake) => {
      const { text } = await ask(fake, '/api/chat', { model: 'thinker', messages, options: { num_predict: 4 } });
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { message: { thinking?: string; content: string }; done: boolean });
      expect(lines.map(({ message }) => message.thinking ?? message.content)).toEqual([
        'let ',
        'me s',
        'ee',
        'the ',
        '',
      ]);
      expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'length', eval_count: 4 });
      const silent = await ask(fake, '/api/chat', { model: 'thinker', messages, think: false });
      expect(silent.text).not.toContain('thinking');
    });
  });

  it('embeds one vector per text, none for a single empty one, shorter ones on request', async () => {
    await onFake({}, async (fake) => {
      const embeddings = async (body: object): Promise<readonly number[][]> =>
        (await json(fake, '/api/embed', { model: 'vectors', ...body }))['embeddings'] as number[][];
      expect((await embeddings({ input: ['a', 'b', 'a'] })).map(({ length }) => length)).toEqual([64, 64, 64]);
      expect(await embeddings({ input: '' })).toEqual([]);
      expect((await embeddings({ input: 'a', dimensions: 8 }))[0]).toHaveLength(8);
      expect(await embeddings({ input: 'x '.repeat(9999) })).toHaveLength(1);
    });
  });

  it('returns similar vectors for texts with common words', () => {
    const near = (a: string, b: string): number => {
      const [left, right] = [wordVector(a, 256), wordVector(b, 256)];
      return left.reduce<number>((sum, number, at) => sum + (number ?? 0) * (right[at] ?? 0), 0);
    };
    expect(near('the red house', 'The red house!')).toBeCloseTo(1);
    expect(near('the red house', 'a red house')).toBeGreaterThan(near('the red house', 'six green bottles'));
  });

  it('records its requests', async () => {
    await onFake({}, async (fake) => {
      await ask(fake, '/api/chat', { model: 'tiny', messages });
      expect(fake.requests).toEqual([{ method: 'POST', path: '/api/chat', body: { model: 'tiny', messages } }]);
    });
  });
});
