/** One query of a golden suite with everything that is expected of its hits and of its answer. */
export interface GoldenQuery {
  /** Unique in its suite. */
  readonly id: string;
  readonly query: string;
  readonly lang: string | null;
  readonly expectedDocIds: readonly string[];
  /** Stand in for ids: paths inside their source. */
  readonly expectedDocPaths: readonly string[];
  readonly expectedChunkIds: readonly string[];
  /** Stand in for ids: every chunk that intersects the range of one of them is expected. */
  readonly expectedUris: readonly string[];
  /** Exact parts of the answer. */
  readonly mustContain: readonly string[];
  /** What the answer must not contain. */
  readonly forbidden: readonly string[];
  /** False: the right answer is a refusal. */
  readonly answerable: boolean;
  readonly difficulty: string | null;
  /** Queries of one group are ways to ask the same, so they expect the same. */
  readonly group: string | null;
}
