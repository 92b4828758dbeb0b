import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { blake3Short, blake3Hex } from '../domain/blake3.ts';
import { formatUri, parseUri, type UriFragment, type ParsedUri, type SourcePath } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { indexedSources } from '../documents/source-roots.ts';
import type { Ports } from '../ports.ts';
import type { CitationCheck } from '../wire/index.ts';
import { designate, DocumentViews, type DocumentView } from './document-views.ts';
import { findPlace, type PathScope } from '../documents/find-document.ts';
import { allDocuments } from '../documents/open-store.ts';
import { anchoredRun, formatAnchor, joinAnchors, parseAnchor } from '../domain/anchor.ts';

/** Further information about a citation besides its URI. */
export interface VerifyOptions extends AbortOptions {
  /** The hash of the cited text: 16 hex digits. Without it, and without one in the URI, the indexed text counts as the cited one. */
  readonly hash?: string | undefined;
  readonly source?: string | undefined;
  /** Whether to return the cited text and the current one. */
  readonly withTexts?: boolean | undefined;
}

/**
 * Verifies a citation: whether the cited text is still where the URI says, has moved, or is gone. Markdown, text and code are compared with
 * the current file. For other media a given hash, or that of the URI, is compared with the stored text; without one the file must be byte
 * for byte the indexed one. Moved text is searched for in the same document, nearest first, then in all others. Throws `invalid_input` for an invalid URI, hash
 * or source and for a path in several sources, `not_indexed`, `cancelled`, and the file system error for an existing file that cannot be
 * read.
 */
export async function verifyCitation(
  ports: VerifyPorts,
  uri: string,
  options: VerifyOptions = {},
): Promise<CitationCheck> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await verifyOnce(ports, uri, options);
    } catch (error) {
      // A document was replaced between two reads, for example by a concurrent ingest: retry with the current index.
      if (attempt === ATTEMPTS || !isKebabError(error, 'doc_not_found')) throw error;
    }
  }
}

type VerifyPorts = FreshnessPorts & Pick<Ports, 'documents'> & PathScope;

const ATTEMPTS = 5;

async function verifyOnce(
  ports: VerifyPorts,
  uri: string,
  { hash: claimed, source, withTexts = false, signal }: VerifyOptions,
): Promise<CitationCheck> {
  throwIfCancelled(signal, 'cite verify');
  const store = await ports.documents.read();
  const sources = await indexedSources(ports.config, store);
  if (source !== undefined) requireSource(source, [...new Set([...sources.keys(), ...(await store.knownSources())])]);
  const place = await findPlace(store, uri, { source, scope: ports });
  const { document, fragment, pin } = place ?? { document: null, ...parseUri(uri) };
  const claimedHash = claimed === undefined ? (pin ?? null) : parseHash(claimed);
  const views = new DocumentViews(store, sources, fragment?.kind);
  const hash = claimedHash ?? (await indexedHash(views, document, fragment));
  const isOtherFile = claimedHash === null && document !== null && (await views.isOtherFile(document));
  const view = document === null || isOtherFile ? null : await views.current(document);
  const text = view === null ? null : designate(view, fragment);
  const texts = withTexts
    ? { texts: { cited: await citedText(views, { document, fragment, hash }), current: text } }
    : {};
  const check = {
    ...texts,
    schema_version: 'citation_check.v1',
    uri,
    content_hash: text === null ? null : blake3Short(text),
    found_uri: null,
    freshness: document === null ? null : (await new FreshnessCheck(ports, sources, signal).check(document)).freshness,
  } as const;
  if (hash === null) return { ...check, status: 'gone' };
  if (check.content_hash?.startsWith(hash) === true) return { ...check, status: 'exact' };
  const moved = await findMoved(store, views, { document, here: view, fragment, signal, hash });
  if (moved === null) return { ...check, status: 'gone' };
  return { ...check, status: 'moved', found_uri: formatUri({ ...moved, pin }) };
}

/** The hash of the indexed text at the cited place; null when there is none. */
async function indexedHash(
  views: DocumentViews,
  document: DocumentRow | null,
  fragment: UriFragment | null,
): Promise<string | null> {
  const [indexed] = document === null ? [] : await views.stored([document]);
  const text = indexed === undefined ? null : designate(indexed, fragment);
  return text === null ? null : blake3Short(text);
}

/** The cited text, if the index still holds it at its place. */
async function citedText(
  views: DocumentViews,
  { document, fragment, hash }: Pick<LostCitation, 'document' | 'fragment'> & { readonly hash: string | null },
): Promise<string | null> {
  const [indexed] = document === null || hash === null ? [] : await views.stored([document]);
  return indexed === undefined || hash === null ? null : textWithHash(indexed, { fragment, hash });
}

/** A citation with an unknown source is a typing error, and does not mean that the text is gone. */
function requireSource(source: string, known: readonly string[]): void {
  if (known.includes(source)) return;
  throw invalidInput(`there is no source ${JSON.stringify(source)}; the sources are ${known.join(', ')}`, {
    field: 'source',
    value: source,
    allowed: known,
    suggestion: nearestName(source, known),
  });
}

function parseHash(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{16}$/.test(hash)) return hash;
  throw invalidInput(`${JSON.stringify(text)} is not a content hash: it has 16 hex digits`, {
    field: 'content_hash',
    value: text,
  });
}

/** A citation whose text is not where it says. */
interface LostCitation {
  /** The document at its path, if any. */
  readonly document: DocumentRow | null;
  /** The current state of the document; null when unknown. */
  readonly here: DocumentView | null;
  readonly fragment: UriFragment | null;
  /** The hash of its text, or the first digits of it. */
  readonly hash: string;
  readonly signal?: AbortSignal | undefined;
}

/** The place where the text was found; without a fragment it is the whole document. */
interface FoundPlace {
  readonly fragment: UriFragment | null;
}

type Look = (view: DocumentView) => FoundPlace | null;

const BATCH = 64;

/**
 * Finds the current place of a cited text: in the same document, nearest place first; else in another document, first at the same place (a
 * renamed file), then anywhere; null when it is nowhere. Only the hash is known, so every place of the same shape is hashed, unless the
 * stored document still contains the text itself: then only documents that contain it are examined closely.
 */
async function findMoved(store: DocumentStore, views: DocumentViews, lost: LostCitation): Promise<ParsedUri | null> {
  const { document, here, fragment } = lost;
  const [asStored] = document === null ? [] : await views.stored([document]);
  const known = asStored === undefined ? null : textWithHash(asStored, lost);
  const samePlace: Look = (view) => (textWithHash(view, lost) === null ? null : { fragment });
  const anyPlace: Look = (view) => {
    const similar = known === null || view.text.includes(known) ? findSimilar(view, fragment, lost.hash) : null;
    return similar === null ? null : { fragment: similar };
  };
  const near = here === null ? null : anyPlace(here);
  if (document !== null && near !== null) return { ...pathOf(document), ...near };

  const others = await candidates(store, lost);
  const hasSimilarPlaces = fragment?.kind === 'line' || fragment?.kind === 'page' || fragment?.kind === 'anchor';
  for (const look of hasSimilarPlaces ? [samePlace, anyPlace] : [samePlace]) {
    for (let from = 0; from < others.length; from += BATCH) {
      await nextTurn();
      const batch = others.slice(from, from + BATCH);
      const stored = await views.stored(batch);
      for (const [at, other] of batch.entries()) {
        throwIfCancelled(lost.signal, 'cite verify');
        if (look(stored[at] as DocumentView) === null) continue;
        const now = await views.current(other);
        const place = now === null ? null : (samePlace(now) ?? anyPlace(now));
        if (place !== null) return { ...pathOf(other), ...place };
      }
    }
  }
  return null;
}

function pathOf({ sourceId, workspacePath: path }: DocumentRow): SourcePath {
  return { sourceId, path };
}

/** The text at the cited place, if it is the cited text. */
function textWithHash(view: DocumentView, { fragment, hash }: Pick<LostCitation, 'fragment' | 'hash'>): string | null {
  const text = designate(view, fragment);
  return text !== null && blake3Short(text).startsWith(hash) ? text : null;
}

/** The other documents that may contain such a place, by source and path. */
async function candidates(store: DocumentStore, { document, fragment }: LostCitation): Promise<readonly DocumentRow[]> {
  const rows: DocumentRow[] = [];
  for await (const row of allDocuments(store))
    if (row.docId !== document?.docId && canHold(row, fragment)) rows.push(row);
  return rows;
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
    case 'anchor':
      return media === 'other';
    case 'time':
      return false;
    case undefined:
      return true;
    default:
      return fragment satisfies never;
  }
}

const NEWLINE = 10;
const encoder = new TextEncoder();

/**
 * The place in a document, other than the given one, with the same shape (as many lines, one page, as many rows) whose text has the given
 * hash: the nearest one, null when there is none and for fragments of another kind.
 */
export function findSimilar(view: DocumentView, fragment: UriFragment | null, hash: string): UriFragment | null {
  if (fragment?.kind === 'line') return findLines(view.text, fragment, hash);
  if (fragment?.kind === 'anchor') return findAnchored(view, fragment.anchor, hash);
  if (fragment?.kind !== 'page') return null;
  for (const at of nearestFirst(fragment.page, view.pages.length)) {
    const page = view.pages[at - 1];
    if (page !== undefined && blake3Short(view.text.slice(page.start, page.end)).startsWith(hash))
      return { kind: 'page', page: page.page };
  }
  return null;
}

/** As many consecutive places as the anchor names, nearest first; of two at equal distance the later first, as in {@link nearestFirst}. */
function findAnchored({ text, blocks }: DocumentView, anchor: string, hash: string): UriFragment | null {
  const { from = '', to = '' } = parseAnchor(anchor)?.at(-1) ?? {};
  const count = from === to ? 1 : Number(to) - Number(from) + 1;
  const places: { readonly anchor: string; readonly start: number; end: number }[] = [];
  for (const { sourceSpan, start, end } of blocks) {
    if (sourceSpan.kind !== 'anchor') continue;
    const last = places.at(-1);
    if (last?.anchor === sourceSpan.anchor) last.end = end;
    else places.push({ anchor: sourceSpan.anchor, start, end });
  }
  const anchors = places.map((place) => place.anchor);
  const cited = anchoredRun(anchors, anchor)?.[0] ?? formerPosition(anchors, anchor);
  const distance = (at: number): number => Math.abs(at - cited);
  for (const at of [...places.keys()].toSorted((a, b) => distance(a) - distance(b) || b - a)) {
    const [first, last] = [places[at], places[at + count - 1]];
    if (first === undefined || last === undefined || !blake3Short(text.slice(first.start, last.end)).startsWith(hash))
      continue;
    const found = joinAnchors(first.anchor, last.anchor);
    if (found !== null) return { kind: 'anchor', anchor: found };
  }
  return null;
}

/**
 * The position of an anchor that no longer exists: halfway between the two anchors of the document that surround it, by its number, among
 * its siblings.
 */
function formerPosition(anchors: readonly string[], gone: string): number {
  const { group, number } = numberIn(gone);
  const numbers = anchors.map(numberIn).map((one) => (one.group === group ? one.number : Number.NaN));
  const before = numbers.findLastIndex((one) => one < number);
  return (before === -1 ? numbers.findIndex((one) => one > number) : before + 1) - 0.5;
}

/** The group and number of an anchor: row 17 among the rows of one sheet. NaN for a name. */
function numberIn(anchor: string): { readonly group: string; readonly number: number } {
  const steps = parseAnchor(anchor) ?? [];
  const last = steps.at(-1);
  return { group: `${formatAnchor(steps.slice(0, -1))}&${last?.unit}`, number: Number(last?.from) };
}

/** Works on bytes, and hashes each window once: a large knowledge base has a million of them. */
function findLines(
  text: string,
  { start: from, end }: { readonly start: number; readonly end: number },
  hash: string,
): UriFragment | null {
  const bytes = encoder.encode(text);
  const starts = lineStarts(bytes);
  const height = end - from + 1;
  for (const start of nearestFirst(from, starts.length - height)) {
    const window = bytes.subarray(starts[start - 1], (starts[start - 1 + height] ?? 0) - 1);
    if (blake3Hex(window).startsWith(hash)) return { kind: 'line', start, end: start + height - 1 };
  }
  return null;
}

/** The start of each line, and finally where a line after the last would start. */
function lineStarts(bytes: Uint8Array): readonly number[] {
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== bytes.length) starts.push(bytes.length + 1);
  return starts;
}

/** The numbers from 1 to `last` without `from`, nearest first; of two at equal distance the larger first, because text grows. */
export function* nearestFirst(from: number, last: number): Generator<number> {
  for (let distance = Math.max(1, from - last); distance < Math.max(from, last - from + 1); distance++) {
    if (from + distance <= last) yield from + distance;
    if (from - distance >= 1) yield from - distance;
  }
}
