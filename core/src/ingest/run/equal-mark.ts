import { createHash } from 'node:crypto';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SourceFile } from '../../contracts/source-connector.ts';
import { mediaKey, type MediaType } from '../../domain/media.ts';
import { KEBAB_VERSION } from '../../domain/versions.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { FileAction } from '../plan-ingest.ts';
import type { SourceScan } from './scan-sources.ts';

/**
 * What is kept of a source in which every document equals its file, as JSON. The store takes it away as soon as anything of the source
 * is written; what else decides what a run does is in its digests.
 */
interface EqualMark {
  /** Of the files of the walk: paths, media, sizes and times. */
  readonly files: string;
  /** What was seen beside them, and what makes documents of them. */
  readonly rest: string;
  /** The paths of files that are no documents: every run looks into them. */
  readonly others: readonly string[];
  /** Chunkers that extractors named for some of its documents. */
  readonly fallbackChunkers: readonly string[];
}

/** Grows when the same digest says something else. */
const FORMAT = 1;
const SETTLING_MS = 2000;
const NS_PER_MS = 1_000_000n;
/** With more, a mark takes longer to read than it saves. */
const MAX_OTHERS = 1000;

type MarkContext = Pick<IngestContext, 'store' | 'pipelines' | 'embeddingFingerprint'>;

/**
 * The plan for a source whose mark holds: what a comparison with all that is on record would give, without the records. Null where they
 * have to be compared.
 */
export async function planByMark(scan: SourceScan, context: MarkContext): Promise<readonly FileAction[] | null> {
  const mark = isTooNew(scan) ? null : await markOf(scan, context.store);
  if (mark === null) return null;
  await context.pipelines.prepare(scan.files, mark.fallbackChunkers);
  if (mark.rest !== digestOfRest(scan, mark.fallbackChunkers, context)) return null;
  const others = new Set(mark.others);
  return scan.files.map((file) => ({
    kind: others.has(file.workspacePath) ? 'read' : 'unchanged',
    file,
    known: null,
  }));
}

/** The files of a walk that are no documents, where all other documents equal their files; null where that is not known. */
export async function othersByMark(
  scan: Pick<SourceScan, 'source' | 'files'>,
  store: Pick<DocumentStore, 'equalMark'>,
): Promise<ReadonlySet<string> | null> {
  const mark = await markOf(scan, store);
  return mark === null ? null : new Set(mark.others);
}

async function markOf(
  { source, files }: Pick<SourceScan, 'source' | 'files'>,
  store: Pick<DocumentStore, 'equalMark'>,
): Promise<EqualMark | null> {
  const kept = (await store.equalMark?.(source.id)) ?? null;
  if (kept === null) return null;
  const mark = JSON.parse(kept) as EqualMark;
  return mark.files === digestOfFiles(files) ? mark : null;
}

/** What a run knows of a source in which the next one, seeing the same, would find all documents unchanged. */
export type AllEqual = Pick<EqualMark, 'others' | 'fallbackChunkers'>;

/** Leaves a mark of such a source. To be called when everything of it has been written. */
export function keepMark(
  scan: SourceScan,
  { others, fallbackChunkers }: AllEqual,
  context: MarkContext & Pick<IngestContext, 'writer'>,
): void {
  const { writer } = context;
  if (writer.setEqualMark === undefined || scan.rootFailure !== null) return;
  if (isTooNew(scan) || others.length > MAX_OTHERS) return;
  const rest = digestOfRest(scan, fallbackChunkers, context);
  const mark: EqualMark = { files: digestOfFiles(scan.files), rest, others, fallbackChunkers };
  writer.setEqualMark(scan.source.id, JSON.stringify(mark));
}

/** Whether a file may change once more without another time, or a link lead elsewhere; times to come are such. */
function isTooNew({ files, unread, lookedAtMs }: SourceScan): boolean {
  const newest = BigInt(Math.floor(lookedAtMs - SETTLING_MS)) * NS_PER_MS;
  const isNew = ({ mtimeNs, linkChangedNs = mtimeNs }: SourceFile): boolean =>
    mtimeNs > newest || linkChangedNs > newest;
  return files.some(isNew) || unread.some(isNew);
}

function digestOfFiles(files: readonly SourceFile[]): string {
  const names: string[] = [];
  const sizes = new Float64Array(files.length);
  const times = new BigInt64Array(files.length);
  const links: string[] = [];
  let media: MediaType | undefined;
  let at = 0;
  for (const file of files) {
    if (file.mediaType !== media) names.push(`/${mediaKey((media = file.mediaType))}`); // no path begins so
    names.push(file.workspacePath);
    sizes[at] = file.size;
    times[at++] = file.mtimeNs;
    if (file.linkChangedNs !== undefined) links.push(`${at} ${file.linkChangedNs}`);
  }
  return digestOf([`${FORMAT} ${KEBAB_VERSION}`, names.join('\0'), sizes, times, links.join()]);
}

function digestOfRest(
  { source, files, unread, surroundings }: SourceScan,
  fallbackChunkers: readonly string[],
  { store, pipelines, embeddingFingerprint }: MarkContext,
): string {
  const stages: string[] = [];
  const allMedia = new Set<MediaType>();
  for (const { mediaType } of files) allMedia.add(mediaType);
  for (const media of allMedia) {
    const pipeline = pipelines.of(media);
    if (pipeline === null) continue;
    for (const chunkerId of [pipeline.chunkerId, ...fallbackChunkers]) {
      const { parser, chunker } = pipelines.fingerprints(pipeline, { media, defaults: source.defaults, chunkerId });
      stages.push(parser, chunker);
    }
  }
  const names: string[] = [];
  const numbers = new Float64Array(surroundings.length * 2);
  let at = 0;
  for (const { path, kind, size, mtimeMs } of surroundings) {
    names.push(path, kind);
    numbers[at++] = size;
    numbers[at++] = mtimeMs;
  }
  const made = JSON.stringify([source.id, source.root, store.schemaVersion, embeddingFingerprint, ...stages]);
  return digestOf([made, digestOfFiles(unread), names.join('\0'), numbers]);
}

function digestOf(parts: readonly (string | NodeJS.ArrayBufferView)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0\0');
  return hash.digest('hex');
}
