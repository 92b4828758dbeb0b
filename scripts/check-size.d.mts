/** Lines of code; `core` is a part of `besideTests`. */
export interface Lines {
  readonly besideTests: number;
  readonly core: number;
  readonly tests: number;
}

/** Counts the lines of code in a checkout, from the text of each of its files by path. */
export declare function countLines(texts: ReadonlyMap<string, string>): Lines;

/** The source files that exactly one other source file imports, and that are no entries, from the text of each source file by path. */
export declare function filesWithOneImporter(
  sources: ReadonlyMap<string, string>,
  entries: ReadonlySet<string>,
): readonly string[];
