import { pathToFileURL } from 'node:url';
import { indexedSources, type SourceRoot } from '../documents/source-roots.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Extractor, Picture, PictureReading, RenderRequest } from '../contracts/extractor.ts';
import type { RawAsset, CanonicalDocument } from '../domain/document.ts';
import type { OcrText } from '../domain/block.ts';
import type { PathScope } from '../documents/find-document.ts';
import { mintAssetId } from '../domain/minted-ids.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import type { CitedQuery } from '../domain/query.ts';
import { cancelled, throwIfCancelled } from '../errors/abort.ts';
import { classifyError } from '../errors/classify-error.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { CrashGuard } from '../extraction/crash-guard.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import { ocrOptions, readingId, readingIn } from '../extraction/reading-cache.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { analyseQuery } from '../analysis/analyse-query.ts';
import { InlineExtraction } from '../extraction/inline-extraction.ts';
import { findCitedPlace, sourceFileOf } from './cited-place.ts';
import { pictureOfPlace } from './picture-of-place.ts';
import type { ComponentName } from '../plugin/components.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import type { Ports } from '../ports.ts';
import { checkMember } from '../requests/read-request.ts';
import type { Freshness } from '../wire/index.ts';

/** The ports of a snap. */
type SnapPorts = RenderPorts & Pick<Ports, 'documents' | 'ocrEngines' | 'config' | 'clock'> & PathScope;

/** How to show a place. */
export interface SnapOptions extends AbortOptions {
  /** Maximum of the longer edge in pixels, 1 to 10,000; 1600 by default. */
  readonly maxPixels?: number | undefined;
  /** A query whose words are marked in the picture. */
  readonly words?: string | undefined;
  /** Whether to return the text of the picture with its positions; there is none when OCR would have to read the page again. */
  readonly withText?: boolean | undefined;
}

/** A picture of a cited place, rendered from the current file. */
export interface CitedPicture extends Picture {
  readonly docPath: string;
  /** Absolute path of the file it shows. */
  readonly file: string;
  readonly uri: string;
  /** The page; null for an image. */
  readonly page: number | null;
  /** Whether the cited region is framed. */
  readonly outlined: boolean;
  /** The number of marked words. */
  readonly marked: number;
  /** Whether the page was read by OCR but the positions of its words are not cached: OCR has to read it again for a frame. */
  readonly lacksReading: boolean;
  /** How the file compares with its indexed version. */
  readonly freshness: Exclude<Freshness, 'deleted'>;
}

const DEFAULT_PIXELS = 1600;
const LONGER_EDGE = { kind: 'int', min: 1, max: 10_000, doc: 'pixels of the longer edge' } as const;
const BYTES_PER_MB = 1_048_576;
const INGEST_AGAIN = 'bring the index up to date with `kebab ingest`, then search again';

/**
 * Shows a cited place as a picture, rendered by the extractor that created the document: the place of a chunk, which is outlined, or of a
 * URI, whose region is outlined, with the words of a query marked. The current file is read; if it has changed, ranges of text are not
 * outlined, nor on pages read by OCR whose result is not cached. Errors: `invalid_input` for a text document and for a place that it does
 * not have, or no longer has; `io_error` for a missing file; `chunk_not_found`, `doc_not_found`, `plugin_failed`, `timeout`, `cancelled`.
 */
export async function snapCitation(
  ports: SnapPorts,
  query: CitedQuery,
  { maxPixels = DEFAULT_PIXELS, words: searched, withText = false, signal }: SnapOptions = {},
): Promise<CitedPicture> {
  checkMember('max_pixels', LONGER_EDGE, maxPixels);
  throwIfCancelled(signal, 'snap');
  const store = await ports.documents.read();
  const place = await findCitedPlace(store, query, ports);
  const { docId, sourceId, workspacePath } = place.document;
  const document = await store.getCanonicalDocument(docId);
  if (document === null) throw new Error(`document ${docId} vanished while it was looked for`);
  const words = searched === undefined ? null : analyseQuery(searched);
  await pictureOfPlace({ place, document, store, isFresh: true, words }); // rejects what it can before a file is read
  const { path, bytes } = await readAsItIs(place.document, ports.config, await indexedSources(ports.config, store));
  throwIfCancelled(signal, 'snap');
  const { assetId, checksum } = mintAssetId(bytes);
  const isFresh = checksum === place.document.checksum;
  const { isReadByOcr, ...wanted } = await pictureOfPlace({ place, document, store, isFresh, words });
  const reading = isReadByOcr ? await readingOf(ports, { document, store, checksum, picture: wanted.picture }) : null;
  const isPlaced = !isReadByOcr || reading !== null;
  const request = isPlaced ? { ...wanted, ...(withText ? { withText } : {}) } : { picture: wanted.picture };
  const asset: RawAsset = {
    assetId,
    checksum,
    sourceId,
    workspacePath,
    mediaType: document.mediaType,
    byteLen: bytes.length,
    sourceUri: { file: pathToFileURL(path).href },
    discoveredAt: ports.clock.now(),
    stored: { kind: 'reference', path, checksum },
  };
  const readings = reading === null ? {} : { readings: new Map([[wanted.picture, reading]]) };
  const file = { document, asset, bytes, request: { ...request, maxPixels }, ...readings };
  const picture = await renderFile(ports, file, { store, signal }).catch((error: unknown) => {
    throw isFresh ? error : asChanged(error, workspacePath);
  });
  return {
    ...picture,
    docPath: workspacePath,
    file: path,
    uri: place.uri,
    page: document.mediaType.kind === 'image' ? null : Number(wanted.picture.slice('page='.length)),
    outlined: request.outline !== undefined,
    marked: request.marks?.length ?? 0,
    lacksReading: !isPlaced,
    freshness: isFresh ? 'fresh' : 'changed',
  };
}

/** A page of a document that was read by OCR. */
interface ReadPage {
  readonly document: CanonicalDocument;
  readonly store: Pick<DocumentStore, 'derivation'>;
  readonly checksum: string;
  readonly picture: string;
}

/** The OCR result of a page, with positions, as cached by an ingest; null when it is not cached for the current settings. */
async function readingOf(
  { ocrEngines, extractors, config }: Pick<SnapPorts, 'ocrEngines' | 'extractors' | 'config'>,
  { document, store, checksum, picture }: ReadPage,
): Promise<PictureReading | null> {
  if (store.derivation === undefined) return null;
  const { extractor } = await makerOf(document, extractors);
  const renderer = `${extractor.id}@${extractor.version}`;
  for (const engine of await ocrEngines.all()) {
    const key = { checksum, picture, renderer, reader: fingerprintOf(engine), options: ocrOptions(config.ocr) };
    const kept = await store.derivation('ocr', readingId('ocr', key));
    if (kept !== undefined) return { ocr: readingIn(kept) as OcrText, caption: null };
  }
  return null;
}

async function readAsItIs(
  document: DocumentRow,
  { indexing }: SnapPorts['config'],
  sources: ReadonlyMap<string, SourceRoot>,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  const { workspacePath } = document;
  try {
    const { path, exists } = sourceFileOf(document, sources);
    if (!exists) throw missing(path);
    return { path, bytes: readRegularFile(path, { maxBytes: indexing.maxFileMb * BYTES_PER_MB }) };
  } catch (error) {
    if (isKebabError(error, 'io_error') && error.details.kind === 'EFBIG')
      throw invalidInput(`${workspacePath} is larger than indexing.max_file_mb (${indexing.maxFileMb}) allows`, {
        field: 'uri',
        value: workspacePath,
      });
    throw classifyError(error, { operation: 'snap' });
  }
}

function missing(path: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${path} is not there any more`, {
    details: {
      kind: 'ENOENT',
      path,
      cause: 'the file was moved or deleted since it was ingested, or its disk is away',
    },
    hint: 'read the stored text with `kebab fetch`; if the file moved, run `kebab ingest` and search again',
  });
}

/** In a changed file, what the extractor does not find may have existed before. */
function asChanged(error: unknown, workspacePath: string): unknown {
  if (!isKebabError(error, 'invalid_input')) return error;
  const { field, value } = error.details;
  return invalidInput(`${workspacePath} changed since it was ingested: ${error.message}`, {
    ...(field === null ? {} : { field }),
    ...(value === null ? {} : { value }),
    hint: INGEST_AGAIN,
  });
}

/** The ports of rendering. */
type RenderPorts = Pick<Ports, 'extractors' | 'chunkers' | 'log'> & {
  /** Processes with limits; null renders the picture on the calling thread. */
  readonly extraction: () => Promise<ExtractionHost | null>;
};

/** The context of the knowledge base that contains the file. */
interface RenderOptions {
  readonly store: Pick<DocumentStore, 'quarantined'>;
  readonly signal?: AbortSignal | undefined;
}

/** A file, and the requested picture of it. */
interface FileToRender {
  /** The document that was extracted from it. */
  readonly document: CanonicalDocument;
  readonly asset: RawAsset;
  readonly bytes: Uint8Array;
  readonly request: RenderRequest;
  /** The OCR result of the picture. */
  readonly readings?: ReadonlyMap<string, PictureReading>;
}

/** An extractor, and its plugin. */
interface Maker {
  readonly extractor: Extractor;
  readonly named: ComponentName;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Renders a picture of a file with the extractor that created its document, within the limits of extraction. Errors: `invalid_input` when
 * that extractor no longer exists or cannot render, and those of the extractor.
 */
async function renderFile(
  { extractors, chunkers, extraction, log }: RenderPorts,
  file: FileToRender,
  { store, signal = new AbortController().signal }: RenderOptions,
): Promise<Picture> {
  const { document, ...rendered } = file;
  const { asset } = rendered;
  const { extractor, named } = await makerOf(document, extractors);
  const opened = extractor.isolation === 'worker' ? await extraction() : null;
  const host = new CrashGuard({
    host: opened ?? new InlineExtraction({ extractors, chunkers, log }),
    quarantined: await store.quarantined(),
    maxCrashes: () => named.policy.maxCrashes,
  });
  const plugin = { name: named.plugin, version: named.pluginVersion };
  try {
    const picture = await host.render({ extractorId: extractor.id, plugin, ...rendered }, signal);
    if (PNG.every((byte, at) => picture.png[at] === byte)) return picture;
    const site = { plugin, kind: 'extractor', stage: 'render', path: asset.workspacePath };
    throw pluginFailure(new Error('what it rendered is no PNG'), site);
  } catch (error) {
    throw isKebabError(error, 'cancelled') ? cancelled('snap', signal.reason) : error;
  }
}

/** The extractor that created a document; its version may differ now. */
async function makerOf(document: CanonicalDocument, extractors: RenderPorts['extractors']): Promise<Maker> {
  const { mediaType, parserVersion, workspacePath, provenance } = document;
  const agent = provenance.find(({ kind }) => kind === 'parsed')?.agent ?? '';
  const plugin = agent.slice(0, agent.lastIndexOf('@'));
  for (const named of extractors.names()) {
    if (named.plugin !== plugin) continue;
    const extractor = await extractors.get(named.id);
    if (!extractor.supports(mediaType) || extractor.parserVersion(mediaType) !== parserVersion) continue;
    if (extractor.render !== undefined) return { extractor, named };
    throw invalidInput(`${agent}, which read ${workspacePath}, makes no pictures of it`, {
      field: 'uri',
      value: workspacePath,
      hint: 'read it with `kebab fetch`, or look at the file with `kebab open --launch`',
    });
  }
  throw invalidInput(`${workspacePath} was read by ${agent}, which is not there any more`, {
    field: 'uri',
    value: workspacePath,
    hint: 'run `kebab ingest`, which reads it again with what there is now',
  });
}
