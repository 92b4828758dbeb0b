import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { serverRequest } from '../../src/plugin/server-request.ts';
import { startLoopbackServer } from '@kebab/testing';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A proxy, and what it was asked for. */
async function startProxy(
  answer: RequestListener,
  tunnel = 'HTTP/1.1 403 Forbidden\r\n\r\n',
): Promise<{ readonly url: string; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const { server, url, close } = await startLoopbackServer((request, response) => {
    lines.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    answer(request, response);
  });
  server.on('connect', (request, socket: Socket) => {
    lines.push(`CONNECT ${request.url}`);
    socket.end(tunnel);
  });
  closers.push(close);
  return { url: url.slice('http://'.length), lines };
}

async function asked(url: string, proxy: string, except = '') {
  const { signal } = new AbortController();
  const proxies = { http: proxy, https: proxy, except };
  const answer = await serverRequest(url, { method: 'POST', headers: {}, body: 'question', signal, proxies });
  let text = '';
  for await (const part of answer.body) text += String(part);
  return { status: answer.status, text };
}

describe('a request through a proxy', () => {
  it('names the whole address to the proxy, for plain HTTP, with its user', async () => {
    const proxy = await startProxy((request, response) => void request.pipe(response));
    expect(await asked('http://llm.corp.invalid:8000/v1/x?y=1', `http://me:pw@${proxy.url}`)).toEqual({
      status: 200,
      text: 'question',
    });
    const authorization = `Basic ${Buffer.from('me:pw').toString('base64')}`;
    expect(proxy.lines).toEqual([`POST http://llm.corp.invalid:8000/v1/x?y=1 ${authorization}`]);
  });

  it('asks for a tunnel, for HTTPS', async () => {
    const proxy = await startProxy(() => {});
    await expect(asked('https://llm.corp.invalid/v1', proxy.url)).rejects.toThrow(/through the proxy .*403/);
    expect(proxy.lines).toEqual(['CONNECT llm.corp.invalid:443']);
  });

  it('says that the proxy wants a user, or does not listen', async () => {
    const proxy = await startProxy((_, response) => void response.writeHead(407).end());
    await expect(asked('http://llm.corp.invalid/v1', proxy.url)).rejects.toThrow(/through the proxy .*407/);
    await expect(asked('http://llm.corp.invalid/v1', 'http://127.0.0.1:9')).rejects.toThrow(
      /through the proxy http:\/\/127\.0\.0\.1:9: connect ECONNREFUSED/,
    );
  });

  it('does not happen for this machine, nor for what NO_PROXY names', async () => {
    const proxy = await startProxy(() => {});
    const here = await startProxy((request, response) => void request.pipe(response));
    expect((await asked(`http://${here.url}/v1`, proxy.url)).text).toBe('question');
    await expect(asked('http://llm.corp.invalid/v1', proxy.url, '.corp.invalid')).rejects.toThrow(
      /ENOTFOUND|EAI_AGAIN/,
    );
    expect([here.lines, proxy.lines]).toEqual([['POST /v1'], []]);
  });
});

describe('a request that a server cannot take', () => {
  it.each<[string, RegExp, Readonly<Record<string, string>>]>([
    [
      'redirects, without following',
      /redirects to https:\/\/llm\.example\/v1$/,
      { location: 'https://llm.example/v1?key=x' },
    ],
    ['names the page of a login', /redirects to http:\/\/127\.0\.0\.1:\d+\/login$/, { location: '/login?next=1' }],
    ['names a compression that is unknown', /compresses its answers with zstd/, { 'content-encoding': 'zstd' }],
  ])('%s', async (_, said, headers) => {
    const server = await startProxy(
      (__, response) => void response.writeHead('location' in headers ? 302 : 200, headers).end(),
    );
    await expect(asked(`http://${server.url}/v1`, '')).rejects.toThrow(said);
  });

  it.each(['utf-8', 'UTF8', 'identity', 'none', '8bit', 'binary'])(
    'is not one that says "%s" of its answer',
    async (encoding) => {
      const server = await startProxy(
        (_, response) => void response.setHeader('content-encoding', encoding).end('hello'),
      );
      expect((await asked(`http://${server.url}/v1`, '')).text).toBe('hello');
    },
  );

  it('sends user and password of the address, to a proxy as well, unless there is a key', async () => {
    const seen: unknown[] = [];
    const proxy = await startProxy((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    await asked(`http://me:p%40ss@${proxy.url}/v1`, '');
    await asked('http://me:p%40ss@llm.corp.invalid/v1', proxy.url);
    await asked(`http://me:p@ss@${proxy.url}/v1`, '');
    await asked(`http://me:100%@${proxy.url}/v1`, '');
    await asked('http://me:100%@llm.corp.invalid/v1', proxy.url);
    expect(seen.map((header) => atob(String(header).slice('Basic '.length)))).toEqual([
      ...Array<string>(3).fill('me:p@ss'),
      ...Array<string>(2).fill('me:100%'),
    ]);
  });
});
