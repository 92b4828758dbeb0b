import { KebabError, isKebabError } from '@kebab/core';
import { DamagedColumn } from '@kebab/store-kit';
import type { Address } from './connection.ts';
import { failureCode, isLostConnection, NoGreeting } from './lost-connection.ts';

/**
 * Converts an error of the server or the network that the user can act on: `io_error` with the code as its kind, or with that of the system
 * (`ECONNRESET`, `EAGAIN`, `ENOSPC`, `ENOMEM`) where waiting may help, `store_damaged` for a missing table, `locked` where another process
 * keeps writing. Any other value is returned unchanged. No message has a password.
 */
export function postgresFailure(error: unknown, address: Address): unknown {
  if (isKebabError(error)) return error;
  if (error instanceof DamagedColumn) return damaged(address, error.table, error.message, error);
  if (!(error instanceof Error)) return error;
  const code = failureCode(error) ?? '';
  const { shown, host, port, database, user } = address;
  const server = `${host}:${port}`;
  const unavailable = (kind: string, what: string, hint: string): KebabError<'io_error'> =>
    new KebabError('io_error', what, { details: { kind, path: shown, cause: error.message }, cause: error, hint });
  if (
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES)$/.test(code) ||
    isTimeout(error)
  )
    return unavailable(
      code || 'ETIMEDOUT',
      `PostgreSQL at ${server} cannot be reached: ${NETWORK[code] ?? 'it does not respond'}`,
      'start the server, or correct the address: `kebab config set storage.postgres.url URL`',
    );
  if (/timeout exceeded when trying to connect/.test(error.message))
    return unavailable(
      'ETIMEDOUT',
      `all connections of this process to PostgreSQL at ${server} are in use`,
      'try again in a moment; if it happens often, raise storage.postgres.pool_size',
    );
  if (/client password must be a(?: non-empty)? string/.test(error.message))
    return unavailable(
      '28P01',
      `PostgreSQL at ${server} wants a password of ${JSON.stringify(user)}, and there is none`,
      'write it into storage.postgres.url, the variable PGPASSWORD or ~/.pgpass',
    );
  if (code === '28P01')
    return unavailable(
      code,
      `PostgreSQL at ${server} rejects the password of ${JSON.stringify(user)}`,
      'correct the password in storage.postgres.url, where @ is %40, # is %23 and / is %2F',
    );
  if (code === '28000')
    return unavailable(
      code,
      `PostgreSQL at ${server} does not let ${JSON.stringify(user)} in: ${error.message}`,
      'allow the connection in pg_hba.conf; where the server wants TLS: `kebab config set storage.postgres.tls verify`',
    );
  if (code === '3D000')
    return unavailable(
      code,
      `PostgreSQL at ${server} has no database ${JSON.stringify(database)}`,
      `create it: createdb --host ${host} --port ${port} --encoding UTF8 --template template0 ${database}`,
    );
  if (/does not support SSL/.test(error.message))
    return unavailable(
      'TLS',
      `PostgreSQL at ${server} does not support TLS`,
      'turn TLS on in the server, or off here, where the network is trusted: `kebab config set storage.postgres.tls off`',
    );
  if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code))
    return unavailable(
      code,
      `the certificate of PostgreSQL at ${server} is not valid: ${error.message}`,
      'name the file of its authority in the variable NODE_EXTRA_CA_CERTS, or use storage.postgres.tls = "require"',
    );
  if (code === '53300')
    return unavailable(
      'EAGAIN',
      `PostgreSQL at ${server} has no connection left`,
      'raise max_connections of the server, or lower storage.postgres.pool_size',
    );
  if (code.startsWith('53'))
    return unavailable(
      code === '53100' ? 'ENOSPC' : 'ENOMEM',
      `PostgreSQL at ${server} has run out of space or memory: ${error.message}`,
      'make room on the server, then run the command again',
    );
  if (code === '42501' && error.message.includes(' database '))
    return unavailable(
      code,
      `PostgreSQL at ${server} does not let ${JSON.stringify(user)} write: ${error.message}`,
      `GRANT CREATE ON DATABASE ${database} TO ${user}`,
    );
  if (code === '42501')
    return unavailable(
      code,
      `PostgreSQL at ${server} does not let ${JSON.stringify(user)} use what another user made: ${error.message}`,
      'connect as the owner of the tables, or choose another storage.postgres.schema',
    );
  if (code === '25006')
    return unavailable(
      code,
      `PostgreSQL at ${server} is read-only: ${error.message}`,
      'use the address of the primary server, or turn default_transaction_read_only off there',
    );
  if (code === '42P07')
    return unavailable(
      code,
      `the schema of ${shown} has tables that kebab did not make: ${error.message}`,
      'choose another storage.postgres.schema',
    );
  if (error instanceof NoGreeting)
    return unavailable(
      'ECONNRESET',
      `PostgreSQL at ${server} cannot be reached: what listens there ends the connection at once`,
      'it may be something else, or a proxy without its server: check the address, then `kebab config set storage.postgres.url URL`',
    );
  if (isLostConnection(error))
    return unavailable(
      'ECONNRESET',
      `the connection to PostgreSQL at ${server} was lost: ${error.message}`,
      'run the command again: what was committed is kept, and nothing else',
    );
  if (/^(?:55P03|40P01|40001)$/.test(code))
    return new KebabError('locked', `${shown}: another process keeps writing`, {
      details: { path: shown, pid: null },
      cause: error,
    });
  if (/^(?:42P01|42703|XX00[12])$/.test(code)) return damaged(address, tableIn(error.message), error.message, error);
  return error;
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ENOENT: 'there is no such socket',
  EACCES: 'the socket may not be used',
};

function isTimeout(error: Error): boolean {
  return /timeout expired|due to connection timeout/.test(error.message);
}

function tableIn(message: string): string | null {
  return /relation "(?:\w+\.)?(\w+)"/.exec(message)?.[1] ?? null;
}

function damaged({ shown }: Address, table: string | null, cause: string, error: unknown): KebabError<'store_damaged'> {
  const where = table === null ? '' : ` in the table ${table}`;
  return new KebabError('store_damaged', `${shown} is damaged${where}: ${cause}`, {
    details: { store: shown, table, cause },
    cause: error,
    hint: 'restore the database from a backup of the server; a knowledge base without conversations and answers can also be built again, in another storage.postgres.schema',
  });
}
