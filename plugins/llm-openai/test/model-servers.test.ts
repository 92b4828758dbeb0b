import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isKebabError, type GenerateRequest, type TokenChunk } from '@kebab/core';
import { startLoopbackServer } from '@kebab/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenaiLanguageModel } from '../src/openai-language-model.ts';
import { StopFilter } from '../src/request-dialect.ts';

/** A request as a scripted server receives it. */
interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

type Reply = (received: Received, response: ServerResponse, count: number) => unknown;

const WORDS = 'Das Wehr öffnet um 6 Uhr 🌊.';
const REQUEST: GenerateRequest = {
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'When does the weir open?' },
  ],
  stop: ['<<<'],
  maxTokens: 2048,
  temperature: 0,
  seed: 7,
};

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/** Starts a server; `count` is the number of calls before. */
async function serve(reply: Reply): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const body = (text === '' ? {} : JSON.parse(text)) as Received['body'];
    const call = { url: request.url ?? '', headers: request.headers, body };
    received.push(call);
    await reply(call, response, received.length - 1);
  });
  ({ close } = server);
  return { url: server.url, received };
}

function modelAt(endpoint: string, apiKey = ''): OpenaiLanguageModel {
  return new OpenaiLanguageModel({ endpoint, model: 'tiny', contextTokens: 8192, timeoutMs: 20_000, apiKey });
}

interface Whole {
  readonly text: string;
  readonly end: Extract<TokenChunk, { kind: 'done' }> | undefined;
}

async function generated(model: OpenaiLanguageModel, request = REQUEST): Promise<Whole> {
  let text = '';
  let end: Whole['end'];
  for await (const chunk of model.generate(request)) {
    if (chunk.kind === 'token') text += chunk.token;
    else end = chunk;
  }
  return { text, end };
}

/** The message and the hint of a failing answer. */
async function failure(reply: Reply, path = ''): Promise<string> {
  const { url } = await serve(reply);
  try {
    await generated(modelAt(`${url}${path}`));
  } catch (error) {
    if (isKebabError(error)) return `${error.code}: ${error.message} / ${error.hint}`;
    throw error;
  }
  throw new Error('nothing failed');
}

const json = (response: ServerResponse, status: number, value: unknown, headers = {}): unknown =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const chunk = (delta: unknown, finish: string | null = null): object => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const ALL = [event(chunk({ content: WORDS })), event(chunk({}, 'stop')), event('[DONE]')].join('');
const whole = (message: object, finish: string | null = 'stop'): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
});
const stream = (response: ServerResponse, text: string | Buffer, type = 'text/event-stream', headers = {}): unknown =>
  response.writeHead(200, { 'content-type': type, ...headers }).end(text);

describe('the address of a model server', () => {
  it.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['//v1/', '/v1/chat/completions'],
    ['/openai', '/openai/chat/completions'],
    ['/inference/v2', '/inference/v2/chat/completions'],
    ['/compatible-mode/v1//', '/compatible-mode/v1/chat/completions'],
    ['/chat/completions', '/chat/completions'],
    ['/v1/completions', '/v1/chat/completions'],
    ['/v1/chat/completions/', '/v1/chat/completions'],
    [
      '/openai/deployments/my-gpt?api-version=2025-01-01',
      '/openai/deployments/my-gpt/chat/completions?api-version=2025-01-01',
    ],
    [
      '/openai/deployments/my-gpt/chat/completions?api-version=1',
      '/openai/deployments/my-gpt/chat/completions?api-version=1',
    ],
    ['/models?api-version=2024-05-01-preview', '/models/chat/completions?api-version=2024-05-01-preview'],
    ['/v1#fragment', '/v1/chat/completions'],
    ['/v1/models', '/v1/chat/completions'],
    ['/v1/embeddings', '/v1/chat/completions'],
  ])('is used as it was given: %j asks %s', async (written, asked) => {
    const { url, received } = await serve((_, response) => stream(response, ALL));
    expect((await generated(modelAt(`${url}${written}`))).text).toBe(WORDS);
    expect(received.map((each) => each.url)).toEqual([asked]);
  });

  it('is named with the setting and the address that was asked, without its query, when nothing is there', async () => {
    const said = await failure((_, response) => json(response, 404, { error: { message: 'no route' } }), '/llm?key=x1');
    expect(said).toMatch(
      /model_unreachable: .*\/llm\/chat\/completions answered 404: no route \/ check models\.llm\.endpoint/,
    );
    expect(said).not.toContain('x1');
    expect(await failure((_, response) => response.writeHead(404).end('404 page not found'), '/llm')).toMatch(
      /\/llm\/chat\/completions answered 404: 404 page not found .*such as .*\/llm\/v1/,
    );
  });

  it('sends the key in the header of Azure, too, where the address has a version', async () => {
    const { url, received } = await serve((_, response) => stream(response, ALL));
    await generated(modelAt(`${url}/openai?api-version=1`, 'k-1'));
    await generated(modelAt(`${url}/v1`, 'k-1'));
    expect(received.map(({ headers }) => [headers.authorization, headers['api-key']])).toEqual([
      ['Bearer k-1', 'k-1'],
      ['Bearer k-1', undefined],
    ]);
  });
});

describe('the form of an answer', () => {
  it.each<[string, Reply]>([
    ['with CRLF and comments', (_, response) => stream(response, `: hello\r\n\r\n${ALL.replaceAll('\n', '\r\n')}`)],
    ['without the empty line that ends its last event', (_, response) => stream(response, ALL.trimEnd())],
    ['with CR alone', (_, response) => stream(response, ALL.replaceAll('\n', '\r'))],
    ['with a byte order mark', (_, response) => stream(response, `\u{FEFF}${ALL}`)],
    ['without a space after the field', (_, response) => stream(response, ALL.replaceAll('data: ', 'data:'))],
    [
      'with names and ids of events',
      (_, response) => stream(response, ALL.replaceAll('data: ', 'id: 1\nevent: message\ndata: ')),
    ],
    ['as plain text', (_, response) => stream(response, ALL, 'text/plain')],
    ['as JSON by its header', (_, response) => stream(response, ALL, 'application/json')],
    ['as bytes', (_, response) => stream(response, ALL, 'application/octet-stream')],
    [
      'compressed though not asked',
      (_, response) => stream(response, gzipSync(ALL), 'text/event-stream', { 'content-encoding': 'gzip' }),
    ],
    ['as one object', (_, response) => json(response, 200, whole({ content: WORDS }))],
    [
      'as one object after blank lines',
      (_, response) => stream(response, `\n\n ${JSON.stringify(whole({ content: WORDS }))}`),
    ],
    [
      'as one object with a list of parts',
      (_, response) => json(response, 200, whole({ content: [{ type: 'text', text: WORDS }] })),
    ],
    ['as one object without an end', (_, response) => json(response, 200, whole({ content: WORDS }, null))],
    ['as 201', (_, response) => response.writeHead(201, { 'content-type': 'text/event-stream' }).end(ALL)],
    [
      'a JSON value a line',
      (_, response) =>
        stream(
          response,
          ['Das Wehr ', 'öffnet um 6 Uhr 🌊.'].map((text) => JSON.stringify(chunk({ content: text }))).join('\n'),
          'application/x-ndjson',
        ),
    ],
    [
      'with "error": null in every event',
      (_, response) => stream(response, ALL.replaceAll('{"object"', '{"error":null,"object"')),
    ],
    [
      'with thoughts beside it',
      (_, response) =>
        stream(
          response,
          event(chunk({ reasoning_content: 'hm', content: null })) + event(chunk({ reasoning: 'hm' })) + ALL,
        ),
    ],
    [
      'with thoughts in the text',
      (_, response) => stream(response, event(chunk({ content: '<think>hm</think>\n\n' })) + ALL),
    ],
    [
      'with thoughts among its parts',
      (_, response) =>
        stream(
          response,
          event(chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] })) + ALL,
        ),
    ],
    [
      'with output parts',
      (_, response) =>
        stream(response, event(chunk({ content: [{ type: 'output_text', text: WORDS }, 'x'.slice(1)] }, 'stop'))),
    ],
    [
      'with text for a delta',
      (_, response) => stream(response, event({ choices: [{ text: WORDS, finish_reason: 'stop' }] })),
    ],
    [
      'with growing messages',
      (_, response) =>
        stream(response, event({ choices: [{ message: { content: 'Das Wehr' } }] }) + event(whole({ content: WORDS }))),
    ],
    [
      'with a message that repeats the deltas',
      (_, response) => stream(response, event(chunk({ content: WORDS })) + event(whole({ content: WORDS }))),
    ],
    [
      'with choices of filters before it',
      (_, response) => stream(response, event({ choices: [], prompt_filter_results: [] }) + ALL),
    ],
    [
      'without an end but [DONE]',
      (_, response) => stream(response, event(chunk({ content: WORDS })) + event('[DONE]')),
    ],
    ['with the refusal of OpenAI', (_, response) => stream(response, event(chunk({ refusal: WORDS }, 'stop')))],
    [
      'a byte at a time',
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const byte of Buffer.from(ALL)) {
          response.write(Buffer.of(byte));
          if (byte > 127) await sleep(1);
        }
        response.end();
      },
    ],
  ])('may be %s', async (_, reply) => {
    const { url } = await serve(reply);
    const { text, end } = await generated(modelAt(url));
    expect([text, end?.finishReason]).toEqual([WORDS, 'stop']);
  });

  it.each([
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['token_limit', 'length'],
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['COMPLETE', 'stop'],
    ['content_complete', 'stop'],
    ['<|im_end|>', 'stop'],
    ['<|eot_id|>', 'stop'],
    ['<|end_of_text|>', 'stop'],
    ['</s>', 'stop'],
    ['normal', 'stop'],
    ['incomplete', 'error'],
    ['tool_calls', 'stop'],
    ['tool_use', 'stop'],
    ['content_filter', 'error'],
    ['SAFETY', 'error'],
    ['guardrail_intervened', 'error'],
    ['sensitive', 'error'],
    ['insufficient_system_resource', 'error'],
    ['network_error', 'error'],
    ['cancelled', 'error'],
    ['OTHER', 'error'],
  ])('ends by its finish reason: %s means %s', async (reason, finishReason) => {
    const { url } = await serve((_, response) =>
      stream(response, event(chunk({ content: 'a' }, reason)) + event('[DONE]')),
    );
    expect((await generated(modelAt(url))).end).toMatchObject({ finishReason });
  });

  it('is incomplete while its finish reason is empty, and is that of the first choice', async () => {
    const open = await serve((_, response) => stream(response, event(chunk({ content: WORDS }, ''))));
    expect((await generated(modelAt(open.url))).end).toMatchObject({ finishReason: 'error' });
    await close?.();
    const second = event({ choices: [{ index: 1, delta: { content: 'Other words.' }, finish_reason: 'length' }] });
    const { url } = await serve((_, response) => stream(response, second + ALL));
    expect(await generated(modelAt(url))).toMatchObject({ text: WORDS, end: { finishReason: 'stop' } });
  });

  it.each<[string, object, unknown]>([
    ['reasoning', chunk({ reasoning_content: 'let me see' }, 'length'), 'reasoning'],
    ['reasoning in the text', chunk({ content: '<think>let me see' }, 'length'), 'reasoning'],
    ['a tool call', chunk({ tool_calls: [{ index: 0, function: { name: 'f' } }] }, 'tool_calls'), 'tool_calls'],
    ['a function call', chunk({ function_call: { name: 'f' } }, 'function_call'), 'tool_calls'],
    ['nothing', chunk({ content: '', tool_calls: [], reasoning_content: '' }, 'stop'), undefined],
  ])('says what there is instead of text: %s', async (_, value, instead) => {
    const { url } = await serve((__, response) => stream(response, event(value) + event('[DONE]')));
    const { text, end } = await generated(modelAt(url));
    expect([text, end?.instead]).toEqual(['', instead]);
  });
});

/** Refuses a request as long as `refuses` says something about it. */
const picky =
  (refuses: (body: Received['body']) => object | null, status = 400): Reply =>
  ({ body }, response) => {
    const refusal = refuses(body);
    return refusal === null ? stream(response, ALL) : json(response, status, refusal);
  };
const says = (message: string, more = {}): object => ({ error: { message, type: 'invalid_request_error', ...more } });

describe('a model server that refuses a part of the request', () => {
  it.each<[string, Reply]>([
    [
      'max_tokens for max_completion_tokens',
      picky((body) =>
        'max_tokens' in body
          ? says("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", { param: 'max_tokens' })
          : null,
      ),
    ],
    [
      'both limits',
      picky((body) =>
        'max_tokens' in body || 'max_completion_tokens' in body
          ? says('Unknown name "max_completion_tokens" or "max_tokens"')
          : null,
      ),
    ],
    [
      'a limit that is too high',
      picky((body) =>
        Number(body['max_tokens']) > 512 ? says('max_tokens must be less than or equal to `512`') : null,
      ),
    ],
    [
      'a limit out of its range',
      picky((body) =>
        Number(body['max_tokens']) > 1000
          ? says('Invalid max_tokens value, the valid range of max_tokens is [1, 1000]')
          : null,
      ),
    ],
    [
      'temperature',
      picky((body) => ('temperature' in body ? says('`temperature` is deprecated for this model.') : null)),
    ],
    [
      'any value of temperature but 1',
      picky((body) =>
        'temperature' in body
          ? says("Unsupported value: 'temperature' does not support 0. Only the default (1) value is supported.", {
              param: 'temperature',
            })
          : null,
      ),
    ],
    [
      'stop and seed in one message',
      picky((body) =>
        'stop' in body || 'seed' in body ? says('Unrecognized request arguments supplied: seed, stop') : null,
      ),
    ],
    [
      'parameters one after another',
      picky((body) => {
        const name = ['seed', 'stop', 'temperature', 'stream_options', 'max_tokens'].find((each) => each in body);
        return name === undefined ? null : says(`Argument not supported: ${name}`);
      }),
    ],
    [
      'several by FastAPI',
      picky(
        (body) =>
          'seed' in body
            ? {
                detail: [
                  { loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' },
                  { loc: ['body', 'stream_options', 'include_usage'], msg: 'Extra inputs are not permitted' },
                ],
              }
            : null,
        422,
      ),
    ],
    [
      'streams',
      ({ body }, response) =>
        body['stream'] === true
          ? json(response, 400, says("'stream' is not supported"))
          : json(response, 200, whole({ content: WORDS })),
    ],
    [
      'system messages',
      picky((body) => (JSON.stringify(body).includes('"system"') ? says('System role not supported') : null)),
    ],
    [
      'the role of system messages',
      picky((body) =>
        JSON.stringify(body).includes('"system"')
          ? says("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
              param: 'messages[0].role',
            })
          : null,
      ),
    ],
    [
      'system messages, by the failure of a template',
      picky(
        (body) => (JSON.stringify(body).includes('"system"') ? says('System role not supported (jinja)') : null),
        500,
      ),
    ],
    [
      'a limit that it names in words',
      picky((body) =>
        Number(body['max_tokens']) > 512
          ? says('The maximum tokens you requested exceeds the model limit of 512.')
          : null,
      ),
    ],
    ['in a plain message', picky((body) => ('seed' in body ? { message: 'property "seed" is unsupported' } : null))],
    [
      'in a list of errors',
      picky((body) =>
        'seed' in body ? [{ error: { code: 400, message: 'Invalid JSON payload: Unknown name "seed"' } }] : null,
      ),
    ],
  ])('is asked again without it, and not asked for it twice: %s', async (_, reply) => {
    const { url, received } = await serve(reply);
    const model = modelAt(url);
    expect((await generated(model)).text).toBe(WORDS);
    const first = received.length;
    expect(first).toBeGreaterThan(1);
    expect((await generated(model)).text).toBe(WORDS);
    expect(received.length).toBe(first + 1);
    expect(JSON.stringify(received.at(-1)?.body)).toContain('Be brief.');
  });

  it.each([
    [400, "'response_format.type' must be 'text'"],
    [404, 'No endpoints found that can handle the requested parameters.'],
    [500, 'failed to parse grammar'],
  ])(
    'is asked for no schema again, and reports the refusal for plain text to be asked for: %i',
    async (status, text) => {
      const { url } = await serve(picky((body) => ('response_format' in body ? says(text) : null), status));
      const model = modelAt(url);
      await expect(generated(model, { ...REQUEST, schema: {} })).rejects.toMatchObject({ code: 'invalid_input' });
      expect(model.structured).toBe(false);
    },
  );

  it.each<[string, number, unknown, RegExp]>([
    [
      'a window',
      400,
      says("This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."),
      /invalid_input: .*maximum context length .*set models\.llm\.context_tokens \(it is 8192\) to 4096/,
    ],
    [
      'a window of llama.cpp',
      400,
      says('the request exceeds the available context size, try increasing it', {
        type: 'exceed_context_size_error',
        n_ctx: 4096,
      }),
      /models\.llm\.context_tokens/,
    ],
    ['a body that is too large', 413, says('Request too large'), /models\.llm\.context_tokens/],
    ['an unknown model as 400', 400, says('Model Not Exist'), /model_not_pulled: .*no model "tiny"/],
    [
      'an unknown model as 404',
      404,
      says('The model `tiny` does not exist or you do not have access to it.'),
      /model_not_pulled/,
    ],
    ['an unknown model in a plain message', 404, { message: 'The model `x` does not exist.' }, /model_not_pulled/],
    ['a missing key', 401, says('No auth credentials found'), /401: No auth.* \/ set models\.llm\.api_key/],
    [
      'an account without credit',
      429,
      says('You exceeded your current quota', { code: 'insufficient_quota' }),
      /no credit left/,
    ],
    ['payment', 402, says('Insufficient Balance'), /no credit left/],
    [
      'images',
      400,
      says('image_url is only supported by certain models'),
      /invalid_input: .*image_url is only supported/,
    ],
    ['plain words', 400, 'bad input', /answered 400/],
    ['the page of a gateway', 504, '<html>', /answered 504: Gateway Timeout/],
    ['nothing but a status', 500, '', /answered 500: Internal Server Error/],
    ['a page that refuses', 413, '<html>', /invalid_input: .*Payload Too Large .*models\.llm\.context_tokens/],
    ['a page for every address', 200, '<!doctype html>', /it sent a web page \/ check models\.llm\.endpoint/],
    ['too little memory', 500, says('CUDA out of memory'), /name a smaller model in models\.llm\.model/],
    ['a model that is loading', 503, says('Loading model'), /503: Loading model \/ wait a minute/],
    ['too many users', 529, says('Overloaded'), /529: Overloaded \/ wait a minute/],
    ['an unknown deployment', 404, says('No endpoints for your policy'), /404: No endpoints .*models\.llm\.endpoint/],
    [
      'a window of text-generation-inference',
      422,
      { error: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000', error_type: 'validation' },
      /context_tokens \(it is 8192\) to 4096/,
    ],
    [
      'a window beside what is to be kept',
      400,
      { error: 'more than the context length (n_keep: 5000>= n_ctx: 4096)' },
      /to 4096, or lower/,
    ],
    [
      'what its provider said',
      502,
      says('Provider returned error', { metadata: { raw: 'the tank is empty' } }),
      /Provider returned error: the tank is empty/,
    ],
    ['a page of text', 200, 'It works!', /model_unreachable: .*it sent no stream of events/],
    ['a filter', 200, chunk({}, 'content_filter'), /model_unreachable: .*the server withheld/],
    ['a failure with 200', 200, { detail: 'Model is not ready' }, /it reported: Model is not ready/],
    ['a failure with 200 and a code', 200, { code: 1113, msg: 'Account overdue' }, /it reported: Account overdue/],
    ['a limit with 200', 200, says('Rate limited', { code: 429 }), /429: Rate limited \/ wait a minute/],
    ['a window with 200', 200, says('context size exceeded, n_ctx 4096'), /context_tokens \(it is 8192\) to 4096/],
  ])('is told by what it says: %s', async (_, status, body, said) => {
    const text = await failure((__, response) =>
      typeof body === 'string' ? response.writeHead(status).end(body) : json(response, status, body),
    );
    expect(text).toMatch(said);
    expect(text).not.toMatch(/name another model|not in JSON/);
  });

  it.each([
    ['object', event({ object: 'error', message: 'engine died' })],
    ['event of plain text', 'event: error\ndata: engine died\n\n'],
    ['event', 'event: error\ndata: {"message":"engine died"}\n\n'],
    ['event with a code', event({ error: { message: 'engine died', code: 500 } })],
    ['error field', 'error: {"message":"engine died"}\n\n'],
  ])('may report it in the middle of a stream, as an %s', async (_, last) => {
    const { url } = await serve((__, response) => stream(response, event(chunk({ content: 'Das' })) + last));
    expect((await generated(modelAt(url))).end).toMatchObject({ error: expect.stringMatching(/engine died/) });
  });

  it.each(['s%40cret', 's@cret', '100%'])(
    'never shows the password %s of its address, which it may echo',
    async (password) => {
      const { url } = await serve(({ headers }, response) =>
        json(response, 401, says(atob(headers.authorization!.slice(6)))),
      );
      const model = modelAt(url.replace('//', `//me:${password}@`));
      expect(model.fingerprint()).not.toContain('cret');
      await expect(generated(model)).rejects.toMatchObject({
        message: expect.stringMatching(/401: me:\*\*\*$/),
        hint: expect.stringMatching(/check user and password in models\.llm\.endpoint/),
      });
    },
  );
});

describe('a busy model server', () => {
  it.each<[string, number, Readonly<Record<string, string>>]>([
    ['Retry-After in seconds', 429, { 'retry-after': '0' }],
    [
      'Retry-After as a date',
      429,
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' },
    ],
    ['retry-after-ms', 503, { 'retry-after-ms': '12.5' }],
    ['x-ratelimit-reset', 429, { 'x-ratelimit-reset-requests': '0s', 'x-ratelimit-reset-tokens': '15ms' }],
  ])('is waited for once: %s', async (_, status, headers) => {
    const busy: Reply = (__, response, count) =>
      count === 0 ? json(response, status, says('Slow down'), headers) : stream(response, ALL);
    expect((await generated(modelAt((await serve(busy)).url))).text).toBe(WORDS);
  });

  it('is reported with how long to wait, when that is long, or when it stays busy', async () => {
    const slow = { 'retry-after': '120' };
    expect(await failure((_, response) => json(response, 429, says('Slow down'), slow))).toMatch(
      /429: Slow down; it asks to wait 120 seconds \/ ask again in 120 seconds/,
    );
    let calls = 0;
    const text = await failure((_, response) => {
      calls++;
      return json(response, 429, says('Slow down'), { 'retry-after-ms': '1' });
    });
    expect([calls, text]).toEqual([2, expect.stringMatching(/ask again in 1 second$/)]);
    expect(await failure((_, response) => json(response, 429, says('Slow down')))).toMatch(/wait a minute/);
  });

  it('is not waited for after the signal', async () => {
    const abort = new AbortController();
    const { url, received } = await serve((_, response) => {
      setTimeout(() => abort.abort(), 100);
      return json(response, 429, says('x'), { 'retry-after': '5' });
    });
    const chunks: TokenChunk[] = [];
    for await (const each of modelAt(url).generate(REQUEST, { signal: abort.signal })) chunks.push(each);
    expect(chunks).toMatchObject([{ kind: 'done', finishReason: 'aborted' }]);
    expect(received).toHaveLength(1);
  });
});

describe('OpenaiLanguageModel.probe at other servers', () => {
  it('takes a refusal with 200 for one', async () => {
    const { url } = await serve((_, response) =>
      json(response, 200, { code: 1113, msg: 'Account overdue', data: null }),
    );
    await expect(modelAt(url).probe()).rejects.toThrow(/Account overdue/);
  });

  it.each<[string, unknown]>([
    ['a bare list', [{ id: 'tiny' }]],
    ['models', { models: [{ name: 'tiny' }] }],
    ['names below models/', { data: [{ id: 'models/tiny' }] }],
    ['names with a tag', { data: [{ id: 'tiny:latest' }] }],
    ['a list with an empty message', { success: true, message: '', data: [{ id: 'tiny' }] }],
    ['a list with the word of a gateway', { code: 0, msg: 'success', data: [{ id: 'tiny' }] }],
    ['models with a message', { message: 'ok', models: [{ name: 'tiny' }] }],
    ['a list with a list of no errors', { errors: [], messages: [], data: [{ id: 'tiny' }] }],
    ['a list with a detail', { detail: 'two models', data: [{ id: 'other' }, { id: 'tiny' }] }],
  ])('finds the model in %s', async (_, list) => {
    const { url } = await serve((__, response) => json(response, 200, list));
    await expect(modelAt(url).probe()).resolves.toBeUndefined();
  });

  it('accepts a server that lists no models, if it takes questions', async () => {
    const { url } = await serve((received, response) =>
      received.url.endsWith('/models')
        ? json(response, 404, says('Not found'))
        : json(response, 400, says('messages is empty')),
    );
    await expect(modelAt(url).probe()).resolves.toBeUndefined();
    const nothing = await serve((_, response) => json(response, 404, says('Not found')));
    await expect(modelAt(nothing.url).probe()).rejects.toMatchObject({ code: 'model_unreachable' });
  });
});

describe('StopFilter', () => {
  it.each([
    [['one <', '<< two'], 'one '],
    [['one <', '< two'], 'one << two'],
    [['a', '<', '<'], 'a<<'],
    [['<<<'], ''],
  ])('ends a text before the stop text, whichever pieces it comes in: %j', (pieces, expected) => {
    const filter = new StopFilter(['<<<']);
    expect(pieces.map((piece) => filter.push(piece)).join('') + filter.end()).toBe(expected);
  });
});
