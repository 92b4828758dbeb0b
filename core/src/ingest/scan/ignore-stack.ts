import { isBuiltinIgnored } from './builtin-ignore.ts';
import type { IgnoreFile, Opinion } from './ignore-file.ts';

/** The counters of what a walk leaves out. */
export type ScanCounter = 'builtin_blacklist' | 'gitignore' | 'kebabignore' | 'excluded';

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
