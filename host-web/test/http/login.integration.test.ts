import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownPage } from '../../src/http/browser-logins.ts';
import { startProvider, type Misbehaviour, type TestProvider } from '../fakes/test-provider.ts';
import { send, webHome, type Page, type WebHome } from '../fakes/web-home.ts';

const PUBLIC = 'https://kb.example.org';
const RULES = JSON.stringify([
  { source: '', path: 'private/**', readers: ['group:staff'] },
  { source: '', path: '**', readers: ['everyone'] },
]);
/** A link of another site that is followed. */
const FOLLOWED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const HTML = { accept: 'text/html,*/*', 'sec-fetch-site': 'none' };

let provider: TestProvider;
let home: WebHome;
let other: WebHome;

beforeAll(async () => {
  provider = await startProvider();
  const texts = {
    'tea.md': '# Tea\n\nGreen tea is steeped.\n',
    'private/pay.md': '# Pay\n\nTea money of the quokka.\n',
  };
  const env = {
    KEBAB_ACCESS_RULES: RULES,
    KEBAB_ACCESS_ISSUER: provider.issuer,
    KEBAB_ACCESS_CLIENT_ID: 'kebab',
    KEBAB_ACCESS_CLIENT_SECRET: 's3cret',
    KEBAB_ACCESS_PUBLIC_URL: PUBLIC,
  };
  home = await webHome(texts, { env, mayWrite: true });
  other = await webHome(texts, { env });
});
afterAll(async () => {
  await Promise.all([home.close(), other.close()]);
  provider.close();
});

/** A browser with a jar of cookies. */
class Browser {
  /** Every cookie as it was set. */
  readonly set: string[] = [];
  readonly #jar = new Map<string, string>();
  readonly #of: WebHome;

  constructor(of: WebHome = home) {
    this.#of = of;
  }

  async get(target: string, headers: Readonly<Record<string, string>> = HTML): Promise<Page> {
    return this.#kept(await send(this.#of.server.port, target, { headers: { ...this.#headers(), ...headers } }));
  }

  async post(target: string, body: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    const options = { method: 'POST', headers: { ...this.#headers(), origin: PUBLIC, ...headers }, body };
    return this.#kept(await send(this.#of.server.port, target, options));
  }

  /** Asks for a page, and returns where the provider is. */
  async begin(page = '/'): Promise<string> {
    const toLogin = await this.get(page);
    const away = await this.get(String(toLogin.headers['location']));
    return String(away.headers['location']);
  }

  comeBack(query: URLSearchParams): Promise<Page> {
    return this.get(`/auth/callback?${query.toString()}`, { ...HTML, ...FOLLOWED });
  }

  async login(user: Readonly<Record<string, unknown>>, page = '/', misbehaviour?: Misbehaviour): Promise<Page> {
    return this.comeBack(provider.login(await this.begin(page), user, misbehaviour));
  }

  cookie(name: string): string | undefined {
    return [...this.#jar].find(([own]) => own.startsWith(name))?.[1];
  }

  keep(name: string, value: string): void {
    this.#jar.set(name, value);
  }

  #headers(): Readonly<Record<string, string>> {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
    return { host: 'kb.example.org', ...(cookie === '' ? {} : { cookie }) };
  }

  #kept(page: Page): Page {
    for (const line of [page.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.set.push(line);
      if (value === '') this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    return page;
  }
}

describe('a browser without a token, where the issuer knows a client', () => {
  it('is sent to the issuer with PKCE, state and nonce, and comes back to the page that it wanted', async () => {
    const browser = new Browser();
    const address = new URL(await browser.begin('/?q=quokka'));
    expect(address.origin).toBe(provider.issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'kebab',
      redirect_uri: `${PUBLIC}/auth/callback`,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await browser.comeBack(provider.login(address.href, { sub: 'ann', groups: ['staff'] }));
    expect(back.status).toBe(200);
    expect(back.body).toContain('content="0; url=/?q=quokka"');
    const attributes = /; HttpOnly; SameSite=(?:Lax|Strict); Path=\/[^;]*(?:; Max-Age=\d+)?; Secure$/;
    expect(browser.set.filter((cookie) => !attributes.test(cookie))).toEqual([]);
    expect(browser.set).toHaveLength(3);
    expect((await browser.get('/search.json?q=quokka')).body).toContain('private/pay.md');
  });

  it('reads what its user and groups may read', async () => {
    const browser = new Browser();
    await browser.login({ sub: 'bob', groups: ['crew'] });
    const found = await browser.get('/search.json?q=tea');
    expect(found.body).toContain('tea.md');
    expect(found.body).not.toMatch(/private|quokka/);
    expect((await browser.get('/doc.json/default/private/pay.md')).status).toBe(404);
    expect((await browser.get('/about.json')).status).toBe(403);
  });

  it('sends forms with the token of its session only', async () => {
    const browser = new Browser();
    await browser.login({ sub: 'ann' });
    const page = await browser.get('/ask');
    expect(page.body).toContain('<a href="/auth/logout">');
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await browser.post('/ask', { again: 'x', token })).status).toBe(303);
    expect((await browser.post('/ask', { again: 'x' })).status).toBe(403);
    const stranger = new Browser();
    await stranger.login({ sub: 'bob' });
    expect((await stranger.post('/ask', { again: 'x', token })).status).toBe(403);
    expect((await browser.post('/ask', { again: 'x', token }, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('is logged out by its own form, for good', async () => {
    const browser = new Browser();
    await browser.login({ sub: 'ann' });
    const session = browser.cookie('__Host-kebab-session') ?? '';
    expect((await browser.post('/auth/logout', {})).status).toBe(403);
    expect((await browser.get('/search.json?q=tea')).status).toBe(200);
    const form = await browser.get('/auth/logout');
    const token = /name="token" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
    expect((await browser.post('/auth/logout', { token })).body).toContain('logged out');
    expect(browser.cookie('__Host-kebab-session')).toBeUndefined();
    browser.keep('__Host-kebab-session', session);
    expect((await browser.get('/search.json?q=tea', {})).status).toBe(401);
  });

  it('is logged in first where it follows a link of another site, which can neither load nor frame a page', async () => {
    const browser = new Browser();
    await browser.login({ sub: 'ann' });
    expect((await browser.get('/doc/default/tea.md', { ...HTML, ...FOLLOWED })).status).toBe(200);
    const link = await new Browser().get('/doc/default/tea.md', { ...HTML, ...FOLLOWED });
    expect(link.headers['location']).toBe('/auth/login?page=%2Fdoc%2Fdefault%2Ftea.md');
    for (const as of [{ 'sec-fetch-dest': 'iframe' }, { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }])
      expect((await browser.get('/doc/default/tea.md', { ...HTML, ...FOLLOWED, ...as })).status).toBe(403);
    expect((await browser.post('/ask', { again: 'x' }, FOLLOWED)).status).toBe(403);
  });

  it('remains a client without a session for scripts and feeds', async () => {
    const browser = new Browser();
    expect((await browser.get('/search.json?q=tea', { accept: 'application/json' })).status).toBe(401);
    expect((await browser.get('/', { ...HTML, authorization: 'Bearer kebab_x' })).status).toBe(401);
    // Without an audience the issuer has no access tokens for this server.
    expect((await browser.get('/.well-known/oauth-protected-resource')).body).not.toContain('authorization_servers');
  });

  it.each<[string, Misbehaviour]>([
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another audience', { claims: { aud: 'wiki' } }],
    ['several audiences, and another client', { claims: { aud: ['kebab', 'wiki'], azp: 'wiki' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['a time that has passed', { expiresIn: -120 }],
    ['a signature that the issuer did not make', { foreignKey: true }],
    ['no user', { claims: { sub: undefined } }],
  ])('is not let in with an ID token with %s', async (_what, misbehaviour) => {
    const browser = new Browser();
    const back = await browser.login({ sub: 'ann', groups: ['staff'] }, '/', misbehaviour);
    expect({ status: back.status, session: browser.cookie('__Host-kebab-session') }).toEqual({
      status: 403,
      session: undefined,
    });
  });

  it('is not let in with another state, without a code, or with the answer to the login of another browser', async () => {
    const [ann, eve] = [new Browser(), new Browser()];
    const wrong = provider.login(await ann.begin(), { sub: 'ann' });
    wrong.set('state', 'other');
    expect((await ann.comeBack(wrong)).status).toBe(403);
    const query = provider.login(await ann.begin(), { sub: 'ann' });
    await eve.begin();
    expect((await eve.comeBack(query)).status).toBe(403);
    expect((await new Browser().comeBack(query)).status).toBe(403);
    await ann.begin();
    expect((await ann.comeBack(new URLSearchParams())).status).toBe(403);
    await ann.begin();
    const refused = await ann.comeBack(new URLSearchParams({ error: 'access_denied', error_description: '<b>no' }));
    expect(refused).toMatchObject({ status: 403, body: expect.not.stringContaining('<b>') });
  });

  it('uses a code and a login once', async () => {
    const browser = new Browser();
    const query = provider.login(await browser.begin(), { sub: 'ann' });
    const transaction = browser.cookie('kebab-login') ?? '';
    expect((await browser.comeBack(query)).status).toBe(200);
    expect(browser.cookie('kebab-login')).toBeUndefined();
    const again = new Browser();
    again.keep('kebab-login', transaction);
    expect((await again.comeBack(query)).status).toBe(403);
  });

  it('gets no session from cookies of another kind or server, or from changed ones', async () => {
    const browser = new Browser();
    await browser.login({ sub: 'ann' });
    const session = browser.cookie('__Host-kebab-session') ?? '';
    await browser.get('/auth/login');
    const transaction = browser.cookie('kebab-login') ?? '';
    const at = session.length - 30;
    const changed = `${session.slice(0, at)}${session[at] === 'A' ? 'B' : 'A'}${session.slice(at + 1)}`;
    for (const value of [transaction, changed, `${session}.`, 'x', '']) {
      const forged = new Browser();
      forged.keep('__Host-kebab-session', value);
      expect((await forged.get('/search.json?q=tea', {})).status).toBe(401);
    }
    const elsewhere = new Browser(other);
    elsewhere.keep('__Host-kebab-session', session);
    expect((await elsewhere.get('/search.json?q=tea', {})).status).toBe(401);
    expect((await browser.get('/search.json?q=tea', { authorization: `Bearer ${session}` })).status).toBe(401);
  });

  it('is told that the issuer does not answer', async () => {
    const browser = new Browser();
    const back = await browser.login({ sub: 'ann' }, '/', { status: 500 });
    expect([403, 503]).toContain(back.status);
    expect(browser.cookie('__Host-kebab-session')).toBeUndefined();
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    '/ /evil',
    '/auth/login?page=/',
    '/%0d%0aSet-Cookie:a=b\r\n',
    '',
    null,
  ])('is not sent on to %j', (page) => expect(ownPage(page)).toBe('/'));

  it.each(['/?q=a%20b', '/doc/default/a.md?l=3', '/doc/default/%EA%B0%80.md', '/ask?session=web-1'])(
    'is sent on to %s',
    (page) => {
      expect(ownPage(page)).toBe(page);
    },
  );

  it('keeps many groups in its cookie as far as rules name them', async () => {
    const browser = new Browser();
    const groups = Array.from({ length: 400 }, (_, at) => `department-of-everything-${at}`);
    await browser.login({ sub: 'ann', groups: [...groups, 'staff'] });
    expect((browser.cookie('__Host-kebab-session') ?? '').length).toBeLessThan(3900);
    expect((await browser.get('/search.json?q=quokka')).body).toContain('private/pay.md');
  });
});
