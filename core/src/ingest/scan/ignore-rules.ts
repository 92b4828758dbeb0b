import ignore, { type Ignore } from 'ignore';

/** The counters of what a walk leaves out. */
type ScanCounter = 'builtin_blacklist' | 'gitignore' | 'kebabignore' | 'excluded';

/**
 * The ignore rules in force in one directory: the built-in list, then every `.gitignore`, then every `.kebabignore`, each
 * from the root of the source down. The last rule that matches decides, so a `.kebabignore` can bring back what the
 * others drop; nothing comes back below a directory that is left out.
 */
export class IgnoreStack {
  readonly #git: readonly IgnoreFile[];
  readonly #kebab: readonly IgnoreFile[];

  constructor(git: readonly IgnoreFile[] = [], kebab: readonly IgnoreFile[] = []) {
    this.#git = git;
    this.#kebab = kebab;
  }

  /** The stack with the ignore files of one more directory on top. */
  with(files: { readonly git?: IgnoreFile | undefined; readonly kebab?: IgnoreFile | undefined }): IgnoreStack {
    if (files.git === undefined && files.kebab === undefined) return this;
    return new IgnoreStack(
      files.git === undefined ? this.#git : [...this.#git, files.git],
      files.kebab === undefined ? this.#kebab : [...this.#kebab, files.kebab],
    );
  }

  /**
   * Why an entry is left out, or null when it is not. When several layers would drop it alone, the first of built-in,
   * `.gitignore`, `.kebabignore` is named. The path of a directory ends with a slash; `name` is its last segment.
   */
  verdict(path: string, name: string): ScanCounter | null {
    const builtin: Opinion = isBuiltinIgnored(name, path.endsWith('/')) ? 'ignore' : null;
    const git = lastOpinion(this.#git, path);
    const kebab = lastOpinion(this.#kebab, path);
    if ((kebab ?? git ?? builtin) !== 'ignore') return null;
    if (builtin === 'ignore') return 'builtin_blacklist';
    return git === 'ignore' ? 'gitignore' : 'kebabignore';
  }

  /** The stack to use inside a directory that is not left out, whose path ends with a slash. */
  inside(directory: string): IgnoreStack {
    const overruled = (file: IgnoreFile): boolean => file.opinion(directory) === 'ignore';
    if (!this.#git.some(overruled) && !this.#kebab.some(overruled)) return this;
    const overrule = (file: IgnoreFile): IgnoreFile => (overruled(file) ? file.overruledAt(directory) : file);
    return new IgnoreStack(this.#git.map(overrule), this.#kebab.map(overrule));
  }
}

function lastOpinion(files: readonly IgnoreFile[], path: string): Opinion {
  for (let i = files.length - 1; i >= 0; i--) {
    const opinion = files[i]?.opinion(path) ?? null;
    if (opinion !== null) return opinion;
  }
  return null;
}

/** What a set of rules says of a path; null when no rule matches. */
type Opinion = 'ignore' | 'keep' | null;

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

const DIRECTORIES = new Set([
  '.git',
  '.kebab',
  '.kebab.bak',
  'node_modules',
  'target',
  '__pycache__',
  '.venv',
  'venv',
  'env',
]);
const NAMES = new Set(['.DS_Store', '.kebabignore', 'kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml']);

/**
 * Whether kebab leaves an entry of this name out by itself: version control, dependencies, build output, virtual
 * environments, files of the operating system, and its own ignore and configuration files and knowledge bases.
 */
function isBuiltinIgnored(name: string, isDirectory: boolean): boolean {
  return NAMES.has(name) || name.startsWith('._') || (isDirectory && DIRECTORIES.has(name));
}
