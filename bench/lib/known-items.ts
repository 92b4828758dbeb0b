import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A declaration to be found again; lines are 1-based, inclusive, and those of the stripped copy. */
export interface KnownItem {
  readonly path: string;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A query with the one declaration that answers it. */
export interface KnownItemCase {
  readonly text: string;
  readonly item: KnownItem;
}

/** A code corpus without documentation comments, and queries for it. */
export interface KnownItemSet {
  /** File contents by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The first sentence of a declaration's documentation. */
  readonly sentences: readonly KnownItemCase[];
  /** The bare name of a declaration that occurs in several files. */
  readonly names: readonly KnownItemCase[];
}

/** A folder to read code from, and the name for its files. */
export interface CodeFolder {
  readonly folder: string;
  readonly as: string;
}

const CODE_FILE = /\.(?:ts|tsx|js|mjs|cjs)$/;
const SKIPPED_FILE = /\.d\.[cm]?ts$|\.min\.js$|\.generated\./;
const SKIPPED_FOLDER = new Set(['node_modules', 'dist', 'cjs']);
const DECLARATION =
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|const|let|var)\s+([A-Za-z_$][\w$]*)/;
const METHOD =
  /^\s+(?:(?:public|private|protected|static|async|override|readonly|get|set)\s+)*\*?(#?[A-Za-z_$][\w$]*)\s*(?:<[^(]*>)?\(/;
const NOT_A_METHOD = new Set([
  'if',
  'for',
  'while',
  'switch',
  'return',
  'catch',
  'function',
  'await',
  'throw',
  'super',
]);

/**
 * Creates a known-item set from TypeScript and JavaScript: the query is the first sentence of a declaration's documentation comment, the
 * answer is the declaration, and all documentation comments are removed from the indexed copy. Sentences that contain the whole name, are
 * not unique or have fewer than five words are skipped; `max` are selected by hash.
 */
export function makeKnownItems(folders: readonly CodeFolder[], max: number): KnownItemSet {
  const files = new Map<string, string>();
  const documented: { readonly sentence: string; readonly item: KnownItem }[] = [];
  for (const { folder, as } of folders)
    for (const name of codeFiles(folder)) {
      const { text, items } = strip(readFileSync(path.join(folder, name), 'utf8'), `${as}/${name}`);
      files.set(`${as}/${name}`, text);
      documented.push(...items);
    }
  const seen = countBy(documented, ({ sentence }) => sentence.toLowerCase());
  const good = documented.filter(
    ({ sentence, item }) => isGoodQuery(sentence, item) && seen.get(sentence.toLowerCase()) === 1,
  );
  const declared = countBy(documented, ({ item }) => item.name);
  const unique = documented.filter(({ item }) => item.name.length > 3 && declared.get(item.name) === 1);
  const mentioned = unique.filter(({ item }) => filesWith(files, item.name) > 1);
  return {
    files,
    sentences: draw(good, max).map(({ sentence, item }) => ({ text: sentence, item })),
    names: draw(mentioned, max).map(({ item }) => ({ text: item.name, item })),
  };
}

/** Writes the files of a set into a folder. */
export async function writeCode(set: KnownItemSet, folder: string): Promise<void> {
  for (const [name, text] of set.files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function codeFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => CODE_FILE.test(name) && !SKIPPED_FILE.test(name))
    .filter((name) => !name.split('/').some((part) => SKIPPED_FOLDER.has(part)))
    .toSorted();
}

interface Stripped {
  readonly text: string;
  readonly items: readonly { readonly sentence: string; readonly item: KnownItem }[];
}

/** Removes the documentation comments from a file and records the declaration after each. */
function strip(source: string, file: string): Stripped {
  const kept: string[] = [];
  const found: { readonly doc: string; readonly name: string; readonly line: number }[] = [];
  let doc: string | null = null;
  const lines = source.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (/^\s*\/\*\*(?!\/)/.test(line)) {
      const comment: string[] = [];
      for (; i < lines.length; i++) {
        comment.push((lines[i] ?? '').replace(/^\s*\/?\*+\s?|\*\/\s*$/g, ''));
        if ((lines[i] ?? '').includes('*/')) break;
      }
      doc = comment.join('\n');
      continue;
    }
    kept.push(line);
    const name = DECLARATION.exec(line)?.[1] ?? METHOD.exec(line)?.[1];
    if (doc !== null && name !== undefined && !NOT_A_METHOD.has(name)) found.push({ doc, name, line: kept.length });
    if (line.trim() !== '' && !/^\s*@/.test(line)) doc = null;
  }
  const items = found.map(({ doc: text, name, line }) => ({
    sentence: firstSentence(text),
    item: { path: file, name: name.replace(/^#/, ''), startLine: line, endLine: endOf(kept, line) },
  }));
  return { text: kept.join('\n'), items };
}

/** The line on which the declaration that begins on a line ends, by its indentation. */
function endOf(lines: readonly string[], start: number): number {
  const own = indentOf(lines[start - 1] ?? '');
  if (/[;}]\s*$/.test(lines[start - 1] ?? '') && !/[{([]\s*$/.test(lines[start - 1] ?? '')) return start;
  for (let i = start; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() !== '' && indentOf(line) <= own && /^\s*[\])}]/.test(line) && !/[{([]\s*$/.test(line)) return i + 1;
  }
  return start;
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

function firstSentence(doc: string): string {
  const paragraph =
    doc
      .trim()
      .split(/\n\s*\n|\n\s*@/)[0]
      ?.replaceAll(/\s+/g, ' ')
      .trim() ?? '';
  if (paragraph.startsWith('@')) return '';
  const plain = paragraph.replaceAll(/\{@\w+\s+([^}|]*)[^}]*\}/g, '$1').replaceAll(/\[([^\]]*)\]\([^)]*\)|`+/g, '$1');
  const sentence = /^(.*?[.!?:])(?=\s+[A-Z("']|\s*$)/.exec(plain)?.[1] ?? plain;
  return sentence.replace(/[.:]$/, '').trim();
}

function isGoodQuery(sentence: string, { name, startLine, endLine }: KnownItem): boolean {
  const words = sentence.split(/\s+/).length;
  const own = partsOf(name);
  const asked = new Set(partsOf(sentence));
  const givesAway = own.every((part) => asked.has(part));
  return (
    words >= 5 && words <= 30 && endLine > startLine && !givesAway && !/^(?:see|deprecated|todo)\b/i.test(sentence)
  );
}

function partsOf(text: string): readonly string[] {
  return text
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((part) => part.length > 2)
    .map((part) => part.toLowerCase());
}

function filesWith(files: ReadonlyMap<string, string>, name: string): number {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  let count = 0;
  for (const text of files.values()) if (text.includes(name) && word.test(text)) count++;
  return count;
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** Selects items deterministically, whatever their order. */
function draw<T extends { readonly sentence: string; readonly item: KnownItem }>(
  items: readonly T[],
  max: number,
): readonly T[] {
  const keyOf = ({ sentence, item }: T): string =>
    createHash('sha256').update(`${item.path}#${item.name}#${sentence}`).digest('hex');
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, max)
    .map(({ item }) => item);
}
