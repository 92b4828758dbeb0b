import {
  decodeText,
  DocumentBuilder,
  firstChars,
  invalidInput,
  markdownExtractor,
  type Extractor,
} from '@kebab/plugin';

/** Longer output of a cell is a log or data; its beginning is enough. */
const MAX_OUTPUT = 2000;

/** Creates the extractor `ipynb`: the cells of a notebook from 1 on, cited as `#cell=12`, code with its output. */
export function createIpynbExtractor(): Extractor {
  return markdownExtractor({
    id: 'ipynb',
    extensions: ['ipynb'],
    toMarkdown: (bytes) => {
      const { text, warnings } = decodeText(bytes);
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
        else document.code(source, lang).code(firstChars(printedBy(cell), MAX_OUTPUT));
      }
      return document.build({ warnings, title: textAt(metadata, 'title').trim() });
    },
  });
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => value instanceof Object && !Array.isArray(value);

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw invalidInput(`the notebook is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw invalidInput('the notebook is not a JSON object');
}

/** The cells of format 4, and those of the worksheets of format 3. */
function cellsOf(notebook: Json): readonly Json[] {
  return [notebook, ...objectsIn(notebook['worksheets'])].flatMap(({ cells }) => objectsIn(cells));
}

/** The text output of a cell. */
function printedBy({ outputs }: Json): string {
  const texts = objectsIn(outputs).map(
    (output) => textAt(output, 'text') || textAt(output, 'data', 'text/plain') || textAt(output, 'evalue'),
  );
  return texts.filter((text) => text !== '').join('\n');
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
