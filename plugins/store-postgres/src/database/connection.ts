import { KebabError } from '@kebab/core';
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Client, ClientBase, ClientConfig } from 'pg';
import type { PostgresConfig } from '../postgres-config.ts';
import { begun, isLostConnection, isTimeLimit } from './lost-connection.ts';
import type { Database, Db } from './tables.ts';
import { decodeText, encodeText } from './text-encoding.ts';

/** A server, and the database on it, as its URL says. */
export interface Address {
  /** Without user and password: for messages. */
  readonly shown: string;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}

/** How to connect to a server. */
export interface Connecting {
  readonly address: Address;
  readonly schema: string;
  readonly client: ClientConfig;
  /** How long a statement may take that reads. */
  readonly statementTimeoutMs: number;
}

/** The schema of the queue of a knowledge base, beside that of its tables. */
export function jobsSchema(schema: string): string {
  return `${schema}_jobs`;
}

/** Reads the URL of a server. Throws `config_invalid` for none, and for one that cannot be read. */
export function connecting(
  config: Pick<PostgresConfig, 'schema' | 'tls' | 'connectTimeoutMs' | 'statementTimeoutMs'>,
  written: string,
  key: 'url' | 'read_url' = 'url',
): Connecting {
  const invalid = (cause: string, hint?: string): KebabError<'config_invalid'> => invalidUrl(key, cause, hint);
  if (written === '') throw invalid('it is not set');
  if (!URL.canParse(written))
    throw invalid(
      'it cannot be read',
      'a port is a number, and special characters of the password are %XX: @ is %40, # is %23, / is %2F',
    );
  const url = new URL(written);
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !Object.hasOwn(MODES, mode))
    throw invalid(
      `there is no sslmode ${JSON.stringify(mode)}`,
      `sslmode is one of ${Object.keys(MODES).join(', ')}; without it, storage.postgres.tls decides`,
    );
  for (const name of ['sslmode', 'ssl', 'uselibpqcompat']) url.searchParams.delete(name);
  const address = addressOf(url, config.schema);
  return {
    address,
    schema: config.schema,
    statementTimeoutMs: config.statementTimeoutMs,
    client: {
      connectionString: url.href,
      application_name: 'kebab',
      connectionTimeoutMillis: config.connectTimeoutMs,
      keepAlive: true,
      types: { getTypeParser: parserOf as never },
      ssl: tlsOf(mode === null ? config.tls : (MODES[mode] ?? config.tls), address.host),
    },
  };
}

function addressOf(url: URL, schema: string): Address {
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost';
  const port = url.port === '' ? '5432' : url.port;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  const place = host.includes(':') ? `[${host}]` : host;
  return { shown: `postgres://${place}:${port}/${database}?schema=${schema}`, host, port, database, user };
}

/** What `sslmode` in a URL means; modes that fall back to no encryption promise none. */
const MODES: Readonly<Record<string, PostgresConfig['tls']>> = {
  disable: 'off',
  allow: 'off',
  prefer: 'off',
  require: 'require',
  'verify-ca': 'verify',
  'verify-full': 'verify',
};

const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\/.*)$/;

function tlsOf(tls: PostgresConfig['tls'], host: string): ClientConfig['ssl'] {
  const mode = tls === 'auto' ? (LOCAL_HOST.test(host) ? 'off' : 'verify') : tls;
  return mode === 'off' ? false : { rejectUnauthorized: mode === 'verify' };
}

function invalidUrl(key: string, cause: string, hint?: string): KebabError<'config_invalid'> {
  const name = `storage.postgres.${key}`;
  return new KebabError('config_invalid', `${name}: ${cause}`, {
    details: { path: null, key: name, cause, suggestion: null },
    hint:
      hint ??
      `name the database: \`kebab config set ${name} URL\`; a URL is postgres://HOST:5432/DATABASE, with USER:PASSWORD and @ before HOST`,
  });
}

const OID = { text: 25, varchar: 1043, bigint: 20 } as const;

type Parser = (value: string) => unknown;

let defaultParser: (oid: number, format?: 'text' | 'binary') => Parser;

/** Decodes texts, and reads integers of 64 bits as numbers; those beyond 2^53 are selected as texts. */
function parserOf(oid: number, format?: 'text' | 'binary'): Parser {
  if (format !== 'binary' && (oid === OID.text || oid === OID.varchar)) return decodeText;
  if (format !== 'binary' && oid === OID.bigint) return Number;
  return defaultParser(oid, format);
}

function encodeParameter(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value);
  return Array.isArray(value) ? value.map(encodeParameter) : value;
}

/** Imports the driver, which only a knowledge base on a server needs. */
async function importDriver() {
  const { default: driver } = await import('pg');
  defaultParser = driver.types.getTypeParser as typeof defaultParser;
  return driver;
}

/** What a server may take beyond the time of a statement to say that it has ended it. */
const GRACE_MS = 1000;
/** Statements that write may take so many times as long as those that read. */
const WRITING_FACTOR = 10;

/** How long a statement may take, and where; the driver stops waiting where the server, which has the same limit, does not respond. */
interface StatementLimit extends Pick<Connecting, 'address' | 'client'> {
  readonly ms: number;
}

function limitOf({ address, client, statementTimeoutMs }: Connecting, factor = 1): StatementLimit {
  const ms = statementTimeoutMs * factor;
  return { address, client: { ...client, query_timeout: ms + GRACE_MS }, ms };
}

/** A connection whose texts are encoded; it is the same object as long as the connection is the same. */
class EncodedClient implements PostgresPoolClient {
  readonly #client: ClientBase;
  readonly #release: (isLost: boolean) => void;
  readonly #limit: StatementLimit;
  /** What has ended the connection. */
  #end: { readonly error: unknown } | null = null;

  constructor(client: ClientBase, limit: StatementLimit, release: (isLost: boolean) => void) {
    this.#client = client;
    this.#limit = limit;
    this.#release = release;
  }

  query(text: unknown, parameters: readonly unknown[] = []): never {
    return this.#run(text as string, parameters.map(encodeParameter)) as never;
  }

  release(): void {
    this.#release(this.#end !== null);
  }

  async #run(text: string, parameters: unknown[]): Promise<unknown> {
    if (this.#end !== null) throw this.#end.error; // the rollback after it says nothing else
    try {
      return await this.#client.query(text, parameters);
    } catch (cause) {
      const error = isTimeLimit(cause) ? timedOut(cause, this.#limit) : cause;
      if (isLostConnection(cause)) this.#end = { error };
      throw error;
    }
  }
}

function timedOut(cause: unknown, { address: { host, port }, ms }: StatementLimit): KebabError<'timeout'> {
  const did = isLostConnection(cause) ? 'has not responded for' : 'has not finished a statement within';
  return new KebabError('timeout', `PostgreSQL at ${host}:${port} ${did} ${ms / 1000} s`, {
    details: { operation: 'a statement on PostgreSQL', after_ms: ms },
    cause,
    hint: 'look at what the server does, then run the command again; for a server that is slow: `kebab config set storage.postgres.statement_timeout_s 120`',
  });
}

/** The connections of a process for reading; they are opened when they are needed. */
export async function openPool(target: Connecting, max: number): Promise<Db> {
  const { Pool } = await importDriver();
  const limit = limitOf(target);
  const pool = new Pool({ ...limit.client, max, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
  pool.on('error', () => {}); // an idle connection that was lost is replaced by the next one
  pool.on('connect', (client) => client.on('error', () => {})); // a statement that needs the connection reports its loss
  const encoded = new WeakMap<ClientBase, EncodedClient>();
  return kyselyOn(target, limit, {
    connect: async () => {
      const client = await begun(pool.connect());
      const known = encoded.get(client) ?? new EncodedClient(client, limit, (isLost) => client.release(isLost));
      encoded.set(client, known);
      return known;
    },
    end: () => pool.end(),
  });
}

/** One connection of its own. */
export interface OwnConnection {
  readonly db: Db;
  close(): Promise<void>;
}

/** Calls back for everything that is said on a channel of the server, until the signal fires or the connection is lost. */
export async function listenTo(
  target: Connecting,
  channel: string,
  { onNotice, onLost, signal }: { onNotice: (said: string) => void; onLost: () => void; signal: AbortSignal },
): Promise<void> {
  const { Client: PostgresClient } = await importDriver();
  const client: Client = new PostgresClient(limitOf(target).client);
  client.on('error', () => {}); // the end is what matters
  client.on('notification', ({ payload = '' }) => onNotice(payload));
  await begun(client.connect());
  client.once('end', () => {
    if (!signal.aborted) onLost();
  });
  signal.addEventListener('abort', () => void client.end().catch(() => {}), { once: true });
  if (signal.aborted) return client.end();
  (client as unknown as { unref(): void }).unref(); // a process may end while it listens
  await client.query(`LISTEN "${channel}"`);
}

/** Opens a connection for writing, which is used one statement after another. */
export async function openConnection(target: Connecting): Promise<OwnConnection> {
  const { Client: PostgresClient } = await importDriver();
  const limit = limitOf(target, WRITING_FACTOR);
  const client: Client = new PostgresClient(limit.client);
  let isOpen = true;
  const lost = (): void => void (isOpen = false);
  client.on('error', lost);
  client.on('end', lost);
  await begun(client.connect());
  const encoded = new EncodedClient(client, limit, () => {});
  const db = kyselyOn(target, limit, { connect: () => Promise.resolve(encoded), end: () => client.end() });
  return {
    db,
    close: async () => {
      if (isOpen) await client.end();
    },
  };
}

function kyselyOn({ schema }: Connecting, { ms }: StatementLimit, pool: PostgresPool): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool,
      onCreateConnection: async (connection) => {
        // Plans of short statements are not worth compiling.
        const text = `SET search_path TO "${schema}"; SET jit TO off; SET client_min_messages TO warning; SET statement_timeout TO ${ms}`;
        await connection.executeQuery(CompiledQuery.raw(text));
      },
    }),
  });
}
