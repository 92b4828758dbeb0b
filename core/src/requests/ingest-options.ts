import type { AbortOptions } from '../contracts/contribution.ts';
import type { IngestProgress } from '../wire/index.ts';

/** Which sources an ingest walks, how thoroughly it looks, and who follows it. */
export interface IngestOptions extends AbortOptions {
  /** Ids of the sources to walk; all by default. */
  readonly sources?: readonly string[];
  /** Leaves the items out of the report. */
  readonly summaryOnly?: boolean;
  readonly forceReingest?: boolean;
  /** Hashes every file, also those whose size and time say they are unchanged. */
  readonly verify?: boolean;
  readonly allowMassDelete?: boolean;
  /** Receives every event; an exception it throws is ignored. */
  readonly onProgress?: (event: IngestProgress) => void;
}
