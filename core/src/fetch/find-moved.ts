import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { blake3Short } from '../domain/blake3.ts';
import type { ParsedUri, UriFragment } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { allDocuments } from '../documents/all-documents.ts';
import { designate, type DocumentView } from './designate.ts';
import type { DocumentViews } from './document-views.ts';
import { findSimilar } from './find-similar.ts';

/** A citation whose text does not stand where it says. */
export interface LostCitation {
  /** The document that is at its path, if any. */
  readonly document: DocumentRow | null;
  readonly fragment: UriFragment | null;
  readonly hash: string;
  readonly signal?: AbortSignal | undefined;
}

/** A place in a document that was found; without a fragment it is the whole document. */
interface FoundPlace {
  readonly fragment: UriFragment | null;
}

type Look = (view: DocumentView) => FoundPlace | null;

const BATCH = 64;

/**
 * Where the text of a citation stands now: in the same document, the nearest place first; else in another document, first
 * at the same place (a file that got another name), then anywhere; null when it is nowhere. Only the hash is known, so
 * every place of the same shape is hashed, unless the stored document still holds the text itself: then only documents
 * that contain it are looked at closely.
 */
export async function findMoved(
  store: DocumentStore,
  views: DocumentViews,
  lost: LostCitation,
): Promise<ParsedUri | null> {
  const { document, fragment } = lost;
  const known = document === null ? null : textWithHash(views.stored(document), lost);
  const samePlace: Look = (view) => (textWithHash(view, lost) === null ? null : { fragment });
  const anyPlace: Look = (view) => {
    const similar = known === null || view.text.includes(known) ? findSimilar(view, fragment, lost.hash) : null;
    return similar === null ? null : { fragment: similar };
  };
  const here = document === null ? null : await views.current(document);
  const near = here === null ? null : anyPlace(here);
  if (document !== null && near !== null) return { path: document.workspacePath, ...near };

  const others = candidates(store, lost);
  const hasSimilarPlaces = fragment?.kind === 'line' || fragment?.kind === 'page';
  for (const look of hasSimilarPlaces ? [samePlace, anyPlace] : [samePlace]) {
    for (const [at, other] of others.entries()) {
      if (at % BATCH === BATCH - 1) await nextTurn();
      throwIfCancelled(lost.signal, 'cite verify');
      if (look(views.stored(other)) === null) continue;
      const now = await views.current(other);
      const place = now === null ? null : (samePlace(now) ?? anyPlace(now));
      if (place !== null) return { path: other.workspacePath, ...place };
    }
  }
  return null;
}

/** The text at the cited place, when it is the cited text. */
function textWithHash(view: DocumentView, { fragment, hash }: LostCitation): string | null {
  const text = designate(view, fragment);
  return text !== null && blake3Short(text) === hash ? text : null;
}

/** The other documents that can hold such a place, by source and path. */
function candidates(store: DocumentStore, { document, fragment }: LostCitation): readonly DocumentRow[] {
  return [...allDocuments(store)].filter((row) => row.docId !== document?.docId && canHold(row, fragment));
}

function canHold({ media, pages }: DocumentRow, fragment: UriFragment | null): boolean {
  switch (fragment?.kind) {
    case 'line':
      return media !== 'pdf' && media !== 'audio';
    case 'page':
      return pages.length > 0;
    case 'region':
    case 'caption':
      return media === 'image';
    case 'time':
      return false;
    case undefined:
      return true;
    default:
      return fragment satisfies never;
  }
}
