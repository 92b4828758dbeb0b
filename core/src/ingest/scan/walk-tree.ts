import { readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { SourceEntry, SourceScope } from '../../contracts/source-connector.ts';
import {
  sourceFile,
  type Child,
  listDirectory,
  type Place,
  unreadable,
  type UnreadableEntry,
} from './list-directory.ts';
import { IgnoreFile, IgnoreStack, rulesOf } from './ignore-rules.ts';

/** How a folder is walked, beside its scope. */
export interface WalkOptions {
  readonly followSymlinks: boolean;
  /** Absolute paths of directories that are no part of the tree. */
  readonly leaveOut: readonly string[];
}

/** A directory being walked; `next` is the position of its next child. */
interface OpenDirectory {
  readonly children: readonly (Child | UnreadableEntry)[];
  readonly stack: IgnoreStack;
  next: number;
}

/**
 * Walks a folder in code point order of its paths: one entry for each file and each directory left out, an `error` entry
 * for what cannot be read, `.` standing for the folder itself. No real directory is entered twice: a link to one of the tree is
 * not followed, one that leads out of it is.
 */
export class TreeWalk {
  readonly #root: string;
  readonly #scope: PathScope;
  readonly #followSymlinks: boolean;
  readonly #leftOut: ReadonlySet<string>;
  readonly #entered = new Set<string>();
  #realRoot: string | undefined;

  constructor(scope: SourceScope, options: WalkOptions) {
    this.#root = scope.root;
    this.#scope = new PathScope(scope);
    this.#followSymlinks = options.followSymlinks;
    this.#leftOut = new Set(options.leaveOut.map(identityOf).filter((identity) => identity !== null));
  }

  *entries(): Generator<SourceEntry> {
    // One generator with a stack of its own: nested ones would pass every entry through each of their levels.
    const open: OpenDirectory[] = [this.#open({ absolutePath: this.#root, path: '' }, new IgnoreStack())];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const child = top.children[top.next++];
      if (child === undefined) open.pop();
      else if (child.kind === 'error') yield child;
      else {
        const counter = this.#counter(child, top.stack);
        if (counter === undefined) continue;
        if (counter !== null) yield { kind: 'skipped', workspacePath: pathOf(child), counter };
        else if (child.kind === 'file') yield fileEntry(child);
        else open.push(this.#open(child, top.stack.inside(child.path)));
      }
    }
  }

  /** What a directory holds, to be walked; nothing when it was entered before. */
  #open(place: Place, outer: IgnoreStack): OpenDirectory {
    try {
      const listing = this.#enter(place) ? listDirectory(place, this.#followSymlinks) : [];
      return { ...withIgnoreFiles(outer, listing, place), next: 0 };
    } catch (error) {
      return { children: [unreadable(place.path === '' ? '.' : pathOf(place), error)], stack: outer, next: 0 };
    }
  }

  /** The counter that a child falls under when it is left out, null when it is not, undefined when it is no part of the tree. */
  #counter(child: Child, stack: IgnoreStack): string | null | undefined {
    const isDirectory = child.kind === 'directory';
    if (isDirectory && child.stat !== null && this.#isInside(child.absolutePath)) return undefined;
    if (isDirectory && this.#leftOut.size > 0 && this.#leftOut.has(identityOf(child.absolutePath) ?? ''))
      return undefined;
    const wanted = isDirectory ? this.#scope.wantsDirectory(child.path) : this.#scope.wantsFile(child.path);
    return stack.verdict(child.path, child.name) ?? (wanted ? null : 'excluded');
  }

  /** Whether a link leads to a directory of the tree itself, which the walk comes to by its own path. */
  #isInside(link: string): boolean {
    try {
      this.#realRoot ??= realpathSync(this.#root);
      const target = realpathSync(link);
      return target === this.#realRoot || target.startsWith(this.#realRoot + sep);
    } catch {
      return false;
    }
  }

  /** Notes a directory as entered; false when it was before, by whatever path. */
  #enter(place: Place): boolean {
    const identity = identityOf(place.absolutePath);
    if (identity === null || this.#entered.has(identity)) return identity === null;
    this.#entered.add(identity);
    return true;
  }
}

function fileEntry(child: Child): SourceEntry {
  try {
    return sourceFile(child.path, child.absolutePath, child.stat ?? statSync(child.absolutePath, { bigint: true }));
  } catch (error) {
    return unreadable(child.path, error);
  }
}

/** Names a directory by what it is rather than where; null when it cannot be read. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/** The rules in force in a directory with those of its own ignore files; one that cannot be read becomes an error. */
function withIgnoreFiles(
  outer: IgnoreStack,
  listing: readonly (Child | UnreadableEntry)[],
  place: Place,
): Pick<OpenDirectory, 'children' | 'stack'> {
  let children = listing;
  const read = (name: string): IgnoreFile | undefined => {
    const file = listing.find((child): child is Child => child.kind === 'file' && child.name === name);
    if (file === undefined) return undefined;
    try {
      return IgnoreFile.parse(readFileSync(file.absolutePath, 'utf8'), place.path);
    } catch (error) {
      children = children.map((child) => (child === file ? unreadable(file.path, error) : child));
      return undefined;
    }
  };
  const stack = outer.with({ git: read('.gitignore'), kebab: read('.kebabignore') });
  return { children, stack };
}

/** The path of an entry inside its source, without the slash that marks a directory. */
function pathOf({ path }: { readonly path: string }): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

const EVERYTHING = new Set(['**/*', '**', '*', '/**']);
const BELOW_A_FOLDER = /^\/?([^*?[\]\\!#\s]+\/)\*\*$/;

/** Answers which paths the configuration wants: `include` and `exclude`, in gitignore syntax, relative to the root. */
class PathScope {
  readonly #include: ReturnType<typeof rulesOf> | null;
  readonly #exclude: ReturnType<typeof rulesOf> | null;
  /** Where every exclusion has the form `folder/**`: the folders. A string comparison then spares most tests. */
  readonly #excludedFolders: readonly string[] | null;

  constructor(scope: Pick<SourceScope, 'include' | 'exclude'>) {
    const include = scope.include.map((pattern) => pattern.normalize('NFC'));
    const exclude = scope.exclude.map((pattern) => pattern.normalize('NFC'));
    this.#include = include.every((pattern) => EVERYTHING.has(pattern)) ? null : rulesOf(include);
    this.#exclude = exclude.length === 0 ? null : rulesOf(exclude);
    const folders = exclude.map((pattern) => BELOW_A_FOLDER.exec(pattern)?.[1]);
    this.#excludedFolders = folders.every((folder) => folder !== undefined) ? folders : null;
  }

  /** Whether a file is wanted. */
  wantsFile(path: string): boolean {
    return !this.#excludes(path) && this.#include?.ignores(path) !== false;
  }

  /** Whether something below a directory may be wanted; its path ends with a slash. */
  wantsDirectory(path: string): boolean {
    return !this.#excludes(path);
  }

  #excludes(path: string): boolean {
    if (this.#exclude === null) return false;
    if (this.#excludedFolders?.some((folder) => path.startsWith(folder)) === false) return false;
    return this.#exclude.ignores(path);
  }
}
