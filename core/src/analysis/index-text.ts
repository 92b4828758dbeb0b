import type { JsonValue } from '../domain/canonical-json.ts';
import type { Metadata } from '../domain/metadata.ts';

/**
 * Names the analysis of index and query together with the layout of the full-text index. It changes whenever the same
 * text could be indexed, or the same query ranked, differently.
 */
export const INDEX_VERSION = 'v1.0';

/** What a chunk is found by, before analysis. Nothing of it but `text` is ever shown or cited. */
export interface IndexMaterial {
  /** The chunk's own slice. */
  readonly text: string;
  /** Document title, heading path, words of the file name: weighted above text. */
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly workspacePath: string;
  readonly symbol: string | null;
  /** First chunk of a document only: aliases, tags, and string and number values of unknown front matter keys. */
  readonly extra: readonly string[];
  /** A plugin's contextual prefix. */
  readonly prefix: string | null;
}

/** What goes into the columns of the full-text index: already analysed, tokens separated by spaces. */
export interface IndexText {
  readonly text: string;
  readonly heading: string;
  readonly symbol: string;
  readonly cjk: string;
}

/** What a document is found by beside its text: aliases, tags, and the strings and numbers of its own metadata. */
export function searchExtras({ aliases, tags, user }: Metadata): readonly string[] {
  const words = [...aliases, ...tags];
  for (const key in user) addWords(user[key] ?? null, words);
  return words;
}

function addWords(value: JsonValue, words: string[]): void {
  if (typeof value === 'string') words.push(value);
  else if (typeof value === 'number') words.push(String(value));
  else if (value !== null && typeof value === 'object') for (const part of Object.values(value)) addWords(part, words);
}
