import type { SchemaIssue, StandardSchema } from '@kebab/core';

/** Where the Qdrant server is, and how collections are made on it. */
export interface QdrantConfig {
  /** `http://…` or `https://…`; without a port Qdrant's own, 6333. */
  readonly url: string;
  /** Sent with every request; empty for a server that asks for none. */
  readonly apiKey: string;
  /** The first part of the names of collections. */
  readonly collectionPrefix: string;
  /** Whether the server keeps vectors on disk instead of in memory. */
  readonly onDisk: boolean;
  /** `int8`: the server searches codes in memory and orders the best by the vectors themselves. */
  readonly quantization: 'none' | 'int8';
  /** Shards of a collection in a cluster; the server's own choice when left out. */
  readonly shardNumber?: number;
  /** Copies of every shard in a cluster; the server's own choice when left out. */
  readonly replicationFactor?: number;
  /** How long one request may take. */
  readonly timeoutMs: number;
}

type Check = (value: unknown) => string | undefined;

const isCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 1 ? undefined : 'expected a whole number from 1';

const CHECKS: Readonly<Record<keyof QdrantConfig, Check>> = {
  url: (value) => (typeof value === 'string' && isHttpUrl(value) ? undefined : 'expected an http or https URL'),
  apiKey: (value) => (typeof value === 'string' ? undefined : 'expected a string'),
  collectionPrefix: (value) =>
    typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? undefined : 'expected 1 to 64 letters, digits, _ or -',
  onDisk: (value) => (typeof value === 'boolean' ? undefined : 'expected a boolean'),
  quantization: (value) => (value === 'none' || value === 'int8' ? undefined : 'expected "none" or "int8"'),
  shardNumber: isCount,
  replicationFactor: isCount,
  timeoutMs: isCount,
};

const DEFAULTS = { apiKey: '', onDisk: false, quantization: 'none', timeoutMs: 30_000 };
const OPTIONAL: ReadonlySet<string> = new Set(['shardNumber', 'replicationFactor']);

/** Checks the configuration by hand: a search must not load a schema library. */
export const qdrantConfigSchema: StandardSchema<QdrantConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

function validate(value: unknown): { readonly value: QdrantConfig } | { readonly issues: readonly SchemaIssue[] } {
  if (typeof value !== 'object' || value === null) return { issues: [{ message: 'expected an object' }] };
  const given: Readonly<Record<string, unknown>> = { ...DEFAULTS, ...value };
  const issues = [
    ...Object.entries(CHECKS).flatMap(([key, check]): readonly SchemaIssue[] => {
      if (given[key] === undefined && OPTIONAL.has(key)) return [];
      const message = check(given[key]);
      return message === undefined ? [] : [{ message, path: [key] }];
    }),
    ...Object.keys(given)
      .filter((key) => !(key in CHECKS))
      .map((key): SchemaIssue => ({ message: 'unknown key', path: [key] })),
  ];
  return issues.length > 0 ? { issues } : { value: given as unknown as QdrantConfig };
}

function isHttpUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
