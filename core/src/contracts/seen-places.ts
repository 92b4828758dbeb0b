/**
 * A place as a scan saw it, at a path inside a source. `rules` is an ignore file, `left_out` a file that is ignored now but whose document
 * is kept, `other` a file that nothing reads. The path of the root is empty, and no directory path ends with a slash.
 */
export interface SeenPlace {
  readonly path: string;
  readonly kind: 'directory' | 'rules' | 'file' | 'left_out' | 'other';
  /** In bytes; for a directory 0, or 1 when it is reached through a link. */
  readonly size: number;
  /** Milliseconds since 1970, with fraction. Negative when size and time prove nothing: the place has to be examined again. */
  readonly mtimeMs: number;
}

/** Selects seen places. */
export interface SeenScope {
  readonly paths: readonly string[];
  /** Everything directly inside these directories; the directories of the whole source are then returned as well. */
  readonly inside?: readonly string[] | undefined;
}

/** The size of the requested share, for a source with more places than one scan compares. */
export interface SeenShareSize {
  /** A source with at most this many places is returned whole. */
  readonly whole: number;
  /** How many of each kind to return in any case, newest times first. */
  readonly newest: Readonly<Partial<Record<SeenPlace['kind'], number>>>;
  /** The path, in path order, after which further places are returned; empty for the beginning. */
  readonly from: string;
  /** How many places to return in all, at least a third of them from that path on. */
  readonly share: number;
}

/** A share of the places seen in a source. */
export interface SeenShare {
  /** The newest of each kind; empty for a source that is returned whole. */
  readonly newest: readonly SeenPlace[];
  /** In path order: the places from that path on, or all of them. They may include places that are also among the newest. */
  readonly following: readonly SeenPlace[];
  /** Whether these are the last ones. */
  readonly isEnd: boolean;
  /** The number of places in the source; null when not counted, as only the first share of a round counts them. */
  readonly total: number | null;
}

/** The differences that a later scan found: new or changed places, and paths that are gone. */
export interface SeenChanges {
  readonly put: readonly SeenPlace[];
  readonly remove: readonly string[];
}
