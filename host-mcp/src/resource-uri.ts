/** What the URI of a resource names: a document, lines of it, or a chunk. */
export interface ResourceName {
  readonly kind: 'doc' | 'chunk';
  readonly id: string;
  /** First and last line of the document, 1-based, inclusive. */
  readonly lines?: readonly [first: number, last: number];
}

/** The template of each kind of resource. */
export const TEMPLATE_URIS = { doc: 'kebab://doc/{id}', chunk: 'kebab://chunk/{id}' } as const;

const URI = /^kebab:\/\/(?:chunk\/([0-9a-f]{32})|doc\/([0-9a-f]{32})(?:#L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?)?)$/;

/** Formats the URI of a resource; lines are its fragment, as in `#L10-L20`. */
export function formatResourceUri({ kind, id, lines }: ResourceName): string {
  return TEMPLATE_URIS[kind].replace('{id}', id) + (lines === undefined ? '' : `#L${lines[0]}-L${lines[1]}`);
}

/** Parses the URI of a resource; null if it names neither a document nor a chunk. */
export function parseResourceUri(uri: string): ResourceName | null {
  const [, chunk, doc, first, last = first] = URI.exec(uri) ?? [];
  if (chunk !== undefined) return { kind: 'chunk', id: chunk };
  if (doc === undefined) return null;
  return { kind: 'doc', id: doc, ...(first === undefined ? {} : { lines: [Number(first), Number(last)] }) };
}
