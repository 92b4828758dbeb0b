import type { AbortOptions } from '../contracts/contribution.ts';
import type { IngestRequest } from '../requests/ingest.ts';
import type { IngestProgress } from '../wire/index.ts';

/** Which sources an ingest walks, how thoroughly it looks, and who follows it. */
export interface IngestOptions extends AbortOptions, IngestRequest {
  /** Receives every event; an exception it throws is ignored. */
  readonly onProgress?: ((event: IngestProgress) => void) | undefined;
}
