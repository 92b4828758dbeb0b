/** What a resource URI names. */
export interface ResourceName {
  readonly kind: 'doc' | 'chunk';
  readonly id: string;
}

const URI = /^kebab:\/\/(doc|chunk)\/([0-9a-f]{32})$/;

/** The template of each kind of resource. */
export const TEMPLATE_URIS = { doc: 'kebab://doc/{id}', chunk: 'kebab://chunk/{id}' } as const;

/** Writes the URI of a document or chunk. */
export function formatResourceUri({ kind, id }: ResourceName): string {
  return TEMPLATE_URIS[kind].replace('{id}', id);
}

/** Reads a URI; null when it is none of ours. */
export function parseResourceUri(uri: string): ResourceName | null {
  const [, kind, id] = URI.exec(uri) ?? [];
  return id === undefined ? null : { kind: kind as ResourceName['kind'], id };
}
