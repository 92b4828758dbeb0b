import type { JsonValue } from '../domain/json.ts';
import type { Metadata } from '../domain/metadata.ts';
import { splitScripts } from './cjk-run.ts';
import { identifierParts } from './identifier-parts.ts';

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

/** Below this every character is its own NFC form, and none belongs to a script without word borders. */
const BEYOND_LATIN = /[\u0300-\uFFFF]/;

/**
 * Makes the columns of the full-text index from what a chunk is found by. Words go in as they stand in the text: the
 * tokenizer of the index lowers, folds and stems them. Added are only the tokens that it cannot find by itself: parts of
 * identifiers, and pairs of characters of Han, Hangul and kana, which leave the words of their column.
 */
export function analyseChunk(material: IndexMaterial): IndexText {
  const { text, extra, prefix } = material;
  const body = prefix === null && extra.length === 0 ? text : [text, ...extra, prefix ?? ''].join('\n');
  const split = scriptsOf(body);
  return {
    text: split.words + identifierParts(split.words),
    heading: analyseField(headingOf(material)),
    symbol: material.symbol === null ? '' : analyseField(material.symbol),
    cjk: split.cjk,
  };
}

function scriptsOf(text: string): ReturnType<typeof splitScripts> {
  return BEYOND_LATIN.test(text) ? splitScripts(text.normalize('NFC')) : { words: text, cjk: '' };
}

/** A field whose words and pairs of characters stand in one column. */
function analyseField(text: string): string {
  const { words, cjk } = scriptsOf(text);
  const parts = identifierParts(words);
  return cjk === '' ? words + parts : `${words + parts} ${cjk}`;
}

/** Title, headings and file name, each once: the title is most often the first heading, or the name of the file. */
function headingOf({ title, headingPath, workspacePath }: IndexMaterial): string {
  const name = workspacePath.slice(workspacePath.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  let heading = headingPath.includes(title) ? '' : title;
  for (const part of headingPath) heading += `\n${part}`;
  return stem === title ? heading : `${heading}\n${stem}`;
}
