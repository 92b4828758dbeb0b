import { readdirSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import type { SourceEntry, SourceScope } from '../../contracts/source-connector.ts';
import { millisecondsOf } from '../../documents/locate-file.ts';
import { isInside } from '../../files/read-regular-file.ts';
import { gitWorkTreeAt } from '../../git/git-facts.ts';
import type { GitFiles } from '../../schema/kind-settings.ts';
import {
  sourceFile,
  type Child,
  listDirectory,
  type Place,
  unreadable,
  type UnreadableEntry,
} from './list-directory.ts';
import { isSecondCheckout, repositoryRules, rulesAround } from './git-rules.ts';
import { readIgnoreFile, IgnoreStack, RulesHere } from './ignore-rules.ts';

/** How to walk a folder, besides its scope. */
export interface WalkOptions {
  readonly followSymlinks: boolean;
  /** Whether links may lead out of the root; false by default. */
  readonly linksOutside?: boolean | undefined;
  /** Absolute paths of directories that are not part of the tree. */
  readonly leaveOut: readonly string[];
  /** Where git reads the user's ignore rules; none by default. */
  readonly git?: GitFiles | undefined;
}

/** The counter of links that are not followed because they lead out of the source, or nowhere. */
export const UNFOLLOWED = 'unfollowed_link';

/** A directory being walked; `next` is the index of its next child. */
interface OpenDirectory {
  readonly children: readonly (Child | UnreadableEntry)[];
  readonly stack: IgnoreStack;
  readonly scope: ScopeHere;
  next: number;
}

/**
 * Walks a folder in code point order of its paths: one entry per file and per skipped directory, an `error` entry for what cannot be read,
 * with `.` for the folder itself. Links stay inside the folder: a link out of it is skipped unless allowed, as is a dangling one. No real
 * directory is entered twice: a link to a directory of the tree is not followed.
 */
export class TreeWalk {
  readonly #root: string;
  readonly #scope: ScopeHere;
  readonly #asked: Pick<SourceScope, 'onDirectory' | 'enters'>;
  readonly #followSymlinks: boolean;
  readonly #linksOutside: boolean;
  readonly #git: GitFiles | undefined;
  readonly #leftOut: ReadonlySet<string>;
  readonly #entered = new Set<string>();
  #realRoot: string | undefined;

  constructor(scope: SourceScope, options: WalkOptions) {
    this.#root = scope.root;
    this.#scope = ScopeHere.atRoot(scope);
    this.#asked = scope;
    this.#followSymlinks = options.followSymlinks;
    this.#linksOutside = options.linksOutside ?? false;
    this.#git = options.git;
    this.#leftOut = new Set(options.leaveOut.map(identityOf).filter((identity) => identity !== null));
  }

  *entries(): Generator<SourceEntry> {
    // One generator with its own stack: nested ones would pass every entry through each of their levels.
    const root = { absolutePath: this.#root, path: '' };
    const around = new IgnoreStack(this.#rulesAround());
    const open: OpenDirectory[] = [this.#open(root, { stack: around, scope: this.#scope })];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const child = top.children[top.next++];
      if (child === undefined) open.pop();
      else if (child.kind === 'error') yield child;
      else {
        const name = child.name.normalize('NFC');
        const counter = this.#counter(child, name, top);
        if (counter === undefined) continue;
        if (counter !== null) yield { kind: 'skipped', workspacePath: pathOf(child), counter };
        else if (child.kind === 'file') yield fileEntry(child);
        else if (this.#asked.enters?.(child.path) !== false)
          open.push(this.#open(child, { stack: top.stack.inside(name), scope: top.scope.inside(name) }));
      }
    }
  }

  /** The content of a directory, to be walked; nothing if it was entered before. */
  #open(place: Place, { stack, scope }: Pick<OpenDirectory, 'stack' | 'scope'>): OpenDirectory {
    try {
      const listing = this.#enter(place) ? listDirectory(place, this.#followSymlinks) : [];
      return { ...this.#withIgnoreFiles(this.#inRepository(place, stack, listing), listing), scope, next: 0 };
    } catch (error) {
      return { children: [unreadable(place.path === '' ? '.' : pathOf(place), error)], stack, scope, next: 0 };
    }
  }

  /** The rules from outside the tree; none if its root cannot be read. */
  #rulesAround(): readonly RulesHere[] {
    try {
      return rulesAround({ realRoot: this.#realRootPath(), git: this.#git });
    } catch {
      return [];
    }
  }

  /** The rules in a directory before its own ignore files: a repository inside the tree has only its own. */
  #inRepository(
    { absolutePath, path }: Place,
    stack: IgnoreStack,
    listing: readonly (Child | UnreadableEntry)[],
  ): IgnoreStack {
    const isTop = path !== '' && listing.some((child) => child.kind !== 'error' && child.name === '.git');
    const tree = isTop ? gitWorkTreeAt(absolutePath) : null;
    return tree?.kind === 'tree' ? stack.inRepository(repositoryRules(tree, this.#git)) : stack;
  }

  /** The rules in effect in a directory, including its own ignore files; an unreadable one becomes an error. */
  #withIgnoreFiles(
    outer: IgnoreStack,
    listing: readonly (Child | UnreadableEntry)[],
  ): Pick<OpenDirectory, 'children' | 'stack'> {
    let children = listing;
    const read = (name: string): RulesHere | undefined => {
      const file = listing.find((child): child is Child => child.kind === 'file' && child.name === name);
      if (file === undefined || (file.stat !== null && !this.#linksOutside && !this.#leadsInside(file.absolutePath)))
        return undefined;
      try {
        return readIgnoreFile(file.absolutePath, outer.length);
      } catch (error) {
        children = children.map((child) => (child === file ? unreadable(file.path, error) : child));
        return undefined;
      }
    };
    const stack = outer.with({ git: read('.gitignore'), kebab: read('.kebabignore') });
    return { children, stack };
  }

  /** The counter of a skipped child, null when it is not skipped, undefined when it is not part of the tree. */
  #counter(child: Child, name: string, { children, stack, scope }: OpenDirectory): string | null | undefined {
    const isDirectory = child.kind === 'directory';
    const isLink = child.stat !== null;
    const leadsOut = isLink && !this.#leadsInside(child.absolutePath);
    if (isDirectory && isLink && !leadsOut) return undefined;
    if (isDirectory && this.#leftOut.size > 0 && this.#leftOut.has(identityOf(child.absolutePath) ?? ''))
      return undefined;
    const wanted = isDirectory ? scope.wantsDirectory(name) : scope.wantsFile(name);
    const around = {
      beside: () => children.flatMap((other) => (other.kind === 'error' ? [] : [other.name])),
      inside: () => namesIn(child.absolutePath),
    };
    const counter = stack.verdict(name, isDirectory, around) ?? (wanted ? null : 'excluded');
    if (counter !== null) return counter;
    if (isDirectory && this.#isSecondCheckout(child.absolutePath)) return 'builtin_blacklist';
    return child.kind === 'broken_link' || (leadsOut && !this.#linksOutside) ? UNFOLLOWED : null;
  }

  /** Whether a link leads to something in the tree itself; the walk reaches a directory there by its own path. */
  #leadsInside(link: string): boolean {
    try {
      return isInside(realpathSync.native(link), this.#realRootPath());
    } catch {
      return false;
    }
  }

  #isSecondCheckout(directory: string): boolean {
    try {
      return isSecondCheckout(directory, this.#realRootPath());
    } catch {
      return false;
    }
  }

  #realRootPath(): string {
    return (this.#realRoot ??= realpathSync.native(this.#root));
  }

  /** Marks a directory as entered; false when it was entered before, by any path. */
  #enter(place: Place): boolean {
    const stat = statOrNull(place.absolutePath);
    if (stat === null) return true;
    const identity = `${stat.dev}:${stat.ino}`;
    if (this.#entered.has(identity)) return false;
    this.#entered.add(identity);
    this.#asked.onDirectory?.(place.path, millisecondsOf(stat.mtimeNs));
    return true;
  }
}

function fileEntry(child: Child): SourceEntry {
  try {
    const { path, absolutePath, stat, linkChangedNs } = child;
    const file = sourceFile(path, absolutePath, stat ?? statSync(absolutePath, { bigint: true }));
    return linkChangedNs === undefined ? file : { ...file, linkChangedNs };
  } catch (error) {
    return unreadable(child.path, error);
  }
}

/** The names in a directory; none if it cannot be read. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** The identity of a directory, independent of its path; null when it cannot be read. */
function identityOf(path: string): string | null {
  const stat = statOrNull(path);
  return stat === null ? null : `${stat.dev}:${stat.ino}`;
}

function statOrNull(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}

/** The path of an entry inside its source, without the trailing slash of a directory. */
function pathOf({ path }: { readonly path: string }): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

const EVERYTHING = new Set(['**/*', '**', '*', '/**']);

/**
 * Determines which entries of one directory the configuration includes: `include` and `exclude`, in gitignore syntax, relative to the root.
 */
class ScopeHere {
  /** Null when everything here is included. */
  readonly #include: RulesHere | null;
  readonly #exclude: RulesHere;

  private constructor(include: RulesHere | null, exclude: RulesHere) {
    this.#include = include;
    this.#exclude = exclude;
  }

  static atRoot(scope: Pick<SourceScope, 'include' | 'exclude'>): ScopeHere {
    const include = scope.include.map((pattern) => pattern.normalize('NFC'));
    const exclude = scope.exclude.map((pattern) => pattern.normalize('NFC'));
    const isWhole = include.every((pattern) => EVERYTHING.has(pattern));
    return new ScopeHere(isWhole ? null : RulesHere.of(include), RulesHere.of(exclude));
  }

  wantsFile(name: string): boolean {
    return this.#exclude.opinion(name, false) !== 'ignore' && this.#includes(name, false);
  }

  /** Whether something in a directory may be included. */
  wantsDirectory(name: string): boolean {
    return this.#exclude.opinion(name, true) !== 'ignore';
  }

  /** The scope inside an included directory; everything in an included directory is included. */
  inside(name: string): ScopeHere {
    const include = this.#includes(name, true) ? null : (this.#include?.inside(name) ?? null);
    const exclude = this.#exclude.inside(name);
    return include === this.#include && exclude === this.#exclude ? this : new ScopeHere(include, exclude);
  }

  #includes(name: string, isDirectory: boolean): boolean {
    return this.#include === null || this.#include.opinion(name, isDirectory) === 'ignore';
  }
}
