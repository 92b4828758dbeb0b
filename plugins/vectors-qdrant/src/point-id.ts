import type { ChunkId } from '@kebab/core';

/** A chunk id as the UUID that names its point. */
export function pointIdOf(chunkId: ChunkId): string {
  return [
    chunkId.slice(0, 8),
    chunkId.slice(8, 12),
    chunkId.slice(12, 16),
    chunkId.slice(16, 20),
    chunkId.slice(20),
  ].join('-');
}

/** The chunk id of a point: its UUID without dashes. */
export function chunkIdOf(pointId: string | number): ChunkId {
  return String(pointId).replaceAll('-', '').toLowerCase() as ChunkId;
}
