import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { anchorLabel } from '../domain/anchor.ts';
import { LineIndex } from '../domain/span.ts';
import type { CitedQuery } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { PathScope } from '../documents/find-document.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { indexedSources } from '../documents/source-roots.ts';
import type { Ports } from '../ports.ts';
import type { Open } from '../wire/index.ts';
import {
  findCitedPlace,
  type CitedPlace,
  noSuchLine,
  requireAnchor,
  requirePage,
  sourceFileOf,
} from './cited-place.ts';

/**
 * Locates a cited place on this machine: the file, and the line or page in it. A deleted file is reported with its former path, as
 * `deleted`. Errors: `invalid_input` for an invalid URI or one that names a nonexistent page or line, for a path in several sources, and
 * for a source that is not a folder; `chunk_not_found`, `doc_not_found`, `not_indexed`.
 */
export async function locateCitation(
  ports: FreshnessPorts & Pick<Ports, 'documents'> & PathScope,
  query: CitedQuery,
  { signal }: AbortOptions = {},
): Promise<Open> {
  throwIfCancelled(signal, 'open');
  const store = await ports.documents.read();
  const place = await findCitedPlace(store, query, ports);
  const sources = await indexedSources(ports.config, store);
  const { path } = sourceFileOf(place.document, sources);
  const { freshness } = await new FreshnessCheck(ports, sources, signal).check(place.document);
  if (freshness === 'fresh') await requireThere(place, store); // a changed file may have more lines now
  return { schema_version: 'open.v1', path, ...positionOf(place), uri: place.uri, freshness };
}

/** Rejects lines and anchored places that the document does not have. */
async function requireThere({ document, fragment }: CitedPlace, store: DocumentStore): Promise<void> {
  if (fragment?.kind === 'anchor') return void (await requireAnchor(store, document, fragment.anchor));
  if (fragment?.kind !== 'line') return;
  const [text = ''] = await store.readTexts([{ docId: document.docId }]);
  const { count } = new LineIndex(text);
  if (fragment.start > count) throw noSuchLine(document, fragment.start, count);
}

function positionOf({ document, fragment }: CitedPlace): {
  readonly line: number | null;
  readonly page: number | null;
  readonly place?: string;
} {
  const nowhere = { line: null, page: null };
  switch (fragment?.kind) {
    case 'line':
      // A line of a PDF or of the text in an image is not a line of its file.
      return isText(document.media) ? { ...nowhere, line: fragment.start } : nowhere;
    case 'page':
      requirePage(document, fragment.page);
      return { ...nowhere, page: fragment.page };
    case 'anchor':
      return { ...nowhere, place: anchorLabel(fragment.anchor) };
    case 'region':
    case 'caption':
    case 'time':
    case undefined:
      return nowhere;
    default:
      return fragment satisfies never;
  }
}

function isText(media: CitedPlace['document']['media']): boolean {
  return media !== 'pdf' && media !== 'image' && media !== 'audio';
}
