import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** The server with the tables, and how to connect to it. */
export interface PostgresConfig {
  /** `postgres://…`; empty when it is not set. */
  readonly url: string;
  /** A replica of the database for reading; empty for none. */
  readonly readUrl: string;
  /** The schema of this knowledge base. */
  readonly schema: string;
  readonly tls: 'auto' | 'off' | 'require' | 'verify';
  /** The number of connections for reading. */
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  /** How long a statement may take that reads. */
  readonly statementTimeoutMs: number;
  /** After this time without a sign of life from its worker, a job is given to another one. */
  readonly jobLeaseS: number;
  /** Whether words are indexed in tables of the knowledge base, and not elsewhere. */
  readonly hasWords: boolean;
  /** Whether the tables are opened for reading, and neither made nor changed. */
  readonly readonly: boolean;
}

/** Validates the configuration without a schema library. */
export const postgresConfigSchema: StandardSchema<PostgresConfig> = checkedConfig<PostgresConfig>({
  checks: {
    url: checks.text,
    readUrl: checks.text,
    schema: checks.matching(/^[a-z_][a-z0-9_]{0,62}$/, 'a name of lower-case letters, digits and _'),
    tls: checks.oneOf('auto', 'off', 'require', 'verify'),
    poolSize: checks.count,
    connectTimeoutMs: checks.count,
    statementTimeoutMs: checks.count,
    jobLeaseS: checks.count,
    hasWords: checks.flag,
    readonly: checks.flag,
  },
  defaults: {
    url: '',
    readUrl: '',
    schema: 'kebab',
    tls: 'auto',
    poolSize: 8,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 30_000,
    jobLeaseS: 60,
    hasWords: true,
    readonly: true,
  },
});
