import { setImmediate } from 'node:timers/promises';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { SeenPlace } from '../../contracts/seen-places.ts';
import type { SourceConnector, SourceEntry, SourceFile, SourceScope } from '../../contracts/source-connector.ts';
import {
  DEFAULT_SOURCE,
  defaultRoot,
  EXTERNAL,
  externalRoot,
  type IndexedRoots,
  type SourceConfig,
} from '../../documents/source-roots.ts';
import { extensionOf, MIN_HEAD_BYTES, mediaTypeOfFile, HEAD_BYTES } from '../../domain/media.ts';
import { invalidInput, nearestName } from '../../errors/invalid-input.ts';
import { firstBytes } from '../../files/read-regular-file.ts';
import type { SourceDefaults } from '../../extraction/stage-fingerprints.ts';
import type { IngestContext } from '../ingest-context.ts';
import { isRules, seenBeside, seenDirectory, seenFile } from '../scan/seen-places.ts';
import { isFileUri } from './document-parts.ts';
import { pathOfUri } from '../scan/list-directory.ts';
import { HOST_AGENT } from './report-builder.ts';
import { skipBySize } from '../scan/ignore-rules.ts';
import { UNFOLLOWED } from '../scan/walk-tree.ts';

/** A source with the connector that walks it. */
export interface WalkedSource extends IngestSource {
  readonly connector: SourceConnector;
}

/** The result of walking one source. */
export interface SourceScan {
  readonly source: WalkedSource;
  /** The files to process, in order. */
  readonly files: readonly SourceFile[];
  /** Files that are skipped because of their media type or size. */
  readonly unread: readonly SourceFile[];
  /** What a folder walk saw besides files: directories, ignore files, links; empty for other sources and without a clock. */
  readonly surroundings: readonly SeenPlace[];
  /** When the walk began; NaN without a clock. */
  readonly lookedAtMs: number;
  /** The paths of everything that exists, ingested or not, except links that are not followed. Computed on first access. */
  readonly present: ReadonlySet<string>;
  /** Everything seen in a folder, for later comparison; empty where {@link SourceScan.surroundings} is. Computed on first access. */
  readonly seen: readonly SeenPlace[];
  /** Why the root cannot be walked; null when it can. */
  readonly rootFailure: string | null;
}

type ScanContext = Pick<IngestContext, 'pipelines' | 'report' | 'config' | 'call'> &
  Partial<Pick<IngestContext, 'clock'>>;

/** The path by which a walk names the root itself. */
const ROOT = '.';
const UNREADABLE_ROOT = 'cannot read .: ';
/** After this many entries the event loop runs, so that signals and timers are handled during a walk. */
const ENTRIES_PER_TURN = 256;

/** Walks one source: returns the files with supported media types and sizes, and reports everything else. */
export async function scanSource(source: WalkedSource, context: ScanContext): Promise<SourceScan> {
  const { root, include, exclude, connector } = source;
  const lookedAtMs = context.clock?.now().getTime() ?? NaN;
  const isRecorded = source.connectorId === 'fs' && context.clock !== undefined;
  const files: SourceFile[] = [];
  const unread: SourceFile[] = [];
  const leftOut: string[] = [];
  const surroundings = new Map<string, SeenPlace>(); // keyed by path: a directory deleted while it is listed is seen, then missing
  const see = (place: SeenPlace): void => void surroundings.set(place.path, place);
  const onDirectory: SourceScope['onDirectory'] = (path, mtimeMs) => {
    if (isRecorded) see(seenDirectory(root, path, { mtimeMs, lookedAtMs }));
  };
  let entries = 0;
  let rootFailure: string | null = null;
  for await (const found of connector.scan({ root, include, exclude, onDirectory }, context.call)) {
    const entry = found.kind === 'file' ? recognised(found) : found.kind === 'error' ? named(found, source) : found;
    if (++entries % ENTRIES_PER_TURN === 0) await setImmediate();
    if (found.kind === 'error' && found.workspacePath === ROOT) rootFailure = found.message;
    const isRead = keeps(entry, source.id, context);
    if (entry.kind === 'file') (isRead ? files : unread).push(entry);
    else {
      if (entry.kind !== 'skipped' || entry.counter !== UNFOLLOWED) leftOut.push(entry.workspacePath);
      const place = isRecorded ? placeBeside(entry, { root, lookedAtMs }) : null;
      if (place !== null) see(place);
    }
  }
  const isOther = ({ mediaType }: SourceFile): boolean => context.pipelines.of(mediaType) === null;
  const found = { source, files, unread, surroundings: [...surroundings.values()], lookedAtMs, rootFailure };
  return new Walked(found, { leftOut, isRecorded, isOther });
}

/** A finished walk. `present` and `seen` list every file again, so they are computed lazily: a run without changes needs neither. */
class Walked implements SourceScan {
  readonly source: WalkedSource;
  readonly files: readonly SourceFile[];
  readonly unread: readonly SourceFile[];
  readonly surroundings: readonly SeenPlace[];
  readonly lookedAtMs: number;
  readonly rootFailure: string | null;
  readonly #rest: WalkedRest;
  #present: ReadonlySet<string> | undefined;
  #seen: readonly SeenPlace[] | undefined;

  constructor(found: Omit<SourceScan, 'present' | 'seen'>, rest: WalkedRest) {
    this.source = found.source;
    this.files = found.files;
    this.unread = found.unread;
    this.surroundings = found.surroundings;
    this.lookedAtMs = found.lookedAtMs;
    this.rootFailure = found.rootFailure;
    this.#rest = rest;
  }

  get present(): ReadonlySet<string> {
    if (this.#present !== undefined) return this.#present;
    const present = new Set(this.#rest.leftOut);
    for (const files of [this.files, this.unread]) for (const { workspacePath } of files) present.add(workspacePath);
    return (this.#present = present);
  }

  get seen(): readonly SeenPlace[] {
    if (this.#seen !== undefined) return this.#seen;
    const seen = new Map<string, SeenPlace>();
    for (const place of this.surroundings) seen.set(place.path, place);
    const { isRecorded, isOther } = this.#rest;
    for (const files of isRecorded ? [this.files, this.unread] : [])
      for (const file of files)
        seen.set(file.workspacePath, seenFile(file, isOther(file) ? 'other' : 'file', this.lookedAtMs));
    return (this.#seen = [...seen.values()]);
  }
}

/** What the lazily computed members of a finished walk are derived from. */
interface WalkedRest {
  /** The paths of existing entries that are not files to read. */
  readonly leftOut: readonly string[];
  /** Whether what was seen is stored for later comparison. */
  readonly isRecorded: boolean;
  /** Whether no extractor reads a file. */
  readonly isOther: (file: SourceFile) => boolean;
}

/** What is stored about an entry that is not a file; null if it is skipped whatever its content. */
function placeBeside(
  entry: Exclude<SourceEntry, SourceFile>,
  { root, lookedAtMs }: { readonly root: string; readonly lookedAtMs: number },
): SeenPlace | null {
  const path = entry.workspacePath;
  const isOfInterest = entry.kind === 'error' || entry.counter === UNFOLLOWED || isRules(path);
  return path !== ROOT && isOfInterest ? seenBeside(root, path, lookedAtMs) : null;
}

/** Determines the media type from the first bytes if the name does not reveal it. */
function recognised(file: SourceFile): SourceFile {
  if (file.mediaType.kind !== 'other' || file.size < MIN_HEAD_BYTES || !isFileUri(file.uri)) return file;
  const head = firstBytes(pathOfUri(file.uri), HEAD_BYTES);
  if (head === null) return file; // skipped because of its name
  const name = file.workspacePath.slice(file.workspacePath.lastIndexOf('/') + 1);
  return { ...file, mediaType: mediaTypeOfFile(name, head) };
}

/** Names the folder and the source in the error of an unreadable root, instead of ".". */
function named(
  entry: Extract<SourceEntry, { kind: 'error' }>,
  { id, root }: Pick<WalkedSource, 'id' | 'root'>,
): Extract<SourceEntry, { kind: 'error' }> {
  if (entry.workspacePath !== ROOT || !entry.message.startsWith(UNREADABLE_ROOT)) return entry;
  const reason = entry.message.slice(UNREADABLE_ROOT.length);
  return { ...entry, message: `the folder ${root} of source "${id}" cannot be read: ${reason}` };
}

/** Whether an entry is a file to process; all others are reported. */
function keeps(entry: SourceEntry, sourceId: string, { pipelines, report, config }: ScanContext): boolean {
  const { workspacePath } = entry;
  if (entry.kind === 'error') {
    report.fail({ sourceId, workspacePath, reason: entry.message, code: entry.code, agent: HOST_AGENT });
    return false;
  }
  if (entry.kind === 'skipped') {
    report.skip(sourceId, workspacePath, entry.counter);
    return false;
  }
  if (pipelines.of(entry.mediaType) === null) {
    report.skipUnsupported(sourceId, entry, extensionOf(workspacePath.slice(workspacePath.lastIndexOf('/') + 1)));
    return false;
  }
  const counter = skipBySize(entry.size, entry.mediaType, config);
  if (counter !== null) report.skip(sourceId, workspacePath, counter);
  return counter === null;
}

/** A source with its settings for an ingest. */
export interface IngestSource {
  readonly id: string;
  readonly root: string;
  /** The id of the source connector that walks it. */
  readonly connectorId: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly defaults: SourceDefaults;
}

/** The source `external`, which holds documents added by hand. */
export function externalSource(config: Pick<ResolvedConfig, 'storage'>): IngestSource {
  const defaults = { trustLevel: null, sourceType: null };
  return { id: EXTERNAL, root: externalRoot(config), connectorId: EXTERNAL, include: [], exclude: [], defaults };
}

/**
 * The sources to walk, `default` first and `external` last: the wanted ones, or all. Throws `invalid_input` for an id that is not
 * configured.
 */
export function sourcesToWalk(
  config: SourceConfig,
  indexed: IndexedRoots,
  wanted: readonly string[] | undefined,
): readonly IngestSource[] {
  const { include, exclude, sources } = config.workspace;
  const root = defaultRoot(config, indexed);
  const defaults = { trustLevel: null, sourceType: null };
  const all: readonly IngestSource[] = [
    ...(root === null ? [] : [{ id: DEFAULT_SOURCE, root, connectorId: 'fs', include, exclude, defaults }]),
    ...sources.map(({ trustLevel, sourceType, connector, ...source }) => ({
      ...source,
      connectorId: connector,
      defaults: { trustLevel, sourceType },
    })),
    externalSource(config),
  ];
  if (wanted === undefined) return all;
  const ids = all.map(({ id }) => id);
  const unknown = wanted.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw invalidInput(`there is no source ${JSON.stringify(unknown)}; the sources are ${ids.join(', ')}`, {
      field: 'source',
      value: unknown,
      allowed: ids,
      suggestion: nearestName(unknown, ids),
    });
  return all.filter(({ id }) => wanted.includes(id));
}
