/**
 * What a look at a folder saw at a path inside a source. `rules` is an ignore file, `left_out` a file whose document stays although it
 * is ignored by now, `other` a file that nothing reads. The path of the root is empty, and no path of a directory ends with a slash.
 */
export interface SeenPlace {
  readonly path: string;
  readonly kind: 'directory' | 'rules' | 'file' | 'left_out' | 'other';
  /** Bytes; of a directory 0, or 1 where a link leads to it. */
  readonly size: number;
  /** Milliseconds since 1970 with their fraction. Negative where size and time prove nothing: the place has to be looked into again. */
  readonly mtimeMs: number;
}

/** Which of the places that were seen are asked for. */
export interface SeenScope {
  readonly paths: readonly string[];
  /** Everything that lies directly in these directories; then the directories of the whole source are given, too. */
  readonly inside?: readonly string[] | undefined;
}

/** How much of what was seen in a source is asked for, where it has more places than one look compares. */
export interface SeenShareSize {
  /** A source of no more places is given whole. */
  readonly whole: number;
  /** How many of each kind are given in any case, those with the newest times first. */
  readonly newest: Readonly<Partial<Record<SeenPlace['kind'], number>>>;
  /** The path from which on, in the order of paths, others are given; empty for all. */
  readonly from: string;
  /** How many are given in all, a third of them from there on in any case. */
  readonly share: number;
}

/** A share of what was seen in a source. */
export interface SeenShare {
  /** The newest of each kind; nothing of a source that is given whole. */
  readonly newest: readonly SeenPlace[];
  /** In the order of paths: those from there on, or everything. Places among the newest are among them, too. */
  readonly following: readonly SeenPlace[];
  /** Whether these are the last. */
  readonly isEnd: boolean;
  /** How many places the source has; null where that was not counted, which is done for the first share of a round alone. */
  readonly total: number | null;
}

/** What a later look found to be otherwise: places that are new or changed, and paths that are gone. */
export interface SeenChanges {
  readonly put: readonly SeenPlace[];
  readonly remove: readonly string[];
}
