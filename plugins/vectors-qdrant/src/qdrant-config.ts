import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

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

/** Checks the configuration by hand: a search must not load a schema library. */
export const qdrantConfigSchema: StandardSchema<QdrantConfig> = checkedConfig<QdrantConfig>({
  checks: {
    url: checks.httpUrl,
    apiKey: checks.text,
    collectionPrefix: checks.matching(/^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -'),
    onDisk: checks.flag,
    quantization: checks.oneOf('none', 'int8'),
    shardNumber: checks.optional(checks.count),
    replicationFactor: checks.optional(checks.count),
    timeoutMs: checks.count,
  },
  defaults: { apiKey: '', onDisk: false, quantization: 'none', timeoutMs: 30_000 },
});
