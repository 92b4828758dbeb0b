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

/** Selects seen places: those at some paths, or those that a check should compare first. */
export type SeenScope =
  | {
      readonly paths: readonly string[];
      /** Everything directly inside these directories; the directories of the whole source are then returned as well. */
      readonly inside?: readonly string[] | undefined;
    }
  | {
      /** At most this many: directories, ignore files and left out files, then unsettled files, then those that changed last. */
      readonly newest: number;
    };

/** The differences that a later scan found: new or changed places, and paths that are gone. */
export interface SeenChanges {
  readonly put: readonly SeenPlace[];
  readonly remove: readonly string[];
}
