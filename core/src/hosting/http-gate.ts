import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, hasScope } from '../access/caller.ts';
import type { Identity } from '../access/identify.ts';
import type { LoginRequest, LoginStep } from '../access/browser-login.ts';
import type { App } from '../app/app.ts';
import { enterTrace } from '../composition/trace-parent.ts';
import { withDeadline } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { equalsSecret, isLoopbackHost, LOOPBACK_ADDRESS } from './loopback-http.ts';

/** A short answer. */
export interface GateReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a request is answered, and for whom: null is the user of this machine, who may do everything. */
export type Admission =
  | { readonly kind: 'admitted'; readonly caller: Caller | null }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly headers: GateReply['headers'];
    };

/** How a server is guarded. */
export interface GateInit {
  /** Runs with the current App. */
  readonly use: <T>(run: (app: App) => Promise<T>) => Promise<T>;
  /** Its name in metrics. */
  readonly server: 'mcp' | 'ui';
  /** The path for which clients have tokens. */
  readonly endpoint: string;
  /** The token of the user of this machine; null for none. */
  readonly ownToken: string | null;
}

/** The settings that a server is started with. */
interface GateSettings {
  readonly publicUrl: URL | null;
  readonly address: string;
  /** The issuer of access tokens; empty where none are accepted. */
  readonly issuer: string;
  readonly hasLogin: boolean;
}

const ALONE: GateSettings = { publicUrl: null, address: LOOPBACK_ADDRESS, issuer: '', hasLogin: false };
const READY_MS = 5000;
const SCOPES_SUPPORTED = ['kebab:read', 'kebab:ask', 'kebab:ingest', 'kebab:admin'];

/**
 * Stands before the requests of an HTTP server: it knows which hosts are this server, who sends a request, how many are under way, and
 * answers the probes of whatever runs the server: `/healthz`, `/readyz` and `/metrics`.
 */
export class HttpGate {
  readonly #init: GateInit;
  readonly #settings: GateSettings;
  readonly #metrics: Metrics;
  #isDraining = false;

  private constructor(init: GateInit, settings: GateSettings, metrics: Metrics) {
    this.#init = init;
    this.#settings = settings;
    this.#metrics = metrics;
  }

  /**
   * Opens a gate with the settings `access.*`; an unusable configuration leaves the server to this machine. Throws `invalid_input` for an
   * address that other machines reach without a token, or without `access.public_url`.
   */
  static async open(init: GateInit): Promise<HttpGate> {
    const settings = await init.use((app) => readSettings(app)).catch(() => ALONE);
    if (settings.address !== LOOPBACK_ADDRESS) {
      const identity = await init.use((app) => app.identify(null));
      if (settings.publicUrl === null || identity.kind === 'anyone')
        throw invalidInput(`other machines reach ${settings.address}: that takes tokens and access.public_url`, {
          field: 'access.listen',
          value: settings.address,
          hint: 'create a token with `kebab token create`, and set access.public_url',
        });
    }
    return new HttpGate(init, settings, new Metrics(await import('prom-client'), init));
  }

  /** The address to listen on. */
  get address(): string {
    return this.#settings.address;
  }

  /** Whether other machines send requests, through a proxy or directly. */
  get isShared(): boolean {
    return this.#settings.publicUrl !== null;
  }

  /** Whether browsers are logged in by the issuer. */
  get hasLogin(): boolean {
    return this.#settings.hasLogin;
  }

  /** Whether clients reach this server by TLS. */
  get isSecure(): boolean {
    return this.#settings.publicUrl?.protocol === 'https:';
  }

  /** The address at which clients reach a path of this server. */
  addressOf(path: string, host: string | undefined): string {
    return new URL(`.${path}`, this.#settings.publicUrl?.href ?? `http://${host}/`).href;
  }

  /** A step of the login of a browser. */
  login(request: LoginRequest): Promise<LoginStep> {
    return this.#init.use((app) => app.login(request));
  }

  /** Whether a `Host` header names this server: this machine, or the public address. */
  isOwnHost(host: string | undefined, port: number): boolean {
    return isLoopbackHost(host, port) || (host !== undefined && host.toLowerCase() === this.#settings.publicUrl?.host);
  }

  /** Whether an `Origin` header is this server at its public address. */
  isPublicOrigin(origin: string): boolean {
    return origin === this.#settings.publicUrl?.origin;
  }

  /** Counts a request until its response is closed; what is done for it belongs to the trace that it names. */
  track({ headers: { traceparent } }: IncomingMessage, response: ServerResponse): void {
    enterTrace(typeof traceparent === 'string' ? traceparent : undefined);
    this.#metrics.track(response);
  }

  /** From now on no request is answered, and clients are sent elsewhere. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Who sends a request, by its bearer token, or by the session of a browser that sends none. */
  async admit({ headers, headersDistinct }: IncomingMessage, session: string | null = null): Promise<Admission> {
    const { ownToken, use } = this.#init;
    if (this.#isDraining) return DRAINING;
    if ((headersDistinct['authorization']?.length ?? 0) > 1) return refused(400, 'there are two Authorization headers');
    // Scheme names are case-insensitive (RFC 9110, section 11.1).
    const bearer = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
    if (ownToken !== null && bearer !== null && equalsSecret(bearer, ownToken))
      return { kind: 'admitted', caller: null };
    let identity: Identity;
    try {
      identity = await use((app) =>
        session !== null && headers.authorization === undefined
          ? app.identify(session, 'session')
          : app.identify(bearer),
      );
    } catch (error) {
      const isHere = this.#settings === ALONE && isKebabError(error, 'config_invalid');
      if (!isHere) return refused(503, 'tokens cannot be checked now', { 'retry-after': '5' });
      identity = { kind: 'anyone' }; // every tool then reports the configuration
    }
    switch (identity.kind) {
      case 'anyone':
        return ownToken === null ? { kind: 'admitted', caller: null } : this.#unknown(UNKNOWN, bearer);
      case 'caller':
        return { kind: 'admitted', caller: identity.caller };
      case 'unknown':
        return this.#unknown(identity.why, bearer);
      case 'limited':
        return refused(429, `this token has sent too many requests: send the next in ${identity.afterS} s`, {
          'retry-after': String(identity.afterS),
        });
      case 'unavailable':
        return refused(503, `tokens cannot be checked now: ${identity.why}`, { 'retry-after': '5' });
      default:
        return identity satisfies never;
    }
  }

  /** Refuses a caller whose token lacks a scope. */
  lacking(scope: string): Extract<Admission, { kind: 'refused' }> {
    const challenge = [`Bearer error="insufficient_scope"`, `scope="kebab:${scope}"`, ...this.#metadataLink()].join(
      ', ',
    );
    return refused(403, `this needs a token with the scope ${scope}`, { 'www-authenticate': challenge });
  }

  /** Answers a probe, or a client that looks for the issuer of tokens; null for any other request. */
  async answer(request: IncomingMessage, port: number): Promise<GateReply | null> {
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    if (path === '/healthz') return json(200, { status: 'up' });
    if (path === '/readyz') return this.#readiness();
    if (!this.isOwnHost(request.headers.host, port)) return null;
    if (path === '/metrics') return this.#metricsFor(request);
    const { issuer } = this.#settings;
    const { endpoint } = this.#init;
    if (issuer === '' || (path !== METADATA && path !== `${METADATA}${endpoint}`)) return null;
    return json(200, {
      resource: this.addressOf(endpoint, request.headers.host),
      authorization_servers: [issuer],
      scopes_supported: SCOPES_SUPPORTED,
      bearer_methods_supported: ['header'],
    });
  }

  async #readiness(): Promise<GateReply> {
    if (this.#isDraining) return json(503, { status: 'draining' });
    try {
      const probe = this.#init.use((app) => app.search({ text: 'kebab', mode: 'lexical', k: 1 }, PROBING));
      await withDeadline(() => probe, { operation: 'readyz', timeoutMs: READY_MS });
      return json(200, { status: 'ready' });
    } catch (error) {
      return json(503, { status: 'unready', reason: isKebabError(error) ? error.code : 'generic' });
    }
  }

  async #metricsFor(request: IncomingMessage): Promise<GateReply> {
    const admission = await this.admit(request);
    const isAdmitted = admission.kind === 'admitted';
    if (isAdmitted && (admission.caller === null || hasScope(admission.caller, 'admin')))
      return { status: 200, ...(await this.#metrics.text()), headers: {} };
    const { status, message, headers } = isAdmitted ? this.lacking('admin') : admission;
    return json(status, { message }, headers);
  }

  #unknown(why: string, bearer: string | null): Admission {
    const error = bearer === null || this.#settings.issuer === '' ? [] : ['error="invalid_token"'];
    const members = [...error, ...this.#metadataLink()].join(', ');
    return refused(401, why, { 'www-authenticate': members === '' ? 'Bearer' : `Bearer ${members}` });
  }

  #metadataLink(): readonly string[] {
    const { issuer, publicUrl } = this.#settings;
    if (issuer === '' || publicUrl === null) return [];
    return [`resource_metadata="${new URL(`.${METADATA}`, publicUrl).href}"`];
  }
}

const METADATA = '/.well-known/oauth-protected-resource';
const UNKNOWN = 'this server asks for a bearer token';
const PROBING = { cache: false, refresh: false } as const;
const DRAINING = refused(503, 'this server is ending: send the request again', { 'retry-after': '1' });

function refused(
  status: number,
  message: string,
  headers: GateReply['headers'] = {},
): Extract<Admission, { kind: 'refused' }> {
  return { kind: 'refused', status, message, headers: { ...headers, connection: 'close' } };
}

function json(status: number, value: object, headers: GateReply['headers'] = {}): GateReply {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n`, headers };
}

async function readSettings(app: App): Promise<GateSettings> {
  const { entries } = await app.configView();
  const value = (key: string): string => {
    const entry = entries.find((one) => one.key === `access.${key}`);
    return typeof entry?.value === 'string' ? entry.value : '';
  };
  const publicUrl = value('public_url');
  const hasLogin = value('issuer') !== '' && value('client_id') !== '';
  return {
    publicUrl: URL.canParse(publicUrl) ? new URL(publicUrl.replace(/\/*$/, '/')) : null,
    address: value('listen'),
    issuer: hasLogin && value('audience') === '' ? '' : value('issuer'),
    hasLogin,
  };
}

/** Seconds: a search takes some milliseconds, an answer of a model minutes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** What a server counts, for Prometheus. */
class Metrics {
  readonly #registry: import('prom-client').Registry;
  readonly #seconds: import('prom-client').Histogram;
  readonly #running: import('prom-client').Gauge;
  readonly #server: GateInit['server'];

  constructor(
    { Registry, Histogram, Gauge, collectDefaultMetrics }: typeof import('prom-client'),
    { server, use }: GateInit,
  ) {
    this.#server = server;
    const registers = [(this.#registry = new Registry())];
    collectDefaultMetrics({ register: this.#registry });
    this.#seconds = new Histogram({
      name: 'kebab_http_request_seconds',
      help: 'How long requests took, by server and status; its count is that of requests.',
      labelNames: ['server', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.#running = new Gauge({
      name: 'kebab_http_requests_running',
      help: 'Requests that are being answered.',
      labelNames: ['server'],
      registers,
    });
    const revision: import('prom-client').Gauge = new Gauge({
      name: 'kebab_corpus_revision',
      help: 'Revision of the index; it increases with every change.',
      registers,
      // While it cannot be read, the last known one stays: zero would be another knowledge base.
      collect: async (): Promise<void> => {
        const known = await use(revisionOf).catch(() => undefined);
        if (known !== undefined) revision.set(known ?? 0);
      },
    });
  }

  track(response: ServerResponse): void {
    const server = this.#server;
    const started = performance.now();
    this.#running.inc({ server });
    response.once('close', () => {
      this.#running.dec({ server });
      this.#seconds.observe({ server, status: response.statusCode }, (performance.now() - started) / 1000);
    });
  }

  async text(): Promise<Pick<GateReply, 'type' | 'body'>> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}

async function revisionOf(app: App): Promise<number | null> {
  for await (const revision of app.followCorpus()) return revision;
  return null;
}
