import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveUi } from '../../src/index.ts';
import { modelWriting, send, webHome, type WebHome } from '../fakes/web-home.ts';

let home: WebHome;
beforeAll(async () => {
  home = await webHome(
    { 'tea.md': '# Tea\n\nGreen tea is steeped at eighty degrees.\n' },
    {
      plugins: [modelWriting('Green tea is steeped at eighty degrees [1].')],
      env: { KEBAB_MODELS_LLM_PROVIDER: 'scripted' },
    },
  );
});
afterAll(() => home.close());

const host = (): string => `127.0.0.1:${home.server.port}`;

describe('whoever asks for a page', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['a Host of another machine', { host: 'evil.example' }],
    ['a Host that merely begins like this one', { host: '127.0.0.1.evil.example:80' }],
    ['this machine at another port', { host: '127.0.0.1:1' }],
    ['an Origin of another machine', { origin: 'https://evil.example' }],
    ['an Origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['an Origin that is hidden', { origin: 'null' }],
    ['a request that another site began', { 'sec-fetch-site': 'cross-site' }],
    ['a request that another port began', { 'sec-fetch-site': 'same-site' }],
  ])('is refused, even with the cookie: %s', async (_what, headers) => {
    for (const address of ['/', '/search.json?q=tea', '/style.css', '/doc/default/tea.md']) {
      const { status, body } = await home.get(address, headers);
      expect([address, status, body.includes('Green')]).toEqual([address, 403, false]);
    }
  });

  it('is answered when the browser says that the user or a page of this server began the request', async () => {
    for (const site of ['none', 'same-origin'])
      expect((await home.get('/', { 'sec-fetch-site': site, origin: `http://${host()}` })).status).toBe(200);
  });

  it('needs the cookie: without one, or with another, nothing is shown', async () => {
    for (const cookie of ['', 'kebab-ui=x', `kebab-ui-${home.server.port}=x`, `${home.cookie}x`]) {
      const { status, body } = await send(home.server.port, '/search.json?q=tea', {
        headers: { host: host(), cookie },
      });
      expect([cookie, status, body.includes('Green')]).toEqual([cookie, 403, false]);
    }
  });

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('cannot write: %s', async (method) => {
    const headers = { host: host(), cookie: home.cookie, 'x-kebab-ui': '1' };
    expect((await send(home.server.port, '/ask', { method, headers })).status).toBe(405);
  });

  const AGAIN = { again: 'how is green tea steeped' };
  const post = (headers: Readonly<Record<string, string>>, body: Readonly<Record<string, string>> = AGAIN) =>
    send(home.server.port, '/ask', { method: 'POST', headers: { host: host(), ...headers }, body });

  it('may send a form of a page, with the token of the form or the header of the script', async () => {
    const { cookie } = home;
    const [, token = ''] =
      /name="token" value="([^"]+)"/.exec((await home.get('/ask?q=how+is+green+tea+steeped')).body) ?? [];
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await post({ ...own, 'x-kebab-ui': '1' })).status).toBe(303);
    expect((await post({ ...own, origin: `http://${host()}` }, { ...AGAIN, token })).status).toBe(303);
    expect((await post({ ...own, origin: 'null' }, { ...AGAIN, token })).status).toBe(303); // as browsers send it without a referrer
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['neither', {}],
    ['another origin', { 'x-kebab-ui': '1', origin: 'http://evil.example' }],
    ['an origin that is hidden', { 'x-kebab-ui': '1', origin: 'null' }],
    ['a hidden origin of another site', { 'x-kebab-ui': '1', origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another Host', { 'x-kebab-ui': '1', host: 'evil.example' }],
  ])('cannot send a form with %s', async (_what, headers) => {
    expect((await post({ cookie: home.cookie, ...headers })).status).toBe(403);
    expect((await post({ cookie: home.cookie, ...headers }, { ...AGAIN, token: 'guessed' })).status).toBe(403);
  });

  it('cannot send a form without the cookie, to another page, or without an end', async () => {
    expect((await post({ 'x-kebab-ui': '1' })).status).toBe(403);
    expect((await home.post('/doc/default/tea.md', AGAIN)).status).toBe(400);
    expect((await home.post('/ask', { again: 'x'.repeat(100_000) })).status).not.toBe(303);
  });
});

describe('the token', () => {
  it('is valid once, and becomes a cookie that scripts and other sites cannot use', async () => {
    const server = await serveUi({ open: () => Promise.reject(new Error('not opened')), port: 0 });
    const headers = { host: `127.0.0.1:${server.port}` };
    const target = server.entrance.slice(server.entrance.indexOf('/?'));
    expect((await send(server.port, '/?t=wrong', { headers })).status).toBe(403);
    const first = await send(server.port, target, { headers });
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const late = await send(server.port, target, { headers }); // its owner, where it was stolen
    expect(late).toMatchObject({ status: 403, body: expect.stringMatching(/opened before.*kebab ui/) });
    expect(late.headers['set-cookie']).toBeUndefined();
    await server.close();
  });

  it.each([
    ['by a foreign Host', { host: 'evil.example' }],
    ['by a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is not spent %s', async (_how, foreign: Readonly<Record<string, string>>) => {
    const server = await serveUi({ open: () => Promise.reject(new Error('not opened')), port: 0 });
    const headers = { host: `127.0.0.1:${server.port}` };
    const target = server.entrance.slice(server.entrance.indexOf('/?'));
    expect((await send(server.port, target, { headers: { ...headers, ...foreign } })).status).toBe(403);
    expect((await send(server.port, target, { method: 'HEAD', headers })).status).toBe(403);
    expect((await send(server.port, target, { headers })).status).toBe(303);
    await server.close();
  });
});

describe('the headers of every response', () => {
  it.each([
    '/',
    '/style.css',
    '/script.js',
    '/search.json?q=tea',
    '/doc/default/tea.md',
    '/nothing',
    '/snap/default/tea.md',
  ])('forbid whatever is not from this server: %s', async (address) => {
    const { headers } = await home.get(address);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    '/doc/default/../../../../etc/passwd',
    '/doc/default/..%2f..%2f..%2fetc%2fpasswd',
    '/doc/default/%2e%2e/%2e%2e/etc/passwd',
    '/doc/default//etc/passwd',
    '/doc/default/%2fetc%2fpasswd',
    '/doc/default/tea.md%00.png',
    '/doc/..%5c..%5cetc/passwd',
    '/doc/%ff%fe/tea.md',
    '/doc/default/',
    '/doc',
    '/style.css/../../package.json',
    '/../package.json',
    '/snap/default/..%2fCONFIG',
    '//evil.example/tea.md',
  ])('never leads out of the sources: %s', async (address) => {
    const { status, body } = await home.get(address);
    expect([address, status]).toEqual([address, 404]);
    expect(body).not.toMatch(/root:|"name": "@kebab/);
  });

  it('that is no path is answered, and the server goes on', async () => {
    expect((await home.get('http://evil.example/')).status).toBe(400);
    expect((await home.get('/')).status).toBe(200);
  });
});

it('answers two hundred requests at once', async () => {
  const addresses = ['/?q=tea', '/search.json?q=green', '/doc/default/tea.md?at=L3', '/script.js'];
  const pages = await Promise.all(Array.from({ length: 200 }, (_, at) => home.get(addresses[at % 4] ?? '')));
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
});

it('says why a port cannot be used', async () => {
  const open = (): Promise<never> => Promise.reject(new Error('not opened'));
  await expect(serveUi({ open, port: home.server.port })).rejects.toThrow(/is in use/);
  await expect(serveUi({ open, port: 70_000 })).rejects.toThrow(/does not exist/);
});

describe('a server that ends when nobody looks', () => {
  it('does so after the last request, and not while one is answered', async () => {
    let ended = 0;
    const idle = { afterMs: 2000, onIdle: () => ended++ };
    const server = await serveUi({ open: () => Promise.reject(new Error('not opened')), port: 0, idle });
    const headers = { host: `127.0.0.1:${server.port}` };
    for (let at = 0; at < 4; at++) {
      await send(server.port, '/', { headers });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(ended).toBe(0);
    await expect.poll(() => ended, { timeout: 20_000 }).toBe(1);
    await server.close();
  });

  it('is silent once it is closed', async () => {
    let ended = 0;
    const idle = { afterMs: 50, onIdle: () => ended++ };
    const server = await serveUi({ open: () => Promise.reject(new Error('not opened')), port: 0, idle });
    await server.close();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(ended).toBe(0);
  });
});
