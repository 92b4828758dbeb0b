import type { TextRange } from '@kebab/core';

/** Begins a document, or ends one, wherever a line starts with it: inside a scalar it is not allowed. */
const BEGIN = /^---(?=\s|$)/;
const END = /^\.\.\.(?=\s|$)/;
/** What adds nothing to a document: blank lines, comments, directives, markers alone. */
const WITHOUT_CONTENT = /^\s*(?:#.*)?$|^%|^(?:---|\.\.\.)\s*(?:#.*)?$/;

interface OpenDocument {
  readonly start: number;
  end: number;
  hasContent: boolean;
}

/**
 * Cuts a YAML stream into its documents, in order; together they hold every line that is not blank. The line `---` belongs
 * to the document it begins, and so do comments and directives before it that no other document holds.
 */
export function yamlDocuments(text: string): readonly TextRange[] {
  const documents: TextRange[] = [];
  let open: OpenDocument | null = null;
  const close = (): void => {
    if (open !== null) documents.push({ start: open.start, end: open.end });
    open = null;
  };
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    if (line.trim() === '') continue;
    if (hasContent(open) && BEGIN.test(line)) close();
    open = grown(open, { start, end }, !WITHOUT_CONTENT.test(line));
    if (hasContent(open) && END.test(line)) close();
  }
  const last = documents.at(-1);
  if (open === null || last === undefined || hasContent(open)) close();
  else documents[documents.length - 1] = { start: last.start, end: open.end };
  return documents;
}

function hasContent(document: OpenDocument | null): boolean {
  return document?.hasContent === true;
}

function grown(document: OpenDocument | null, { start, end }: TextRange, content: boolean): OpenDocument {
  return { start: document?.start ?? start, end, hasContent: content || hasContent(document) };
}

function* linesOf(text: string): Generator<TextRange> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield { start, end };
    start = end + 1;
  }
}
