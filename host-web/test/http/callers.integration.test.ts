import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtins } from '@kebab/builtins';
import { openApp } from '@kebab/core/app';
import { ScriptedModel } from '@kebab/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelPlugin, webHome, send, type WebHome } from '../fakes/web-home.ts';

let home: WebHome;
let reader = '';
let asker = '';
let admin = '';
let adder = '';

const RULES = JSON.stringify([
  { source: '', path: 'private/**', readers: ['user:ann'] },
  { source: '', path: '**', readers: ['everyone'] },
]);

beforeAll(async () => {
  const texts = {
    'tea.md': '# Tea\n\nGreen tea is steeped.\n',
    'private/pay.md': '# Pay\n\nTea money of the quokka.\n',
  };
  home = await webHome(texts, {
    env: { KEBAB_ACCESS_RULES: RULES, KEBAB_ACCESS_PUBLIC_URL: 'https://kb.example.org', KEBAB_ACCESS_AUDIT: 'true' },
  });
  const app = await openApp({
    builtins,
    environment: { cwd: home.folder, homeDir: home.folder, tmpDir: tmpdir(), env: home.env },
  });
  const create = async (name: string, scopes: string[], principals: string[] = []): Promise<string> =>
    (await app.tokens({ kind: 'create', name, scopes, principals })).token ?? '';
  reader = await create('reader', ['read']);
  asker = await create('asker', ['read', 'ask'], ['user:ann']);
  admin = await create('admin', ['admin']);
  adder = await create('adder', ['ingest']);
  await app.close();
});
afterAll(() => home.close());

const host = (): string => `127.0.0.1:${home.server.port}`;
const get = (target: string, token: string | null, more: Readonly<Record<string, string>> = {}) =>
  send(home.server.port, target, {
    headers: { host: host(), ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...more },
  });

describe('a client of the pages with a token of its own', () => {
  it('finds and reads what its rules allow', async () => {
    const ofReader = await get('/search.json?q=tea', reader);
    expect(ofReader.status).toBe(200);
    expect(ofReader.body).toContain('tea.md');
    expect(ofReader.body).not.toMatch(/private|quokka/);
    expect((await get('/search.json?q=quokka', asker)).body).toContain('private/pay.md');
    expect((await get('/doc.json/default/private/pay.md', reader)).status).toBe(404);
    expect((await get('/doc/default/private/pay.md', reader)).body).not.toContain('quokka');
    expect((await get('/doc.json/default/private/pay.md', asker)).status).toBe(200);
    expect((await get('/around.json/default/private/pay.md', reader)).status).toBe(404);
  });

  it('is refused with 403 what its scopes do not allow', async () => {
    expect((await get('/about.json', reader)).status).toBe(403);
    expect((await get('/about.json', admin)).status).toBe(200);
    expect(await get('/ask.json?session=web-1', reader)).toMatchObject({
      status: 403,
      body: expect.stringContaining('scope ask'),
    });
    expect((await get('/about.json', asker)).status).toBe(403);
    // These are sent in parts.
    expect((await get('/about', asker)).status).toBe(403);
    expect((await get('/ask?q=tea', reader)).status).toBe(403);
    // A question that is sent is answered later, by the page that follows.
    const headers = { host: host(), authorization: `Bearer ${reader}` };
    for (const body of [{ q: 'tea' }, { again: 'tea' }, { q: 'tea', session: 'new' }])
      expect((await send(home.server.port, '/ask', { method: 'POST', headers, body })).status).toBe(403);
    expect(await get('/?q=tea', adder)).toMatchObject({ status: 403, body: expect.stringContaining('scope read') });
    const audit = path.join(home.folder, 'DATA/kebab/audit');
    const recorded = () =>
      readdirSync(audit)
        .map((name) => readFileSync(path.join(audit, name), 'utf8'))
        .join('');
    for (const [id, operation] of Object.entries({
      'user:ann': 'status',
      'token:reader': 'ask',
      'token:adder': 'search',
    }))
      await expect
        .poll(recorded)
        .toMatch(new RegExp(`"caller":"${id}","operation":"${operation}".*"error":"invalid_input"`));
  });

  it('is told that no token makes files be indexed or an editor start', async () => {
    const headers = { host: host(), authorization: `Bearer ${admin}` };
    for (const address of ['/ingest', '/edit', '/edit.json']) {
      const { status, body } = await send(home.server.port, address, {
        method: 'POST',
        headers,
        body: { uri: 'tea.md' },
      });
      expect([status, body]).toEqual([403, expect.stringContaining('no token allows it')]);
      expect(body).not.toContain('start `kebab ui');
    }
  });

  it('finds no answer of before its rules changed', async () => {
    const rules = (user: string): string => `[[access.rules]]\npath = "loom.md"\nreaders = ["${user}"]\n`;
    const model = new ScriptedModel(['The loom has 8 shafts [1].', 'Nothing.']);
    const own = await webHome(
      { 'loom.md': '# Loom\n\nThe loom has 8 shafts.\n' },
      { plugins: [modelPlugin(model)], env: { KEBAB_MODELS_LLM_PROVIDER: 'scripted', KEBAB_RAG_SCORE_GATE: '0' } },
    );
    const file = path.join(own.folder, 'CONFIG/kebab/config.toml');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, rules('user:ann'));
    const app = await openApp({
      builtins,
      environment: {
        cwd: own.folder,
        homeDir: own.folder,
        tmpDir: tmpdir(),
        env: { ...own.env, KEBAB_MODELS_LLM_PROVIDER: 'none' },
      },
    });
    const { token = '' } = await app.tokens({
      kind: 'create',
      name: 'a',
      scopes: ['read', 'ask'],
      principals: ['user:ann'],
    });
    await app.close();
    const ask = async () =>
      (
        await send(own.server.port, '/ask.json?q=How+many+shafts+has+the+loom', {
          headers: { host: `127.0.0.1:${own.server.port}`, authorization: `Bearer ${token}` },
        })
      ).body;
    expect([await ask(), await ask()]).toEqual([
      expect.stringContaining('8 shafts'),
      expect.stringContaining('8 shafts'),
    ]);
    expect(model.requests.length).toBe(1);
    writeFileSync(file, rules('user:bob'));
    expect(await ask()).not.toContain('8 shafts');
    await own.close();
  });

  it('sees no link to a page that its scopes do not open', async () => {
    const links = async (token: string, page = '/'): Promise<readonly boolean[]> => {
      const { body } = await get(page, token);
      return ['href="/ask"', 'href="/about"'].map((link) => body.includes(link));
    };
    expect([await links(reader), await links(asker), await links(admin)]).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    expect(await links(reader, '/?q=nothing')).toEqual([false, false]);
  });

  it('is told to bring one: no token, an unknown one, a cookie of another server', async () => {
    expect(await get('/search.json?q=tea', null)).toMatchObject({ status: 401 });
    expect((await get('/search.json?q=tea', 'kebab_x')).status).toBe(401);
    const cookie = `kebab-ui-${home.server.port}=${'a'.repeat(43)}`;
    expect((await get('/search.json?q=tea', null, { cookie })).status).toBe(401);
  });

  it('gets less than the one browser even when it also sends its cookie', async () => {
    expect((await get('/search.json?q=quokka', reader, { cookie: home.cookie })).body).not.toContain('private/pay.md');
    expect((await home.get('/search.json?q=quokka')).body).toContain('private/pay.md');
  });

  it('sends forms without the token of the pages, which it does not get; another page cannot', async () => {
    const post = (headers: Readonly<Record<string, string>>) =>
      send(home.server.port, '/ask', { method: 'POST', headers: { host: host(), ...headers }, body: { again: 'x' } });
    expect((await post({ authorization: `Bearer ${asker}` })).status).toBe(303);
    expect((await post({ cookie: home.cookie })).status).toBe(403);
    expect((await post({ authorization: `Bearer ${asker}`, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ cookie: home.cookie, authorization: 'Basic YTpi' })).status).toBe(401);
    expect((await get('/ask', asker)).body).not.toMatch(/name="token" value="[^"]/);
  });

  it('comes through the public address', async () => {
    expect(
      (await get('/search.json?q=tea', reader, { host: 'kb.example.org', origin: 'https://kb.example.org' })).status,
    ).toBe(200);
    expect((await get('/search.json?q=tea', reader, { host: 'kb.example.com' })).status).toBe(403);
  });

  it('finds the probes', async () => {
    expect((await get('/healthz', null, { host: '10.0.0.1' })).status).toBe(200);
    expect((await get('/readyz', null, { host: '10.0.0.1' })).status).toBe(200);
    expect((await get('/metrics', admin)).body).toContain('kebab_http_request_seconds_count{server="ui"');
    expect((await get('/metrics', reader)).status).toBe(403);
  });
});
