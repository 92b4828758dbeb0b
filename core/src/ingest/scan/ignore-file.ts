import ignore, { type Ignore } from 'ignore';

/** What a set of rules says of a path; null when no rule matches. */
export type Opinion = 'ignore' | 'keep' | null;

/** Makes a matcher of gitignore rules. Letter case counts, whatever the file system thinks of it. */
export function rulesOf(patterns: string | readonly string[]): Ignore {
  return ignore({ ignorecase: false }).add(patterns);
}

/** The rules of one ignore file; they concern the directory it lies in and everything below. */
export class IgnoreFile {
  readonly #rules: Ignore;
  readonly #directory: string;

  /** `directory` is the path of the file's directory inside the source, with a trailing slash; empty for the root. */
  constructor(rules: Ignore, directory: string) {
    this.#rules = rules;
    this.#directory = directory;
  }

  /** Reads the text of an ignore file. */
  static parse(text: string, directory: string): IgnoreFile {
    const rules = text.startsWith('\uFEFF') ? text.slice(1) : text;
    return new IgnoreFile(rulesOf(rules.normalize('NFC')), directory);
  }

  /** What the last matching rule says of a path below the directory; a directory's path ends with a slash. */
  opinion(path: string): Opinion {
    const result = this.#rules.test(path.slice(this.#directory.length));
    return result.ignored ? 'ignore' : result.unignored ? 'keep' : null;
  }

  /**
   * The same rules, overruled in one directory which stronger rules brought back: what lies below it is judged by the
   * rules that match it, no longer by the one that matched the directory.
   */
  overruledAt(directory: string): IgnoreFile {
    const path = directory.slice(this.#directory.length, -1).replace(/[\\*?[\]!# ]/g, String.raw`\$&`);
    return new IgnoreFile(ignore({ ignorecase: false }).add(this.#rules).add(`!/${path}/`), this.#directory);
  }
}
