import type { JsonValue } from '../domain/canonical-json.ts';
import type { Metadata } from '../domain/metadata.ts';

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
