import { readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { RawAsset } from '../domain/asset.ts';
import { mintAssetId } from '../domain/ids.ts';
import type { CitedQuery } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { classifyError } from '../errors/classify-error.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import { wholeNumber } from '../requests/read-request.ts';
import type { Freshness } from '../wire/index.ts';
import { findCitedPlace } from './cited-place.ts';
import { pictureOfPlace } from './picture-of-place.ts';
import { renderFile, type RenderPorts } from './render-file.ts';
import { sourceFileOf } from './source-file.ts';

/** The ports of a snap. */
export type SnapPorts = RenderPorts & Pick<Ports, 'documents' | 'config' | 'clock'>;

/** How a place is to be shown. */
export interface SnapOptions extends AbortOptions {
  /** Bound of the longer edge in pixels, 1 to 10,000; 1600 by default. */
  readonly maxPixels?: number | undefined;
}

/** A picture of a cited place, made from the file as it is now. */
export interface CitedPicture extends Picture {
  readonly docPath: string;
  /** Absolute path of the file that it shows. */
  readonly file: string;
  readonly uri: string;
  /** The page; null for an image. */
  readonly page: number | null;
  /** Whether the cited region is framed in it. */
  readonly outlined: boolean;
  /** How the file compares with what was indexed. */
  readonly freshness: Exclude<Freshness, 'deleted'>;
}

const DEFAULT_PIXELS = 1600;
const MAX_PIXELS = 10_000;
const BYTES_PER_MB = 1_048_576;
const INGEST_AGAIN = 'bring the index up to date with `kebab ingest`, then search again';

/**
 * Shows a cited place as a picture, rendered by the extractor that made the document: the place of a chunk, which is outlined, or
 * of a URI, of which a region is outlined. The file is read as it is now; in one that changed, ranges of text are not outlined,
 * nor on pages that OCR read. Errors: `invalid_input` for a document that is text and for a place that it does not have, or not
 * any more; `io_error` for a file that is not there; `chunk_not_found`, `doc_not_found`, `plugin_failed`, `timeout`, `cancelled`.
 */
export async function snapCitation(
  ports: SnapPorts,
  query: CitedQuery,
  { maxPixels = DEFAULT_PIXELS, signal }: SnapOptions = {},
): Promise<CitedPicture> {
  wholeNumber('max_pixels', maxPixels, { min: 1, max: MAX_PIXELS });
  throwIfCancelled(signal, 'snap');
  const store = await ports.documents.read();
  const place = findCitedPlace(store, query);
  const { docId, sourceId, workspacePath } = place.document;
  const document = store.getCanonicalDocument(docId);
  if (document === null) throw new Error(`document ${docId} vanished while it was looked for`);
  pictureOfPlace({ place, document, store, isFresh: true }); // refuses what can be refused before a file is read
  const { path, bytes } = await readAsItIs(place.document, ports.config);
  throwIfCancelled(signal, 'snap');
  const { assetId, checksum } = mintAssetId(bytes);
  const isFresh = checksum === place.document.checksum;
  const wanted = pictureOfPlace({ place, document, store, isFresh });
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
  const file = { document, asset, bytes, request: { ...wanted, maxPixels } };
  const picture = await renderFile(ports, file, { store, signal }).catch((error: unknown) => {
    throw isFresh ? error : asChanged(error, workspacePath);
  });
  return {
    ...picture,
    docPath: workspacePath,
    file: path,
    uri: place.uri,
    page: document.mediaType.kind === 'image' ? null : Number(wanted.picture.slice('page='.length)),
    outlined: wanted.outline !== undefined,
    freshness: isFresh ? 'fresh' : 'changed',
  };
}

async function readAsItIs(
  document: DocumentRow,
  { workspace, indexing }: SnapPorts['config'],
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  const { workspacePath } = document;
  try {
    const { path, exists } = sourceFileOf(document, { workspace });
    if (!exists) throw missing(path);
    const { size } = await stat(path);
    if (size > indexing.maxFileMb * BYTES_PER_MB)
      throw invalidInput(`${workspacePath} is larger than indexing.max_file_mb (${indexing.maxFileMb}) allows`, {
        field: 'uri',
        value: workspacePath,
      });
    return { path, bytes: await readFile(path) };
  } catch (error) {
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

/** In a changed file, what the extractor does not find may have been there. */
function asChanged(error: unknown, workspacePath: string): unknown {
  if (!isKebabError(error, 'invalid_input')) return error;
  const { field, value } = error.details;
  return invalidInput(`${workspacePath} changed since it was ingested: ${error.message}`, {
    ...(field === null ? {} : { field }),
    ...(value === null ? {} : { value }),
    hint: INGEST_AGAIN,
  });
}
