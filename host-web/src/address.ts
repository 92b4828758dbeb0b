/** A document as the path of a page names it. */
export interface DocumentAddress {
  readonly sourceId: string;
  readonly path: string;
}

/** A place in a document and how to show it; everything but the document is optional. */
export interface PlaceAddress extends DocumentAddress {
  /** The fragment of a citation: `L10-L20`, `p=3`, `sheet=Q3&row=17`. */
  readonly at?: string | undefined;
  /** The first digits of the hash of the cited text. */
  readonly pin?: string | undefined;
  /** The passage to light. */
  readonly chunk?: string | undefined;
  /** The query whose words are lit. */
  readonly query?: string | undefined;
  readonly view?: 'raw' | 'rendered' | undefined;
  /** The first block or line to show. */
  readonly from?: number | undefined;
  /** How many times the width of the window a picture has; 1 by default. */
  readonly zoom?: number | undefined;
}

/** The address of a page that shows a document, at its cited place if there is one. */
export function documentHref(place: PlaceAddress): string {
  return `${placeHref('/doc', place)}${place.at === undefined && place.chunk === undefined ? '' : '#cited'}`;
}

/** The address of a route that takes a place. */
export function placeHref(
  route: string,
  { sourceId, path, at, pin, chunk, query, view, from, zoom }: PlaceAddress,
): string {
  const file = [sourceId, ...path.split('/')].map(encodeURIComponent).join('/');
  const cited = at === undefined || pin === undefined ? at : `${at}~${pin}`;
  return pageHref(`${route}/${file}`, { at: cited, chunk, q: query, view, from, zoom });
}

/** The address of a page with its members that have a value. */
export function pageHref(route: string, members: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return set.length === 0 ? route : `${route}?${set.join('&')}`;
}

/** The document that a path below a route names; null for a path that could leave a source, or is no path. */
export function documentIn(rest: string): DocumentAddress | null {
  let parts: string[];
  try {
    parts = rest.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
  const [sourceId = '', ...segments] = parts;
  const path = segments.join('/');
  const isUsual = path.split('/').every((one) => one !== '' && one !== '.' && one !== '..' && !one.includes('\0'));
  return /^[A-Za-z0-9._-]{1,64}$/.test(sourceId) && isUsual ? { sourceId, path } : null;
}

/** The citation URI of a place. */
export function uriOf({ sourceId, path, at }: Pick<PlaceAddress, 'sourceId' | 'path' | 'at'>): string {
  const encoded = path.replaceAll('%', '%25').replaceAll('#', '%23');
  return `${sourceId}:${encoded}${at === undefined ? '' : `#${at}`}`;
}

/** The place that a citation URI names, with the first digits of its hash if it has them. */
export function placeOfUri(uri: string, sourceId = 'default'): PlaceAddress {
  const [, source = sourceId, file = ''] = /^(?:([A-Za-z0-9._-]{1,64}):)?([^#]*)/.exec(uri) ?? [];
  const path = file.replaceAll('%23', '#').replaceAll('%25', '%');
  return { sourceId: source, path, at: fragmentOf(uri), pin: pinOf(uri) };
}

/** The first digits of a hash at the end of a fragment. */
export function pinOf(fragment: string): string | undefined {
  return /~([0-9a-f]{6,16})$/i.exec(fragment)?.[1]?.toLowerCase();
}

/** The fragment of a citation URI, without the digits of its hash; undefined for a whole document. */
export function fragmentOf(uri: string): string | undefined {
  const hash = uri.indexOf('#');
  return hash === -1 ? undefined : uri.slice(hash + 1).replace(/~[0-9a-f]{6,16}$/i, '');
}
