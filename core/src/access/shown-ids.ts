/** The ids of documents and chunks in a result, and the places of what has no id in it. */
export interface ShownIds {
  readonly docs: readonly string[];
  readonly chunks: readonly string[];
  readonly uris: readonly string[];
}

/** The members of wire objects that name what is shown. */
const NAMES = new Map<string, keyof ShownIds>([
  ['doc_id', 'docs'],
  ['docId', 'docs'],
  ['chunk_id', 'chunks'],
  ['chunkId', 'chunks'],
  ['uri', 'uris'],
  ['path', 'uris'],
  ['doc_path', 'uris'],
]);
const MAX_IDS = 1000;

/** Collects what was shown, each once, at most a thousand of each; no text is among it. */
export function shownIn(results: readonly unknown[]): ShownIds {
  const ids = { docs: new Set<string>(), chunks: new Set<string>(), uris: new Set<string>() };
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      // A folder of a list names its files by the ends of their URIs.
      const { folder, files } = value as { readonly folder?: unknown; readonly files?: unknown };
      if (typeof folder === 'string' && Array.isArray(files))
        collect(files.map((name) => ({ uri: `${folder}${name}` })));
      for (const [key, member] of Object.entries(value)) {
        const list = NAMES.get(key);
        if (list !== undefined && typeof member === 'string' && ids[list].size < MAX_IDS) ids[list].add(member);
        else collect(member);
      }
    }
  };
  collect(results);
  return { docs: [...ids.docs], chunks: [...ids.chunks], uris: [...ids.uris] };
}
