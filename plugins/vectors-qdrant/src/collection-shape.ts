import type { Schemas } from '@qdrant/js-client-rest';
import type { QdrantConfig } from './qdrant-config.ts';

/** The name of the one vector of each point. */
export const VECTOR = 'dense';

/** How a new collection is made. */
export function newCollection(config: QdrantConfig, dimensions: number): Schemas['CreateCollection'] {
  const { onDisk, quantization, shardNumber, replicationFactor } = config;
  return {
    vectors: { [VECTOR]: { size: dimensions, distance: 'Cosine', on_disk: onDisk } },
    on_disk_payload: true,
    ...(quantization === 'int8'
      ? { quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } } }
      : {}),
    ...(shardNumber === undefined ? {} : { shard_number: shardNumber }),
    ...(replicationFactor === undefined
      ? {}
      : { replication_factor: replicationFactor, write_consistency_factor: majorityOf(replicationFactor) }),
  };
}

/**
 * Reads that see every write: of several copies a majority is written before a call returns, so that a majority knows. Nothing
 * is asked for where there is one copy.
 */
export function readConsistency({ replicationFactor = 1 }: QdrantConfig): { readonly consistency?: 'majority' } {
  return replicationFactor > 1 ? { consistency: 'majority' } : {};
}

/** How a search is made: wide enough for a recall of 0.99, quantised vectors ordered by the vectors themselves. */
export function searchParameters({ quantization }: QdrantConfig, limit: number): Schemas['SearchParams'] {
  return {
    hnsw_ef: Math.max(256, limit * 2),
    ...(quantization === 'int8' ? { quantization: { rescore: true, oversampling: 2 } } : {}),
  };
}

/** How many dimensions the vectors of a collection have; undefined when they were not made by kebab. */
export function dimensionsOf({ config }: Schemas['CollectionInfo']): number | undefined {
  const { vectors } = config.params;
  const shape = (vectors as Readonly<Record<string, { readonly size?: unknown } | undefined>> | undefined)?.[VECTOR];
  return typeof shape?.size === 'number' ? shape.size : undefined;
}

function majorityOf(copies: number): number {
  return Math.floor(copies / 2) + 1;
}
