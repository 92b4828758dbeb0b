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
import { isKebabError } from '../../errors/kebab-error.ts';
import type { Ports } from '../../ports.ts';
import { externalConnector, failedConnector } from '../scan/connectors.ts';
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
  /** Everything else, in order. */
  readonly others: readonly SourceEntry[];
  /** The paths of everything that exists, ingested or not, except links that are not followed. */
  readonly present: ReadonlySet<string>;
  /** Everything seen in a folder, for later comparison; empty for other sources and without a clock. */
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
  const others: SourceEntry[] = [];
  const present = new Set<string>();
  const seen = new Map<string, SeenPlace>(); // keyed by path: a directory deleted while it is listed is seen, then missing
  const see = (place: SeenPlace): void => void seen.set(place.path, place);
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
    if (isRead && entry.kind === 'file') files.push(entry);
    else others.push(entry);
    if (entry.kind !== 'skipped' || entry.counter !== UNFOLLOWED) present.add(entry.workspacePath);
    if (entry.kind === 'file') {
      const isOther = context.pipelines.of(entry.mediaType) === null;
      if (isRecorded) see(seenFile(entry, isOther ? 'other' : 'file', lookedAtMs));
    } else {
      const place = isRecorded ? placeBeside(entry, { root, lookedAtMs }) : null;
      if (place !== null) see(place);
    }
  }
  return { source, files, others, present, seen: [...seen.values()], rootFailure };
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
export function recognised(file: SourceFile): SourceFile {
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

/** The same sources, folders where their documents were indexed from. */
export function sourcesAsIndexed(
  config: SourceConfig,
  indexed: IndexedRoots,
  wanted?: readonly string[],
): readonly IngestSource[] {
  return sourcesToWalk(config, indexed, wanted).map((source) => {
    const isFolder = source.connectorId === 'fs' || source.id === EXTERNAL;
    return isFolder ? { ...source, root: indexed.get(source.id) ?? source.root } : source;
  });
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

/** The connector of a source; if its plugin fails, the source counts as one that cannot be walked. */
export async function connectorOf(
  { connectorId }: IngestSource,
  { connectors }: Pick<Ports, 'connectors'>,
): Promise<WalkedSource['connector']> {
  if (connectorId === EXTERNAL) return externalConnector();
  try {
    return await connectors.get(connectorId);
  } catch (error) {
    if (!isKebabError(error, 'plugin_failed') && !isKebabError(error, 'plugin_incompatible')) throw error;
    return failedConnector(connectorId, error); // the other sources are walked nevertheless
  }
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
