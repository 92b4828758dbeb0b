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
export interface SourceLook {
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

/** Options of a check. */
export interface LookOptions {
  /** Paths of each source where something is known to have happened; without it everything is compared. */
  readonly only?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/**
 * Compares the folders of all sources with what was last seen in them, by sizes and times alone; returns the sources with differences.
 * Sources that were never walked, are not folders, have moved or are missing count as unchanged: a search reports those itself. A complete
 * check takes 4 µs per place, in slices of about a millisecond between which searches can run.
 */
export async function lookAround(
  store: Pick<DocumentStore, 'indexedRoots' | 'seenPlaces' | 'seenShare'>,
  config: SourceConfig,
  { only }: LookOptions = {},
): Promise<readonly SourceLook[]> {
  const looks: SourceLook[] = [];
  for (const source of await foldersOf(config, store)) {
    const reported = only?.get(source.id);
    if (only !== undefined && reported === undefined) continue;
    if (statOf(source.root, '')?.isDirectory() !== true) continue;
    const seen =
      reported === undefined
        ? stretches(store, source.id)
        : [await store.seenPlaces(source.id, { paths: [...reported] })];
    const look = await compare(source, seen);
    if (look !== null) looks.push(await withNeighbours(look, store));
  }
  return looks;
}

/** How many places are read and compared per slice. */
const STRETCH = 256;

/** Everything that was seen in a source, in slices. */
async function* stretches(
  store: Pick<DocumentStore, 'seenShare'>,
  sourceId: string,
): AsyncGenerator<readonly SeenPlace[]> {
  let last: string | null = null;
  for (;;) {
    const size = { whole: 0, newest: {}, from: last ?? '', share: STRETCH };
    const { following, isEnd } = await store.seenShare(sourceId, size);
    yield following.filter(({ path }) => path !== last);
    if (isEnd) return;
    last = following.at(-1)?.path ?? null;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The sources whose folders can be compared with what was seen in them; moved sources are excluded. */
export async function foldersOf(
  config: SourceConfig,
  store: Pick<DocumentStore, 'indexedRoots'>,
): Promise<readonly SourceRoot[]> {
  const sources = [...(await indexedSources(config, store)).values()];
  return sources.filter((source) => source.connector === 'fs' && source.id !== EXTERNAL && !hasMoved(source));
}

/** The documents of files that a check found changed, before these are read again: an edited document gets another id. */
export async function documentsIn(
  looks: readonly SourceLook[],
  store: Pick<DocumentStore, 'knownDocuments'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { sourceId, files } of looks)
    for (const { docId } of (await store.knownDocuments(sourceId, files)).values()) found.push(docId);
  return found;
}

/**
 * Adds to a check of some places what else was seen in the changed directories: the cost of a save depends on what it changes, not on the
 * size of the tree.
 */
export async function withNeighbours(look: SourceLook, store: Pick<DocumentStore, 'seenPlaces'>): Promise<SourceLook> {
  const { sourceId, directories: inside, files, gone, hasOtherRules } = look;
  const seenWhole = (): Promise<readonly SeenPlace[]> => store.seenPlaces(sourceId);
  if (hasOtherRules || gone.length > 0) return { ...look, seen: await seenWhole() };
  if (inside.length === 0) return { ...look, seenWhole };
  return { ...look, seen: await store.seenPlaces(sourceId, { paths: files, inside }), seenWhole };
}

/** Compares the given places of a source with what was seen there, part by part. Null when nothing differs. */
export async function compare(
  { id: sourceId, root, linksOutside }: Pick<SourceRoot, 'id' | 'root' | 'linksOutside'>,
  parts: Iterable<readonly SeenPlace[]> | AsyncIterable<readonly SeenPlace[]>,
): Promise<SourceLook | null> {
  const seen: SeenPlace[] = [];
  const files: string[] = [];
  const gone: string[] = [];
  const directories = new Set<string>();
  let hasOtherRules = false;
  for await (const part of parts)
    for (const place of part) {
      const { path, kind, size, mtimeMs } = place;
      if (kind === 'other') continue;
      const stat = statOf(root, path);
      if (stat === null ? isOutOfReach(root, path) : isStillUnreadable(root, place)) continue;
      if (kind === 'directory') {
        // A link to a directory can lose its target while the directory that contains the link stays unchanged.
        if (stat?.isDirectory() !== true) directories.add(parentOf(path) ?? '').add(path);
        else if (stat.mtimeMs !== mtimeMs) directories.add(path);
        else continue;
      } else {
        const isThere = stat?.isFile() === true;
        if (kind === 'left_out' && isThere) continue;
        if (kind !== 'left_out' && (isThere ? stat.size === size && stat.mtimeMs === mtimeMs : size === ABSENT))
          continue;
        if (kind === 'rules') hasOtherRules = true;
        else if (isThere) files.push(path);
        else gone.push(path);
      }
      seen.push(place);
    }
  if (seen.length === 0) return null;
  return { sourceId, root, linksOutside, seen, files, directories: [...directories], hasOtherRules, gone };
}
