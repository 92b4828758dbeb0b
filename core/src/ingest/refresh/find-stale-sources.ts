import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SeenPlace } from '../../contracts/seen-places.ts';
import {
  EXTERNAL,
  hasMoved,
  indexedSources,
  type SourceConfig,
  type SourceRoot,
} from '../../documents/source-roots.ts';
import { ABSENT, isOutOfReach, isStillUnreadable, parentOf, statOf } from '../scan/seen-places.ts';

/** The changes in the folder of one source since the last check. */
export interface StaleSource {
  readonly sourceId: string;
  readonly root: string;
  /** Whether links may lead out of the folder. */
  readonly linksOutside: boolean;
  /** The places seen last: all of them, or the relevant ones, which include at least those that differ. */
  readonly seen: readonly SeenPlace[];
  /** Reads everything that was seen last, if `seen` is not complete. */
  readonly seenWhole?: (() => Promise<readonly SeenPlace[]>) | undefined;
  /** Files to read again: with a different size or time, or changed during the last check. */
  readonly files: readonly string[];
  /** Directories whose names may have changed. */
  readonly directories: readonly string[];
  /** Whether an ignore file changed, so that every directory has to be walked. */
  readonly hasOtherRules: boolean;
  /** Files that no longer exist. */
  readonly gone: readonly string[];
}

/** What a check may cost. */
export interface CheckBudget {
  readonly ms: number;
  /** How many files and folders to compare. */
  readonly places: number;
}

/** Options of a check. */
export interface StaleSourcesOptions {
  /** Paths of each source where something is known to have happened; without it everything is compared. */
  readonly only?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** Unlimited by default. */
  readonly budget?: CheckBudget | undefined;
}

/** The sources with differences. */
export interface StaleSources {
  readonly sources: readonly StaleSource[];
  /** How many places were compared. */
  readonly checked: number;
  /** Whether the budget left any out. */
  readonly isPartial: boolean;
}

/** How many places are compared at a time; then other work may run, and the clock is read. */
const SLICE = 256;

/**
 * Compares the folders of all sources with what was last seen in them, by sizes and times alone. Sources that were never walked, are not
 * folders, have moved or are missing count as unchanged: a search reports those itself. Comparing takes 4 µs per place, in slices of about a
 * millisecond. Within a budget, directories and ignore files come first, as they reveal new, renamed and deleted files, then the files that
 * changed last.
 */
export async function findStaleSources(
  store: Pick<DocumentStore, 'indexedRoots' | 'seenPlaces'>,
  config: SourceConfig,
  { only, budget }: StaleSourcesOptions = {},
): Promise<StaleSources> {
  const sources: StaleSource[] = [];
  let [checked, remainingMs, isPartial] = [0, budget?.ms ?? Infinity, false];
  for (const source of await foldersOf(config, store)) {
    const paths = only?.get(source.id);
    if (only !== undefined && paths === undefined) continue;
    if (statOf(source.root, '')?.isDirectory() !== true) continue;
    const room = budget === undefined ? Infinity : Math.max(SLICE, budget.places - checked);
    const scope = paths === undefined ? (room < Infinity ? { newest: room + 1 } : undefined) : { paths: [...paths] };
    const places = await store.seenPlaces(source.id, scope);
    const started = performance.now();
    const comparison = new Comparison(source);
    let compared = 0;
    // The first slice is always compared, so that a slow disk cannot hide every change.
    while (compared < Math.min(room, places.length) && (compared === 0 || performance.now() - started < remainingMs)) {
      if (compared > 0) await new Promise((resolve) => setImmediate(resolve));
      const slice = places.slice(compared, Math.min(room, compared + SLICE));
      for (const place of slice) comparison.add(place);
      compared += slice.length;
    }
    remainingMs -= performance.now() - started;
    checked += compared;
    isPartial ||= compared < places.length;
    const stale = comparison.result;
    if (stale === null) continue;
    sources.push(scope === undefined ? { ...stale, seen: places } : await withNeighbours(stale, store));
  }
  return { sources, checked, isPartial };
}

/** The sources whose folders can be compared with what was seen in them; moved sources are excluded. */
async function foldersOf(
  config: SourceConfig,
  store: Pick<DocumentStore, 'indexedRoots'>,
): Promise<readonly SourceRoot[]> {
  const sources = [...(await indexedSources(config, store)).values()];
  return sources.filter((source) => source.connector === 'fs' && source.id !== EXTERNAL && !hasMoved(source));
}

/** The documents of files that a check found changed, before these are read again: an edited document gets another id. */
export async function documentsIn(
  sources: readonly StaleSource[],
  store: Pick<DocumentStore, 'knownDocuments'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { sourceId, files } of sources)
    for (const { docId } of (await store.knownDocuments(sourceId, files)).values()) found.push(docId);
  return found;
}

/**
 * Adds to a check of some places what else was seen in the changed directories: the cost of a save depends on what it changes, not on the
 * size of the tree.
 */
async function withNeighbours(stale: StaleSource, store: Pick<DocumentStore, 'seenPlaces'>): Promise<StaleSource> {
  const { sourceId, directories: inside, files, gone, hasOtherRules } = stale;
  const seenWhole = (): Promise<readonly SeenPlace[]> => store.seenPlaces(sourceId);
  if (hasOtherRules || gone.length > 0) return { ...stale, seen: await seenWhole() };
  if (inside.length === 0) return { ...stale, seenWhole };
  return { ...stale, seen: await store.seenPlaces(sourceId, { paths: files, inside }), seenWhole };
}

/** The places of one source that differ from what was seen there. */
class Comparison {
  readonly #source: Pick<SourceRoot, 'id' | 'root' | 'linksOutside'>;
  readonly #seen: SeenPlace[] = [];
  readonly #files: string[] = [];
  readonly #gone: string[] = [];
  readonly #directories = new Set<string>();
  #hasOtherRules = false;

  constructor(source: Pick<SourceRoot, 'id' | 'root' | 'linksOutside'>) {
    this.#source = source;
  }

  /** Null when nothing differs. */
  get result(): StaleSource | null {
    if (this.#seen.length === 0) return null;
    const { id, root, linksOutside } = this.#source;
    return {
      sourceId: id,
      root,
      linksOutside,
      seen: this.#seen,
      files: this.#files,
      directories: [...this.#directories],
      hasOtherRules: this.#hasOtherRules,
      gone: this.#gone,
    };
  }

  add(place: SeenPlace): void {
    const { path, kind, size, mtimeMs } = place;
    if (kind === 'other') return;
    const { root } = this.#source;
    const stat = statOf(root, path);
    if (stat === null ? isOutOfReach(root, path) : isStillUnreadable(root, place)) return;
    if (kind === 'directory') {
      // A link to a directory can lose its target while the directory that contains the link stays unchanged.
      if (stat?.isDirectory() !== true) this.#directories.add(parentOf(path) ?? '').add(path);
      else if (stat.mtimeMs !== mtimeMs) this.#directories.add(path);
      else return;
    } else {
      const isThere = stat?.isFile() === true;
      if (kind === 'left_out' && isThere) return;
      if (kind !== 'left_out' && (isThere ? stat.size === size && stat.mtimeMs === mtimeMs : size === ABSENT)) return;
      if (kind === 'rules') this.#hasOtherRules = true;
      else if (isThere) this.#files.push(path);
      else this.#gone.push(path);
    }
    this.#seen.push(place);
  }
}
