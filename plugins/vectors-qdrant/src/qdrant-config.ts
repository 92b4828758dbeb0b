import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** The Qdrant server, and the parameters of its collections. */
export interface QdrantConfig {
  /** `http://…` or `https://…`; the default port is Qdrant's, 6333. */
  readonly url: string;
  /** Sent with every request; empty for a server without authentication. */
  readonly apiKey: string;
  /** The first part of the names of collections. */
  readonly collectionPrefix: string;
  /** Whether the server keeps vectors on disk instead of in memory. */
  readonly onDisk: boolean;
  /** `int8`: the server searches codes in memory and rescores the best with the full vectors. */
  readonly quantization: 'none' | 'int8';
  /** Shards of a collection in a cluster; the server's default if omitted. */
  readonly shardNumber?: number;
  /** Replicas of every shard in a cluster; the server's default if omitted. */
  readonly replicationFactor?: number;
  /** How long one request may take. */
  readonly timeoutMs: number;
}

/** Validates the configuration without a schema library, which a search must not load. */
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
