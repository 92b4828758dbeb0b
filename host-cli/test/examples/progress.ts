import type { IngestProgress } from '@kebab/core/app';
import { time } from './searches.ts';

type Bare<T> = T extends unknown ? Omit<T, 'schema_version' | 'ts'> : never;

/** An event with the members that all events have. */
export function event(bare: Bare<IngestProgress>): IngestProgress {
  return { schema_version: 'ingest_progress.v1', ts: time, ...bare };
}
