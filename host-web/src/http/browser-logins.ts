import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { equalsSecret, type HttpGate } from '@kebab/core/app';
import { html } from '../html.ts';
import { plain, seeOther, type Reply } from './reply.ts';

/** Where the issuer sends browsers back to. */
const CALLBACK = '/auth/callback';
/** Where browsers are logged out. */
export const LOGOUT = '/auth/logout';
const LOGIN = '/auth/login';
/** The attributes of the cookies of a login that is under way, and of a session. A cookie whose time is over is forgotten. */
const OF_LOGIN = `SameSite=Lax; Path=${CALLBACK}`;
const OF_SESSION = 'SameSite=Strict; Path=/';
/** How many sessions that were ended here are remembered until they end by themselves. */
const MAX_ENDED = 10_000;

/** A request to one of the addresses of logins. */
interface LoginPageRequest {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly port: number;
  readonly form: () => Promise<URLSearchParams>;
}

/**
 * Logs browsers in at the issuer, and out again. What a login needs, and the session that it ends in, are in sealed cookies of the browser, so that any
 * server of a team can answer the next request.
 */
export class BrowserLogins {
  readonly #gate: HttpGate;
  readonly #ended = new Set<string>();

  constructor(gate: HttpGate) {
    this.#gate = gate;
  }

  /** The session that a request brings; null for none, or one that was ended here. */
  sessionOf(request: IncomingMessage, port: number): string | null {
    const session = this.#gate.hasLogin ? cookieIn(request, this.#sessionCookie(port)) : undefined;
    return session === undefined || this.#ended.has(digest(session)) ? null : session;
  }

  /** What the forms of a session contain, which no other page knows. */
  formTokenOf(session: string): string {
    return digest(`form ${session}`);
  }

  /** Sends a browser that wants a page to the login; null for a client that is no browser. */
  loginFor({ method, headers }: IncomingMessage, url: URL): Reply | null {
    const isPage = method === 'GET' && headers.accept?.includes('text/html') === true;
    if (!this.#gate.hasLogin || !isPage || headers.authorization !== undefined) return null;
    return seeOther(`${LOGIN}?${new URLSearchParams({ page: `${url.pathname}${url.search}` }).toString()}`);
  }

  /** Answers a request to one of the addresses of logins; null for any other. */
  async answer({ request, url, port, form }: LoginPageRequest): Promise<Reply | null> {
    if (!this.#gate.hasLogin) return null;
    const isRead = request.method === 'GET';
    if (url.pathname === LOGIN && isRead) return this.#begin(request, url, port);
    if (url.pathname === CALLBACK && isRead) return this.#end(request, url, port);
    if (url.pathname !== LOGOUT) return null;
    const session = cookieIn(request, this.#sessionCookie(port));
    if (session === undefined) return message('You are logged out.', LOGIN, 'Log in');
    const token = this.formTokenOf(session);
    if (isRead)
      return wholePage(
        html`<form method="post" action="${LOGOUT}">
          <input type="hidden" name="token" value="${token}" /><button>Log out</button> <a href="/">Back</a>
        </form>`,
      );
    if (!isOwnForm(request, await form(), token)) return plain(403, 'this was not sent by a page of kebab');
    if (this.#ended.size >= MAX_ENDED) this.#ended.clear();
    this.#ended.add(digest(session));
    const cookies = [this.#cookie(this.#sessionCookie(port), '', `${OF_SESSION}; Max-Age=0`)];
    return { ...message('You are logged out.', LOGIN, 'Log in'), cookies };
  }

  async #begin({ headers }: IncomingMessage, url: URL, port: number): Promise<Reply> {
    const redirectUri = this.#gate.addressOf(CALLBACK, headers.host);
    const step = await this.#gate.login({ kind: 'begin', redirectUri, page: ownPage(url.searchParams.get('page')) });
    if (step.kind !== 'away') return this.#failed(step);
    const cookie = this.#cookie(this.#transactionCookie(port), step.transaction, `${OF_LOGIN}; Max-Age=600`);
    return { ...seeOther(step.url), cookies: [cookie] };
  }

  /** The next page is opened by this one, since a browser sends no strict cookie where another site began the request. */
  async #end(request: IncomingMessage, url: URL, port: number): Promise<Reply> {
    const transaction = cookieIn(request, this.#transactionCookie(port)) ?? '';
    const step = await this.#gate.login({ kind: 'end', query: url.search, transaction });
    const spent = this.#cookie(this.#transactionCookie(port), '', `${OF_LOGIN}; Max-Age=0`);
    if (step.kind !== 'in') return { ...this.#failed(step), cookies: [spent] };
    const session = this.#cookie(this.#sessionCookie(port), step.session, OF_SESSION);
    return { ...message('You are logged in.', ownPage(step.page), 'Go on', true), cookies: [spent, session] };
  }

  #failed(step: Exclude<Awaited<ReturnType<HttpGate['login']>>, { kind: 'in' | 'away' }> | { kind: string }): Reply {
    const why = 'why' in step ? step.why : 'the login cannot be completed';
    return step.kind === 'unavailable' ? plain(503, why) : { ...message(why, LOGIN, 'Log in again'), status: 403 };
  }

  /** Servers behind a balancer know each other's cookies; a browser sends those of one machine to all of its ports. */
  #sessionCookie(port: number): string {
    return this.#gate.isSecure ? '__Host-kebab-session' : `kebab-session-${port}`;
  }

  #transactionCookie(port: number): string {
    return this.#gate.isShared ? 'kebab-login' : `kebab-login-${port}`;
  }

  #cookie(name: string, value: string, attributes: string): string {
    return `${name}=${value}; HttpOnly; ${attributes}${this.#gate.isSecure ? '; Secure' : ''}`;
  }
}

/** The page of this server that a text names; the first page for anything that leads elsewhere. */
export function ownPage(page: string | null): string {
  const base = 'http://own.invalid';
  if (page === null || !/^\/(?![/\\])[^\\\s]*$/.test(page) || !URL.canParse(page, base)) return '/';
  const { origin, pathname, search } = new URL(page, base);
  return origin === base && !pathname.startsWith('//') && !pathname.startsWith('/auth/') ? `${pathname}${search}` : '/';
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function message(words: string, href: string, label: string, goesOn = false): Reply {
  const refresh = goesOn && html`<meta http-equiv="refresh" content="0; url=${href}" />`;
  return wholePage(
    html`${refresh}
      <p>${words}</p>
      <p><a href="${href}">${label}</a></p>`,
  );
}

function wholePage(body: ReturnType<typeof html>): Reply {
  const whole = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" /><title>kebab</title>
      <link rel="stylesheet" href="/style.css" />
      <main>${body}</main>
    </html>`;
  return { status: 200, type: 'text/html; charset=utf-8', body: whole.toString() };
}

/** The last cookie of a name that a request brings. */
export function cookieIn({ headers: { cookie = '' } }: IncomingMessage, name: string): string | undefined {
  const sent = cookie.split(';').map((one) => one.trim().split('='));
  return sent.findLast(([own]) => own === name)?.[1];
}

/** Whether what was sent comes from a script of ours, which sets a header that no other page may set, or from a form of ours. */
export function isOwnForm({ headers }: IncomingMessage, form: URLSearchParams, token: string): boolean {
  return headers[FORM_HEADER] !== undefined || (token !== '' && equalsSecret(form.get('token') ?? '', token));
}

/** Another page cannot set it without asking first, which is refused. */
const FORM_HEADER = 'x-kebab-ui';
