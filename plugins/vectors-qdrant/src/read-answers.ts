import type { EmbeddingId, VectorHit, VectorRecord } from '@kebab/core';
import type { Schemas } from '@qdrant/js-client-rest';

import { VECTOR, vectorPayloadOf, type PointPayload, chunkIdOf } from './payload.ts';

// These functions validate responses before they are used, and throw an error that describes the problem. Undefined passes, since a missing
// result has its own error.

/** The maximum cosine, given the server's rounding. */
const MAX_SCORE = 1.01;

/** A page of points, and the start of the next one. */
export interface Page<T> {
  readonly points: readonly T[];
  readonly next: string | number | undefined;
}

/** The hits of a search. */
export function readHits(result: unknown): readonly VectorHit[] | undefined {
  if (result === undefined) return undefined;
  return pointsOf(result).map((point) => {
    const { id, payload, score } = point;
    if (typeof score !== 'number' || !(Math.abs(score) <= MAX_SCORE))
      throw new Error('it found a point whose score is no cosine');
    return { embeddingId: embeddingIdOf(payload), chunkId: chunkIdOf(idOf(id)), score };
  });
}

/** A page of the embedding ids of points; a point without such an id was not written by kebab, or is damaged, and is skipped. */
export function readIds(result: unknown): Page<EmbeddingId> | undefined {
  const page = readPage(result, ({ payload }) => (payload as Partial<PointPayload> | null | undefined)?.embedding_id);
  return page === undefined ? undefined : { ...page, points: page.points.filter((id) => typeof id === 'string') };
}

/** A page of points with their vectors. */
export function readRecords(result: unknown, dimensions: number): Page<VectorRecord> | undefined {
  return readPage(result, (point) => recordOf(point, dimensions));
}

/** Points requested by id, without missing ones. */
export function readPoints(result: unknown, dimensions: number): readonly VectorRecord[] | undefined {
  if (result === undefined) return undefined;
  return pointsOf({ points: result }).map((point) => recordOf(point, dimensions));
}

function recordOf({ id, payload, vector }: Readonly<Record<string, unknown>>, dimensions: number): VectorRecord {
  const point = objectOf(payload, 'a payload') as unknown as PointPayload;
  const known = vectorPayloadOf(point);
  const dense = objectOf(vector, 'a vector')[VECTOR];
  if (!Array.isArray(dense)) throw new Error('it sent a point without a vector');
  if (dense.length !== dimensions || !dense.every((number) => Number.isFinite(number)))
    throw new Error(`it sent a vector that is none of ${dimensions} numbers`);
  return {
    embeddingId: embeddingIdOf(payload),
    chunkId: chunkIdOf(idOf(id)),
    docId: point.doc_id,
    vector: Float32Array.from(dense as readonly number[]),
    ...(known === undefined ? {} : { payload: known }),
  };
}

/** The parameters of a collection. */
export function readShape(result: unknown): Schemas['CollectionInfo'] | undefined {
  if (result === undefined) return undefined;
  const { config, payload_schema: schema } = objectOf(result, 'a collection');
  objectOf(objectOf(config, 'a configuration')['params'], 'a configuration');
  objectOf(schema, 'a schema');
  return result as Schemas['CollectionInfo'];
}

/** The values of a key in each entry of a list of names. */
export function readNames(result: unknown, list: string, key: string): readonly string[] | undefined {
  if (result === undefined) return undefined;
  return listOf(result, list).map((entry) => {
    const name = objectOf(entry, list)[key];
    if (typeof name !== 'string') throw new Error(`it sent ${list} without names`);
    return name;
  });
}

/** The number of points. */
export function readCount(result: unknown): number | undefined {
  if (result === undefined) return undefined;
  const { count } = objectOf(result, 'a count');
  if (!Number.isSafeInteger(count) || (count as number) < 0) throw new Error('it sent a count that is none');
  return count as number;
}

function readPage<T>(result: unknown, read: (point: Readonly<Record<string, unknown>>) => T): Page<T> | undefined {
  if (result === undefined) return undefined;
  const points = pointsOf(result).map(read);
  const next = objectOf(result, 'a page')['next_page_offset'] ?? undefined;
  if (next === undefined) return { points, next };
  if (points.length === 0) throw new Error('it sent an empty page that is not the last');
  return { points, next: idOf(next) };
}

function pointsOf(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  return listOf(result, 'points').map((point) => objectOf(point, 'a point'));
}

function listOf(result: unknown, name: string): readonly unknown[] {
  const list = objectOf(result, name)[name];
  if (!Array.isArray(list)) throw new Error(`it sent no list of ${name}`);
  return list;
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(`it sent ${what} that is none`);
  return value as Readonly<Record<string, unknown>>;
}

function idOf(id: unknown): string | number {
  if (typeof id !== 'string' && typeof id !== 'number') throw new Error('it sent a point without an id');
  return id;
}

function embeddingIdOf(payload: unknown): EmbeddingId {
  const { embedding_id: id } = objectOf(payload, 'a payload');
  if (typeof id !== 'string') throw new Error('it sent a point without the id of its embedding');
  return id as EmbeddingId;
}
