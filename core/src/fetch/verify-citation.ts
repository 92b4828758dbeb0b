import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import { blake3Short } from '../domain/blake3.ts';
import { formatUri, parseUri, type UriFragment } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { indexedSources } from '../documents/source-roots.ts';
import type { Ports } from '../ports.ts';
import type { CitationCheck } from '../wire/index.ts';
import { designate, DocumentViews } from './document-views.ts';
import { findPlace, type Surroundings } from '../documents/find-document.ts';
import { findMoved } from './find-moved.ts';

/** What of a citation is known beside its URI. */
export interface VerifyOptions extends AbortOptions {
  /** The hash the cited text had: 16 hex digits. Without it the text that was indexed is what was cited. */
  readonly hash?: string | undefined;
  readonly source?: string | undefined;
}

/**
 * Checks a citation: whether the cited text still stands where the URI says, stands elsewhere, or is gone. Markdown, text and code
 * are checked against the file as it is now. Of everything else a given hash is checked against the stored text; without one the
 * file has to be byte for byte the one that was indexed. Text that moved is looked for in the same document, nearest first, then
 * in every other. Throws `invalid_input` for a URI or hash that is none and for a path in several sources, `not_indexed`,
 * `cancelled`.
 */
export async function verifyCitation(
  ports: FreshnessPorts & Pick<Ports, 'documents'> & Surroundings,
  uri: string,
  { hash: claimed, source, signal }: VerifyOptions = {},
): Promise<CitationCheck> {
  throwIfCancelled(signal, 'cite verify');
  const given = claimed === undefined ? null : parseHash(claimed);
  const store = await ports.documents.read();
  const place = await findPlace(store, uri, { source, surroundings: ports });
  const { document, fragment } = place ?? { document: null, fragment: parseUri(uri).fragment };
  const sources = await indexedSources(ports.config, store);
  const views = new DocumentViews(store, sources, fragment?.kind);
  const hash = given ?? (await indexedHash(views, document, fragment));
  const isOtherFile = given === null && document !== null && (await views.isOtherFile(document));
  const view = document === null || isOtherFile ? null : await views.current(document);
  const text = view === null ? null : designate(view, fragment);
  const check = {
    schema_version: 'citation_check.v1',
    uri,
    content_hash: text === null ? null : blake3Short(text),
    found_uri: null,
    freshness: document === null ? null : (await new FreshnessCheck(ports, sources, signal).check(document)).freshness,
  } as const;
  if (hash === null) return { ...check, status: 'gone' };
  if (hash === check.content_hash) return { ...check, status: 'exact' };
  const moved = await findMoved(store, views, { document, here: view, fragment, signal, hash });
  return moved === null ? { ...check, status: 'gone' } : { ...check, status: 'moved', found_uri: formatUri(moved) };
}

/** The hash of what was indexed at the cited place; null when nothing was. */
async function indexedHash(
  views: DocumentViews,
  document: DocumentRow | null,
  fragment: UriFragment | null,
): Promise<string | null> {
  const [indexed] = document === null ? [] : await views.stored([document]);
  const text = indexed === undefined ? null : designate(indexed, fragment);
  return text === null ? null : blake3Short(text);
}

function parseHash(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{16}$/.test(hash)) return hash;
  throw invalidInput(`${JSON.stringify(text)} is not a content hash: it has 16 hex digits`, {
    field: 'hash',
    value: text,
  });
}
