import { statSync } from 'node:fs';
import type { CallContext } from '../../contracts/contribution.ts';
import type { SeenPlace } from '../../contracts/seen-places.ts';
import type { SourceEntry, SourceFile, SourceScope } from '../../contracts/source-connector.ts';
import { locateFile, millisecondsOf } from '../../documents/locate-file.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { sourceFile } from '../scan/list-directory.ts';
import { UNFOLLOWED } from '../scan/walk-tree.ts';
import type { WalkedSource } from '../run/scan-sources.ts';
import type { StaleSource } from './find-stale-sources.ts';
import {
  ABSENT,
  isRules,
  leftOut,
  mayBeThere,
  parentOf,
  seenBeside,
  seenBrokenLink,
  seenDirectory,
  seenUnreadable,
} from '../scan/seen-places.ts';

/** The changes of one source to ingest, and the record of seen places afterwards. */
export interface SourceChanges {
  readonly sourceId: string;
  /** New and changed files, and what could not be read: new names first, then the newest. */
  readonly entries: readonly SourceEntry[];
  /** Recorded paths that no longer exist. */
  readonly gone: readonly string[];
  /** The current state of directories and ignore files. */
  readonly places: readonly SeenPlace[];
  /** The number of files on record, and how many of these are gone. */
  readonly known: number;
  readonly goneFiles: number;
}

/**
 * Walks the directories of a source that a check found changed, by the rules of an ingest, and lists what is new, changed and gone. All
 * directories are walked if they can affect each other: through changed ignore rules, and through links to directories, where each
 * directory is entered only by the first link to it. If something is gone, everything that was seen is compared.
 */
export async function findChanged(
  stale: StaleSource,
  source: Pick<WalkedSource, 'include' | 'exclude' | 'connector'>,
  call: CallContext & { readonly lookedAtMs: number },
): Promise<SourceChanges> {
  const hasLinks =
    stale.directories.length > 0 && stale.seen.some(({ kind, size }) => kind === 'directory' && size === 1);
  let changes: SourceChanges | 'all' = stale.hasOtherRules || hasLinks ? 'all' : await walkChanged(stale, source, call);
  if (changes !== 'all' && (changes.gone.length === 0 || stale.seenWhole === undefined)) return changes;
  const seen = (await stale.seenWhole?.()) ?? stale.seen;
  if (changes !== 'all') changes = await walkChanged({ ...stale, seen }, source, call);
  if (changes !== 'all') return changes;
  return (await walkChanged({ ...stale, seen, hasOtherRules: true }, source, call)) as SourceChanges;
}

/** The result is `all` when it turns out that every directory has to be walked. */
async function walkChanged(
  stale: StaleSource,
  { include, exclude, connector }: Pick<WalkedSource, 'include' | 'exclude' | 'connector'>,
  call: CallContext & { readonly lookedAtMs: number },
): Promise<SourceChanges | 'all'> {
  const { root, seen } = stale;
  const known = new Map(seen.map((place) => [place.path, place]));
  const listed = new Listed(stale);
  const present = { files: new Set<string>(), directories: new Set<string>() };
  const places: SeenPlace[] = [];
  const entries: SourceEntry[] = [];
  const unread = new Set<string>();
  let isLinked = false;
  const scope: SourceScope = {
    root,
    include,
    exclude,
    enters: (path) => {
      present.directories.add(path.slice(0, -1));
      return listed.leadsTo(path.slice(0, -1));
    },
    onDirectory: (path, mtimeMs) => {
      const directory = path.slice(0, -1);
      if (!listed.has(directory)) return;
      const place = seenDirectory(root, path, { mtimeMs, lookedAtMs: call.lookedAtMs });
      isLinked ||= place.size === 1;
      places.push(place);
    },
  };
  // A connector follows links of folders that it was asked to walk.
  for await (const entry of listed.size === 0 ? [] : connector.scan(scope, call)) {
    throwIfCancelled(call.signal, 'refresh');
    const path = entry.workspacePath;
    if (entry.kind === 'error') unread.add(path);
    if (path === '.' || !listed.has(parentOf(path) ?? '')) continue;
    const before = known.get(path);
    if (isRules(path) && before === undefined && !stale.hasOtherRules) return 'all';
    if (isRules(path) || entry.kind !== 'file') {
      const beside = seenBeside(root, path, call.lookedAtMs);
      if (beside !== null) places.push(beside);
      const isFollowed = entry.kind !== 'skipped' || entry.counter !== UNFOLLOWED;
      if (isFollowed && beside?.size !== ABSENT) present.files.add(path);
      if (entry.kind === 'error' && before === undefined) entries.push(entry);
    } else {
      present.files.add(path);
      const listedMs = known.get(parentOf(path) ?? '')?.mtimeMs ?? -1;
      if (before === undefined || !isAsBefore(entry, before, listedMs)) entries.push(entry);
    }
  }
  if (isLinked && !stale.hasOtherRules) return 'all';
  for (const path of stale.files) {
    if (listed.has(parentOf(path) ?? '')) continue; // the walk found it, or it is excluded now
    const file = locateFile(stale, path);
    if (file !== null) entries.push(sourceFile(path, file.path, statSync(file.path, { bigint: true })));
  }
  const missed = goneFrom(stale, present, listed);
  const kept = new Set(missed.filter((path) => holdsDocument(known.get(path)) && mayBeThere(stale, path)));
  for (const path of kept) places.push(leftOut(path));
  const gone = new Set(missed.filter((path) => !kept.has(path)));
  for (const path of gone) if (!listed.has(parentOf(path) ?? '')) places.push(...seenBrokenLink(root, path));
  const files = seen.filter(({ kind, size }) => kind === 'file' && size !== ABSENT);
  return {
    sourceId: stale.sourceId,
    entries: inOrder(entries, (path) => known.has(path)),
    gone: [...gone],
    places: places.map((place) => (unread.has(place.path) ? seenUnreadable(root, place) : place)),
    known: files.length,
    goneFiles: files.filter(({ path }) => gone.has(path)).length,
  };
}

/** Recorded paths that were not found, including everything below a deleted directory. */
function goneFrom(
  { seen, gone }: StaleSource,
  present: { readonly files: ReadonlySet<string>; readonly directories: ReadonlySet<string> },
  listed: Listed,
): readonly string[] {
  const all = new Set(gone.filter((path) => !present.files.has(path)));
  const directories = new Set<string>();
  // Sorted by path, so that a directory comes before its content.
  for (const { path, kind } of seen) {
    const parent = parentOf(path);
    if (parent === undefined) continue;
    const isBelow = directories.has(parent);
    const isThere = (kind === 'directory' ? present.directories : present.files).has(path);
    if (!isBelow && (isThere || !listed.has(parent))) continue;
    all.add(path);
    if (kind === 'directory') directories.add(path);
  }
  return [...all];
}

/** Documents of files that are ignored now are kept, as in an ingest. */
function holdsDocument(place: SeenPlace | undefined): boolean {
  return place?.kind === 'file' || place?.kind === 'left_out';
}

/** `listedMs` is the modification time of the file's directory when it was last listed: a newer link may lead to another file. */
function isAsBefore({ size, mtimeNs, linkChangedNs }: SourceFile, before: SeenPlace, listedMs: number): boolean {
  const isRelinked = linkChangedNs !== undefined && millisecondsOf(linkChangedNs) > listedMs;
  return before.size === size && before.mtimeMs === millisecondsOf(mtimeNs) && !isRelinked;
}

/** New names first, since a renamed file is lost under its old one; then most recently saved first, as most likely to be searched for. */
function inOrder(entries: readonly SourceEntry[], isKnown: (path: string) => boolean): readonly SourceEntry[] {
  const timeOf = (entry: SourceEntry): bigint =>
    entry.kind !== 'file' ? 0n : isKnown(entry.workspacePath) ? entry.mtimeNs : entry.mtimeNs + FAR_NS;
  const dated = entries.map((entry) => ({ entry, time: timeOf(entry) }));
  return dated.toSorted((a, b) => (a.time === b.time ? 0 : a.time > b.time ? -1 : 1)).map(({ entry }) => entry);
}

/** A thousand years. */
const FAR_NS = 31_556_952_000_000_000_000n;

/** The directories that have to be listed: those that changed, new ones, and those below deleted directories. */
class Listed {
  readonly #known: ReadonlySet<string>;
  readonly #changed: ReadonlySet<string>;
  readonly #above = new Set<string>();
  readonly #all: boolean;

  constructor({ seen, directories, hasOtherRules }: StaleSource) {
    this.#known = new Set(seen.flatMap(({ kind, path }) => (kind === 'directory' ? [path] : [])));
    this.#changed = new Set(directories);
    this.#all = hasOtherRules;
    for (const path of directories)
      for (let above = parentOf(path); above !== undefined; above = parentOf(above)) this.#above.add(above);
  }

  get size(): number {
    return this.#all ? Infinity : this.#changed.size;
  }

  /** Whether the content of a directory is compared: without changed directories there are no new ones. */
  has(directory: string): boolean {
    return this.#all || (this.size > 0 && (this.#changed.has(directory) || !this.#known.has(directory)));
  }

  /** Whether a directory is entered on the way to such a one. */
  leadsTo(directory: string): boolean {
    return this.has(directory) || this.#above.has(directory);
  }
}
