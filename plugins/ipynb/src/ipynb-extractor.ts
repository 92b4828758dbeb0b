import { stripVTControlCharacters } from 'node:util';
import { readHtml } from '@kebab/formats-kit';
import {
  decodeText,
  DocumentBuilder,
  firstChars,
  invalidInput,
  markdownExtractor,
  type ExtractWarning,
  type Extractor,
} from '@kebab/plugin';

/** The maximum length of the plain output of a cell; more is a log or data, and reported in a warning. */
const MAX_OUTPUT = 20_000;

/** Creates the extractor `ipynb`: the cells of a notebook from 1 on, cited as `#cell=12`, code with its output. */
export function createIpynbExtractor(): Extractor {
  return markdownExtractor({
    id: 'ipynb',
    version: '5',
    extensions: ['ipynb'],
    toMarkdown: async (bytes) => {
      const { text, warnings: decoded } = await decodeText(bytes);
      const warnings: ExtractWarning[] = [...decoded];
      const notebook = parsed(text);
      const { metadata } = notebook;
      const lang = textAt(metadata, 'kernelspec', 'language') || textAt(metadata, 'language_info', 'name') || null;
      const document = new DocumentBuilder();
      for (const [position, cell] of cellsOf(notebook).entries()) {
        document.at({ cell: position + 1 });
        const [kind, source] = [cell['cell_type'], textAt(cell, 'source') || textAt(cell, 'input')];
        if (kind === 'markdown') document.markdown(source);
        else if (kind === 'heading') document.heading(Number(cell['level']) || 1, source);
        else if (kind === 'raw') document.paragraph(source);
        else {
          document.code(source, lang);
          if (await writeOutputs(cell, document)) continue;
          const note = `the output of cell ${position + 1} has more than ${MAX_OUTPUT} characters; the rest was not read`;
          warnings.push({ kind: 'extract_failed', note });
        }
      }
      return document.build({ warnings, title: textAt(metadata, 'title').trim() });
    },
  });
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => value instanceof Object && !Array.isArray(value);

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(withoutNonNumbers(text));
    if (isObject(value)) return value;
  } catch (error) {
    throw invalidInput(`the notebook is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw invalidInput('the notebook is not a JSON object');
}

/** JSON with `null` for NaN and infinities, which Python writes though JSON has none. Strings are unchanged. */
function withoutNonNumbers(json: string): string {
  const token = /"|\bNaN\b|-?\bInfinity\b/g;
  const parts: string[] = [];
  let end = 0;
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    if (match[0] === '"') token.lastIndex = afterString(json, token.lastIndex);
    else {
      parts.push(json.slice(end, match.index), 'null');
      end = token.lastIndex;
    }
  }
  return parts.length === 0 ? json : [...parts, json.slice(end)].join('');
}

function afterString(json: string, start: number): number {
  let end = start;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The cells of format 4, and those of the worksheets of format 3. */
function cellsOf(notebook: Json): readonly Json[] {
  return [notebook, ...objectsIn(notebook['worksheets'])].flatMap(({ cells }) => objectsIn(cells));
}

/** Writes the outputs of a cell, consecutive plain ones in one piece; false if those have more than is read. */
async function writeOutputs({ outputs }: Json, document: DocumentBuilder): Promise<boolean> {
  let [plain, length]: [string[], number] = [[], 0];
  const flush = (): void => {
    document.code(plain.join('\n'));
    plain = [];
  };
  for (const output of objectsIn(outputs)) {
    for (const { kind, text } of await shownBy(output))
      if (kind === 'plain') {
        plain.push(firstChars(text, Math.max(0, MAX_OUTPUT - length)));
        length += text.length;
      } else {
        flush();
        if (kind === 'html') await readHtml(text, document);
        else if (kind === 'markdown') document.markdown(text);
        else document.paragraph(text);
      }
  }
  flush();
  return length <= MAX_OUTPUT;
}

interface ShownOutput {
  readonly kind: 'plain' | 'markdown' | 'html' | 'latex';
  readonly text: string;
}

/** Kinds of output that say more than the name of an object, the best first. */
const RICH = ['markdown', 'html', 'latex'] as const;

/** The name of an object instead of what it shows: `<IPython.core.display.Markdown object>`, `<Figure size 640x480 with 1 Axes>`. */
const OBJECT = /^<[^<>]+>$/;

/**
 * What a person sees of an output: its plain text, unless that only names an object which has another form, and a rich form that the plain text
 * lacks or of which it lacks words.
 */
async function shownBy(output: Json): Promise<readonly ShownOutput[]> {
  const error = errorText(output);
  if (error !== '') return [{ kind: 'plain', text: error }];
  const form = (name: string): string =>
    textAt(output, 'data', `text/${name}`) || (name === 'plain' ? textAt(output, 'text') : textAt(output, name));
  const plain = terminalText(form('plain'));
  const kind = RICH.find((name) => form(name).trim() !== '');
  const rich = kind === undefined ? [] : [{ kind, text: form(kind) }];
  const isOnlyName = OBJECT.test(plain.trim()) && (kind !== undefined || hasOtherForm(output));
  if (plain.trim() === '' || isOnlyName) return rich.length > 0 ? rich : dataOf(output);
  const isAll = kind === undefined || kind === 'latex' || hasWordsOf(plain, await plainOf(kind, form(kind)));
  return [{ kind: 'plain', text: plain }, ...(isAll ? [] : rich)];
}

/** Whether an output has a form besides its plain text. */
function hasOtherForm({ data, ...output }: Json): boolean {
  const names = [...Object.keys(isObject(data) ? data : {}), ...Object.keys(output)];
  return names.some((name) => /\/(?!plain$)|^(?:png|jpeg|svg)$/.test(name));
}

/** Data that an output shows as a tree. */
function dataOf({ data }: Json): readonly ShownOutput[] {
  const json = isObject(data) ? data['application/json'] : undefined;
  return json instanceof Object ? [{ kind: 'plain', text: JSON.stringify(json, null, 2) }] : [];
}

async function plainOf(kind: 'markdown' | 'html', text: string): Promise<string> {
  if (kind === 'markdown') return text;
  const document = new DocumentBuilder();
  await readHtml(text, document);
  return document.build().text;
}

/** Whether a text has all words of another one. */
function hasWordsOf(text: string, other: string): boolean {
  const words = new Set(wordsOf(text));
  return wordsOf(other).every((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** The name and message of an error, and where it happened. */
function errorText(output: Json): string {
  const { traceback } = output;
  const [name, message] = [textAt(output, 'ename'), textAt(output, 'evalue')].map((text) => terminalText(text).trim());
  const head = [name, message].filter((text) => text !== '').join(': ');
  const lines = (Array.isArray(traceback) ? traceback : []).filter((line) => typeof line === 'string');
  const trace = terminalText(lines.join('\n')).trim();
  return trace.includes(head) ? trace : `${head}\n${trace}`.trim();
}

/** Text as a terminal shows it: without control sequences, and of a line written again only its last state. */
function terminalText(text: string): string {
  const lines = stripVTControlCharacters(text).replaceAll(/\r+\n/g, '\n').split('\n');
  return lines.map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1)).join('\n');
}

/** A text inside a notebook: one string, or its lines; empty if there is none. */
function textAt(value: unknown, ...path: readonly string[]): string {
  const member = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
  const lines: readonly unknown[] = Array.isArray(member) ? member : [member];
  return lines.filter((line) => typeof line === 'string').join('');
}

function objectsIn(list: unknown): readonly Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
