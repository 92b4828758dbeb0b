import type { JsonValue } from '../domain/json.ts';
import type { Metadata } from '../domain/metadata.ts';
import { splitScripts } from './cjk-run.ts';
import { identifierParts } from './identifier-parts.ts';
import { searchForm } from './search-form.ts';

/**
 * The version of the analysis of index and query, and of the layout of the full-text index. It changes whenever the same text could be
 * indexed, or the same query ranked, differently.
 */
export const INDEX_VERSION = 'v1.2';

/** What a chunk is indexed by, before analysis. Only `text` is ever shown or cited. */
export interface IndexMaterial {
  /** The chunk's own slice. */
  readonly text: string;
  /** Title, heading path and words of the file name have a higher weight than the text. */
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly workspacePath: string;
  readonly symbol: string | null;
  /** Only for the first chunk of a document: aliases, tags, and string and number values of unknown front matter keys. */
  readonly extra: readonly string[];
  /** A plugin's contextual prefix. */
  readonly prefix: string | null;
}

/** The columns of the full-text index, after analysis; tokens are separated by spaces. */
export interface IndexText {
  readonly text: string;
  readonly heading: string;
  readonly symbol: string;
  readonly cjk: string;
  /** The plugin's prefix that `text` and `cjk` include, for stores that analyse a chunk again; absent if there is none. */
  readonly prefix?: string | undefined;
}

/** What a document is indexed by besides its text: aliases, tags, and the strings and numbers of its own metadata. */
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

/**
 * Makes the columns of the full-text index from the index material of a chunk. Words are copied in their search form; the tokenizer of the index
 * lower-cases, folds and stems them. It adds only tokens that the tokenizer cannot find: parts of identifiers, and bigrams of Han, Hangul
 * and kana, whose runs are removed from the words.
 */
export function analyseChunk(material: IndexMaterial): IndexText {
  const { text, extra, prefix } = material;
  const body = prefix === null && extra.length === 0 ? text : [text, ...extra, prefix ?? ''].join('\n');
  const split = splitScripts(searchForm(body));
  return {
    text: split.words + identifierParts(split.words),
    heading: analyseField(headingOf(material)),
    symbol: material.symbol === null ? '' : analyseField(material.symbol),
    cjk: split.cjk,
    ...(prefix === null ? {} : { prefix }),
  };
}

/** Analyses a field whose words and bigrams share one column. */
export function analyseField(text: string): string {
  const { words, cjk } = splitScripts(searchForm(text));
  const parts = identifierParts(words);
  return cjk === '' ? words + parts : `${words + parts} ${cjk}`;
}

/** Title, headings and file name without repetition: the title usually equals the first heading or the file name. */
function headingOf({ title, headingPath, workspacePath }: IndexMaterial): string {
  const name = workspacePath.slice(workspacePath.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  let heading = headingPath.includes(title) ? '' : title;
  for (const part of headingPath) heading += `\n${part}`;
  return stem === title ? heading : `${heading}\n${stem}`;
}
