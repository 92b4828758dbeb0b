import type { AbortOptions } from '@kebab/core';
import type { Schemas } from '@qdrant/js-client-rest';
import type { QdrantCollections } from './qdrant-collections.ts';
import type { QdrantConnection } from './qdrant-connection.ts';
import { isRefusedWrite, refusedWrite } from './qdrant-failure.ts';

const UPSERT_POINTS = 256;

/** The collection that is written to, by the name that kebab gives it. */
interface WriteTarget {
  readonly connection: QdrantConnection;
  readonly collections: QdrantCollections;
  readonly name: string;
}

/** Writes points in batches; one that the server refuses is halved, down to single points: proxies and servers limit the size of a request. */
export async function writePoints(
  target: WriteTarget,
  points: readonly Schemas['PointStruct'][],
  options: AbortOptions,
): Promise<void> {
  for (const batch of batches(points, UPSERT_POINTS)) await writeBatch(target, batch, options);
}

async function writeBatch(
  target: WriteTarget,
  points: readonly Schemas['PointStruct'][],
  options: AbortOptions,
): Promise<void> {
  const { connection, collections, name } = target;
  const body = { collection_name: await collections.nameOf(name), wait: true, points: [...points] };
  try {
    const written = await connection.ask(
      'writing vectors',
      async (api, init) => (await api.upsertPoints(body, init)).data.result,
      options,
    );
    if (written === undefined) throw await collections.missing(name);
  } catch (error) {
    if (!isRefusedWrite(error)) throw error;
    if (points.length === 1) throw refusedWrite(connection.endpoint, error);
    for (const half of batches(points, Math.ceil(points.length / 2))) await writeBatch(target, half, options);
  }
}

/** Consecutive parts of a list. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
