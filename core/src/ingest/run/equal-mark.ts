import { createHash } from 'node:crypto';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SourceFile } from '../../contracts/source-connector.ts';
import { mediaKey, type MediaType } from '../../domain/media.ts';
import { KEBAB_VERSION } from '../../domain/versions.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { FileAction } from '../plan-ingest.ts';
import type { SourceScan } from './scan-sources.ts';

/**
 * Records, as JSON, that every document of a source equals its file. The store deletes the mark as soon as anything of the source is
 * written; its digests cover everything else that decides what a run does.
 */
interface EqualMark {
  /** Digest of the walked files: paths, media types, sizes and times. */
  readonly files: string;
  /** Digest of what else the walk saw, and of the stages that turn the files into documents. */
  readonly rest: string;
  /** Paths of files that did not become documents; every run reads them again. */
  readonly others: readonly string[];
  /** Fallback chunkers that extractors chose for some of the documents. */
  readonly fallbackChunkers: readonly string[];
}

/** Incremented whenever the meaning of a digest changes. */
const FORMAT = 1;
const SETTLING_MS = 2000;
const NS_PER_MS = 1_000_000n;
/** With more of them, reading the mark takes longer than it saves. */
const MAX_OTHERS = 1000;

type MarkContext = Pick<IngestContext, 'store' | 'pipelines' | 'embeddingFingerprint'>;

/**
 * Plans a source from its mark, with the result that comparing all stored documents would have, but without reading them. Null if the
 * mark is missing or no longer valid, so that they must be compared.
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

/** Paths of the walked files that are not documents, if a mark says that all others equal their documents; null otherwise. */
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

/** The members of a mark that a run finds out when all documents of a source equal their files. */
export type AllEqual = Pick<EqualMark, 'others' | 'fallbackChunkers'>;

/** Stores the mark of a source. Call it only after everything of the source has been written. */
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

/** Whether a file or link is so recent (or dated in the future) that it could still change without getting a new timestamp. */
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
    if (file.mediaType !== media) names.push(`/${mediaKey((media = file.mediaType))}`); // no path begins with a slash
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
