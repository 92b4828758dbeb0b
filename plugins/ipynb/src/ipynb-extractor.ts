import {
  decodeText,
  DocumentBuilder,
  firstChars,
  invalidInput,
  markdownExtractor,
  type Extractor,
} from '@kebab/plugin';

/** Longer output of a cell is a log or data; the beginning tells what it is. */
const MAX_OUTPUT = 2000;

type Json = Readonly<Record<string, unknown>>;

/** Makes the extractor `ipynb`: the cells of a notebook from 1 on, cited as `#cell=12`, code with what it printed. */
export function createIpynbExtractor(): Extractor {
  return markdownExtractor({
    id: 'ipynb',
    extensions: ['ipynb'],
    toMarkdown: (bytes) => {
      const { text, warnings } = decodeText(bytes);
      const notebook = parsed(text);
      const lang =
        textOf(at(notebook, 'metadata', 'kernelspec', 'language')) ||
        textOf(at(notebook, 'metadata', 'language_info', 'name'));
      const document = new DocumentBuilder();
      for (const [position, cell] of cellsOf(notebook).entries()) {
        document.at({ cell: position + 1 });
        const source = textOf(cell['source'] ?? cell['input']);
        if (cell['cell_type'] === 'markdown') document.markdown(source);
        else if (cell['cell_type'] === 'heading') document.heading(Number(cell['level']) || 1, source);
        else if (cell['cell_type'] === 'raw') document.paragraph(source);
        else document.code(source, lang || null).code(firstChars(printed(cell), MAX_OUTPUT));
      }
      return document.build({ warnings, ...title(notebook) });
    },
  });
}

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
  const lists = [notebook['cells'], ...arrayOf(notebook['worksheets']).map((sheet) => at(sheet, 'cells'))];
  return lists.flatMap((cells) => arrayOf(cells).filter(isObject));
}

/** What a cell printed or returned, as far as it is text. */
function printed(cell: Json): string {
  return arrayOf(cell['outputs'])
    .map(
      (output) =>
        textOf(at(output, 'text')) || textOf(at(output, 'data', 'text/plain')) || textOf(at(output, 'evalue')),
    )
    .filter((text) => text !== '')
    .join('\n');
}

function title(notebook: Json): { readonly title?: string } {
  const given = textOf(at(notebook, 'metadata', 'title')).trim();
  return given === '' ? {} : { title: given };
}

/** A text of a notebook: one string, or its lines. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === 'string').join('');
  return typeof value === 'string' ? value : '';
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
