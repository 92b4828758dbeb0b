import type { TextRange } from '@kebab/plugin';
import type { Recovery } from './language-pack.ts';

/** A unit that the parser does not get to see, because its brackets are not balanced. */
export interface BrokenUnit extends TextRange {
  readonly name: string;
}

/** A text without its broken parts, equally long, and the units among these. */
export interface WithoutBroken {
  readonly text: string;
  readonly units: readonly BrokenUnit[];
}

/** With more broken parts than this, the text is not what its indentation says. */
const MAX_BROKEN = 20;
const MAX_DEPTH = 8;
/** The part of a line in which the name of a unit is searched. */
const MAX_HEAD_CHARS = 300;

/**
 * Blanks the smallest indented blocks whose brackets are not balanced, so that one broken parenthesis costs the parser one statement or
 * unit rather than the rest of the file. Null when there are none, or too many.
 */
export function withoutBroken(text: string, { notCode, unitLine, filler = '' }: Recovery): WithoutBroken | null {
  const code = text.replaceAll(notCode, blank);
  const broken = brokenBlocks(linesOf(code), code, 0);
  if (broken.length === 0 || broken.length > MAX_BROKEN) return null;
  let [result, at] = ['', 0];
  const units: BrokenUnit[] = [];
  for (const { start, end, indent } of broken) {
    const written = text.slice(start, end).split('\n');
    const head = written[0] ?? '';
    const heads = written.map((line) => line.replace(LEADS, '$1'));
    const first = heads.find((line) => line.trim() !== '') ?? '';
    const name = unitLine
      .exec(first.slice(0, MAX_HEAD_CHARS))
      ?.slice(1)
      .find((group) => group !== undefined);
    if (name !== undefined) units.push({ name, start: start + indent, end });
    const from = start + indent;
    result += text.slice(at, from) + filler.slice(0, head.length - indent);
    result += blank(text.slice(from + Math.min(filler.length, head.length - indent), end));
    at = end;
  }
  return { text: result + text.slice(at), units };
}

/** The annotations or decorators before what else is on a line, behind its indentation. */
const LEADS = /^(\s*)(?:@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?(?:\s+|$))+/;

/** A text of spaces, with the newlines of another one. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** The offset of the brace up to `end` that closes the one before `start`; -1 if there is none. */
export function closingBrace(code: string, start: number, end = code.length): number {
  let depth = 1;
  for (let at = start; at < end; at++) {
    const char = code.charCodeAt(at);
    if (char === 123) depth++;
    else if (char === 125 && --depth === 0) return at;
  }
  return -1;
}

interface Line extends TextRange {
  /** The number of characters of white space before it. */
  readonly indent: number;
  /** Whether it continues or ends the block above: it begins with a closing bracket, or an opening one alone. */
  readonly isTail: boolean;
  /** Whether it belongs to the block below: a decorator or an annotation. */
  readonly isLead: boolean;
}

/** The lines of a text that are not blank. */
function linesOf(code: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < code.length;) {
    const newline = code.indexOf('\n', start);
    const end = newline === -1 ? code.length : newline;
    const line = code.slice(start, end);
    const written = line.trim();
    if (written !== '') {
      const indent = line.length - line.trimStart().length;
      lines.push({
        start,
        end,
        indent,
        isTail: /^[)\]}]|^[{([]$/.test(written),
        isLead: written.replace(LEADS, '') === '',
      });
    }
    start = end + 1;
  }
  return lines;
}

interface Block extends TextRange {
  readonly indent: number;
}

/** The smallest blocks of some lines that are not balanced. */
function brokenBlocks(lines: readonly Line[], code: string, depth: number): readonly Block[] {
  const broken: Block[] = [];
  for (const block of blocksOf(lines)) {
    const [first, last] = [block[0], block.at(-1)];
    if (first === undefined || last === undefined || isBalanced(code, [first, ...block.slice(1)])) continue;
    const below = block.slice(block.findIndex(({ isLead }) => !isLead) + 1);
    const content = below.filter(({ isTail, indent }) => !isTail || indent > first.indent);
    const parts = depth < MAX_DEPTH ? brokenBlocks(content, code, depth + 1) : [];
    const inner = parts.length > MAX_BROKEN ? [] : parts;
    const rest = block.filter(({ start }) => !inner.some((part) => part.start <= start && start < part.end));
    if (inner.length > 0 && isBalanced(code, rest)) broken.push(...inner);
    else broken.push({ start: first.start, end: last.end, indent: first.indent });
  }
  return broken;
}

/** Lines by blocks: a line, and those below it that are indented more or end it. */
function blocksOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const least = lines.reduce((min, { indent }) => Math.min(min, indent), Number.POSITIVE_INFINITY);
  const blocks: Line[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last === undefined || (line.indent <= least && !line.isTail && last.at(-1)?.isLead !== true))
      blocks.push([line]);
    else last.push(line);
  }
  return blocks;
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function isBalanced(code: string, lines: readonly TextRange[]): boolean {
  const open: string[] = [];
  for (const { start, end } of lines)
    for (let at = start; at < end; at++) {
      const char = code.charAt(at);
      if (char === '(' || char === '[' || char === '{') open.push(char);
      else if ((char === ')' || char === ']' || char === '}') && open.pop() !== PAIRS[char]) return false;
    }
  return open.length === 0;
}
