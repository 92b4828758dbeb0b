import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Block } from '../domain/block.ts';
import type { DocumentId } from '../domain/ids.ts';
import { LineIndex } from '../domain/span.ts';
import { throwIfCancelled } from '../errors/abort.ts';

/** A named part of a document: a unit of source code, a constant beside the units, or a section. */
export interface DocumentUnit {
  /** With the names around it, as in `src/retry.Backoff.next`; for a section its heading. */
  readonly symbol: string;
  /** The last part of the symbol. */
  readonly name: string;
  /** 0 for the outermost. */
  readonly depth: number;
  /** First and last line, 1-based, inclusive, with leading comments and with the members of a container. */
  readonly start: number;
  readonly end: number;
  /** The line that declares it. */
  readonly line: number;
  /** Its page or anchor, where the document has no lines: `page 3`. */
  readonly at: string | null;
  /** Whether other units are inside. */
  readonly isContainer: boolean;
}

/** A document with its text and units. */
export interface ReadDocument {
  readonly document: DocumentRow;
  readonly text: string;
  readonly lines: LineIndex;
  readonly units: readonly DocumentUnit[];
  /** Whether the lines of the text are lines of the file. */
  readonly hasLines: boolean;
}

/** How many documents are read at a time. */
const DOCUMENTS_AT_ONCE = 50;

/** The documents with some ids that exist, in the order of the ids. */
export async function* readDocuments(
  store: DocumentStore,
  ids: readonly DocumentId[],
  signal?: AbortSignal,
): AsyncGenerator<ReadDocument> {
  for (let from = 0; from < ids.length; from += DOCUMENTS_AT_ONCE) {
    throwIfCancelled(signal, 'reading documents');
    const documents = await store.getDocuments(ids.slice(from, from + DOCUMENTS_AT_ONCE));
    const docIds = documents.map(({ docId }) => docId);
    const [texts, blocks] = await Promise.all([
      store.readTexts(docIds.map((docId) => ({ docId }))),
      store.getBlocks(docIds),
    ]);
    for (const [at, document] of documents.entries()) {
      const own = blocks.get(document.docId) ?? [];
      const text = texts[at] ?? '';
      const hasLines = document.media !== 'pdf' && hasFileLines(own);
      yield { document, text, lines: new LineIndex(text), units: unitsOf(own, text), hasLines };
    }
  }
}

/** Whether the lines of the text are lines of the file. */
export function hasFileLines(blocks: readonly Block[]): boolean {
  return blocks.every(({ sourceSpan: { kind } }) => kind === 'line' || kind === 'code' || kind === 'byte');
}

/** The units of a document in the order of their lines, a container before its members. */
export function unitsOf(blocks: readonly Block[], text: string): readonly DocumentUnit[] {
  const lines = new LineIndex(text);
  const building: Building[] = [];
  const open: Building[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') addSection(block, { lines, building, open });
    else if (block.kind === 'code' && block.sourceSpan.kind === 'code') addCode(block, { lines, building, open, text });
  }
  // A section ends where the next one of its level begins, and the last ones with the text.
  for (const unit of open) if (unit.level > 0) unit.end = Math.max(unit.end, lines.count);
  return building.map(({ level: _level, indent: _indent, ...unit }) => unit);
}

interface Building extends DocumentUnit {
  end: number;
  isContainer: boolean;
  /** Of a heading; 0 for code. */
  readonly level: number;
  readonly indent: number;
}

interface Outline {
  readonly lines: LineIndex;
  readonly building: Building[];
  /** The units around the current place, outermost first. */
  readonly open: Building[];
}

type HeadingBlock = Extract<Block, { readonly kind: 'heading' }>;
type CodeBlock = Extract<Block, { readonly kind: 'code' }>;

function addSection({ level, text, start, end, sourceSpan }: HeadingBlock, { lines, building, open }: Outline): void {
  const range = lines.linesOf(start, end);
  while ((open.at(-1)?.level ?? 0) >= level) {
    const closed = open.pop();
    if (closed !== undefined) closed.end = Math.max(closed.line, range.start - 1);
  }
  const at: string | null =
    sourceSpan.kind === 'page' ? `page ${sourceSpan.page}` : sourceSpan.kind === 'anchor' ? sourceSpan.anchor : null;
  const around = open.at(-1);
  if (around !== undefined) around.isContainer = true;
  const names = { symbol: text, name: text, depth: open.length };
  const unit = { ...names, ...range, line: range.start, at, isContainer: false, level, indent: 0 };
  building.push(unit);
  open.push(unit);
}

function addCode(block: CodeBlock, outline: Outline & { readonly text: string }): void {
  const { lines, building, open, text } = outline;
  const { symbol } = block;
  const range = lines.linesOf(block.start, block.end);
  if (symbol === null || REST.test(symbol)) {
    while (open.at(-1)?.level === 0) open.pop();
    building.push(...constantsOf(block, outline));
    return;
  }
  while (open.at(-1)?.level === 0 && !isWithin(symbol, open.at(-1)?.symbol ?? '')) open.pop();
  const around = open.at(-1);
  const name = around !== undefined && around.symbol !== symbol ? nameWithin(symbol, around.symbol) : lastStep(symbol);
  const line = declaringLine(text, lines, { name, ...range });
  const indent = indentOf(text, lines.startOf(line));
  if (around?.symbol === symbol) {
    const isAgain = indent <= around.indent && hasWord(lineAt(text, lines, line), name);
    if (!isAgain) return extend(open, range.end); // the rest of a container, behind a member
    open.pop();
  }
  extend(open, range.end);
  const parent = open.at(-1);
  if (parent !== undefined) parent.isContainer = true;
  const { start } = range;
  let { end } = range;
  while (end > line && indentOf(text, lines.startOf(end)) < indent && CLOSING.test(lineAt(text, lines, end))) end--;
  const unit = { symbol, name, depth: open.length, start, end, line, at: null, isContainer: false, level: 0, indent };
  building.push(unit);
  open.push(unit);
}

/** What closes a container stands in the block of its last member. */
const CLOSING = /^[\s)\]};,]*$/;

/** Code between the units of a file, or of a file without units. */
const REST = /^<[\w-]+>$/;

function extend(open: readonly Building[], end: number): void {
  for (const unit of open) unit.end = Math.max(unit.end, end);
}

const SEPARATOR = String.raw`::|[./#]|->`;
const LEADING_SEPARATOR = new RegExp(`^(?:${SEPARATOR})`, 'u');

function isWithin(symbol: string, container: string): boolean {
  if (symbol === container) return true;
  return symbol.startsWith(container) && LEADING_SEPARATOR.test(symbol.slice(container.length));
}

/** What a symbol adds to that of its container, which the title of a test may add as a sentence. */
function nameWithin(symbol: string, container: string): string {
  if (!isWithin(symbol, container)) return lastStep(symbol);
  const rest = symbol.slice(container.length).replace(LEADING_SEPARATOR, '');
  return /\s/.test(rest) ? rest : lastStep(rest);
}

/** The last part of a symbol; the title of a test and the path of a route are kept whole. */
function lastStep(symbol: string): string {
  const [, type = '', member] = IMPLEMENTATION.exec(symbol) ?? [];
  if (type !== '') return member ?? lastStep(type.replace(/<.*/s, ''));
  const name = /\s/.test(symbol) ? symbol.replace(/^\S*(?:::|[./#]|->)(?=\S*\s)/u, '') : symbol.split(STEP).at(-1);
  return name === undefined || name === '' ? symbol : name;
}

const STEP = new RegExp(SEPARATOR, 'u');
/** A trait's implementation, `<Type as Trait>`, or a member of one. */
const IMPLEMENTATION = /^<(.+?) as .+?>(?:::(\w+))?$/su;

const COMMENT =
  /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|if|include|undef|pragma))(?=[\s!#[:]|$)|--|;|"""|'''|@|\[\[?[\w:]+)/;

/** Comments and annotations before a declaration, also over several lines; on its own line too. */
const LEADING =
  /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/|#(?=[\s!:]|$)(?!\s*(?:define|if|include|undef|pragma)).*|#!?\[(?:[^[\]]|\[[^[\]]*\])*\]|@(?!interface\b)[\w.:]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?)+/;

/** The first line that names the unit outside of comments and attributes; else the first line that is none of these. */
function declaringLine(
  text: string,
  lines: LineIndex,
  { name, start: first, end }: Pick<DocumentUnit, 'name' | 'start' | 'end'>,
): number {
  const word = name.replace(/!$/, '');
  const from = lines.startOf(first);
  const start = from + (LEADING.exec(text.slice(from, lines.startOf(end + 1)))?.[0].length ?? 0);
  let code: number | null = null;
  for (let { start: line } = lines.linesOf(start, start + 1); line <= end; line++) {
    const written = text.slice(Math.max(start, lines.startOf(line)), lines.startOf(line + 1));
    if (written.trim() === '' || COMMENT.test(written)) continue;
    if (hasWord(written, word)) return line;
    code ??= line;
  }
  return code ?? first;
}

/** A line of a text, without its newline. */
export function lineAt(text: string, lines: LineIndex, line: number): string {
  return text.slice(lines.startOf(line), lines.startOf(line + 1)).replace(/\r?\n$/, '');
}

function indentOf(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at, at + 500))?.[0].length ?? 0;
}

const PART = /[\p{L}\p{N}_$]/u;

/** Like {@link wordPattern}, whose expression takes much longer to compile than to find a name that is looked for once. */
function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!PART.test(text.charAt(at - 1)) && !PART.test(text.charAt(at + name.length))) return true;
  return false;
}

/** Matches a name where it stands alone, not as a part of a longer identifier. */
export function wordPattern(name: string, flags = 'u'): RegExp {
  const escaped = name.replaceAll(/[$.*+?^{}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped}(?![\p{L}\p{N}_$])`, flags);
}

const IDENTIFIER = String.raw`([\p{L}_$][\p{L}\p{N}_$]*)`;
const KEYWORD = new RegExp(
  String.raw`^(?:(?:export|default|declare|pub(?:\([^)]*\))?|public|private|protected|internal|readonly|unsafe|final|lateinit)\s+)*` +
    String.raw`(?:#[ \t]*define|(?:const\s+val|const|let|var|val|static|type|typealias)(?:\s+(?:mut|enum))?)\s+${IDENTIFIER}`,
  'u',
);
const ASSIGNED = new RegExp(String.raw`^${IDENTIFIER}[ \t]*(?::[^=\n]+)?(?:=(?![=>])|:=)`, 'u');
const C_VARIABLE = new RegExp(
  String.raw`^(?!(?:typedef|using|extern|return|goto)\b|(?:struct|union|enum|class)\s+\w+;)[\p{L}_][^=(;{]*?[ \t*&]${IDENTIFIER}[ \t]*(?:\[[^\]]*\][ \t]*)*(?:=(?!=)|;)`,
  'u',
);
const C_DEFINED = new RegExp(String.raw`^#[ \t]*define[ \t]+${IDENTIFIER}`, 'u');
const CONTINUES = /^(?:\s|[)\]}]|$)/;

/** The constants and variables that code beside the units declares at the beginning of a line. */
function constantsOf(block: CodeBlock, { lines, text }: Outline & { readonly text: string }): readonly Building[] {
  const isC = block.lang === 'c' || block.lang === 'cpp';
  const patterns = isC ? [C_DEFINED, C_VARIABLE] : [KEYWORD, ASSIGNED];
  const range = lines.linesOf(block.start, block.end);
  const constants: Building[] = [];
  let isOpen = false;
  for (let line = range.start; line <= range.end; line++) {
    const written = lineAt(text, lines, line).slice(0, MAX_DECLARATION);
    const name = patterns.map((pattern) => pattern.exec(written)?.[1]).find((found) => found !== undefined);
    const last = constants.at(-1);
    if (name !== undefined) {
      const known = { symbol: name, name, depth: 0, start: line, end: line, line, at: null, isContainer: false };
      constants.push({ ...known, level: 0, indent: 0 });
      isOpen = true;
    } else if (!CONTINUES.test(written)) isOpen = false;
    else if (isOpen && last !== undefined && written.trim() !== '') last.end = line;
  }
  return constants;
}

/** Longer lines are data. */
const MAX_DECLARATION = 1000;
