/** What stands in the database after kills and one whole ingest. */
export interface KillOutcome {
  /** Ingests that the kill met before they were done. */
  readonly killed: number;
  readonly errors: number;
  readonly files: number;
  /** What `PRAGMA integrity_check` says. */
  readonly integrity: string;
  readonly foreignKeys: number;
  readonly documents: number;
  /** Different places that documents come from. */
  readonly paths: number;
  readonly chunks: number;
  readonly chunkCounts: number;
  readonly fullTextRows: number;
  readonly chunksWithoutFullText: number;
  /** Chunks that have the place of another. */
  readonly twins: number;
  readonly vectors: {
    readonly committed: number;
    readonly pending: number;
    readonly tombstones: number;
    /** Vectors in the store inside the database. */
    readonly stored: number;
    readonly documentsWithout: number;
  };
  /** Files found by a word that no other file has. */
  readonly searchable: number;
  readonly missing: readonly string[];
}

/** Kills ingests of the files (text by path) at random moments, lets one run to its end, and examines the database. */
export declare function killIngests(options: {
  readonly bin: string;
  readonly files: ReadonlyMap<string, string>;
  readonly kills: number;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<KillOutcome>;

/** Markdown files of a few sections each: text by path. */
export declare function madeUp(count: number): ReadonlyMap<string, string>;

/** Whether every chunk has one committed vector in the store, and nothing else has. */
export declare function isEmbeddedWhole(outcome: KillOutcome): boolean;

/** Whether every document is there once, with its chunks and its full text. */
export declare function isWhole(outcome: KillOutcome): boolean;
