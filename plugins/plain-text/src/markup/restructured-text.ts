import { indentOf, isBlank, type Mark, type Marked } from './marks.ts';

/** A line of one repeated punctuation character. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1*\s*$/;
const MIN_ADORNMENT = 4;

/** Directives that describe a name: `.. py:data:: NAME`, `.. function:: f(x)`. */
const OBJECT =
  /^(\s*)\.\. (?:(?:py|c|cpp|js|rst|std|http|rb|php|go|java|django|rust):)?(?:auto)?(?:data|function|class|method|classmethod|staticmethod|attribute|property|exception|decorator|decoratormethod|macro|type|typedef|struct|union|enum|enumerator|member|var|concept|alias|option|cmdoption|envvar|confval|setting|command|program|directive|role|object|describe|get|post|put|patch|delete):: +(\S.*)$/;
const CODE = /^\s*\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|highlight|prompt)::\s*(\S*)/;
/** Directives that stand for the content of other files, or for none. */
const STUB =
  /^\s*\.\. (?:include|toctree|contents|sectnum|highlight|currentmodule|py:currentmodule|index|meta|tabularcolumns|only|default-role|role|automodule|module|py:module)::|^\s*\.\. _[^:]+:\s*$|^\s*\.\.$/;

/** The headings, described names, literal blocks and stubs of reStructuredText. */
export function markRestructuredText(lines: readonly string[]): Marked {
  const marks: Mark[] = [];
  const styles: string[] = [];
  let depth = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const section = sectionAt(lines, at);
    if (section !== null) {
      if (!styles.includes(section.style)) styles.push(section.style);
      depth = styles.indexOf(section.style) + 1;
      const first = firstAbove(lines, at, section.text);
      while ((marks.at(-1)?.first ?? -1) >= first) marks.pop();
      marks.push({ kind: 'heading', first, last: section.last, level: depth, text: section.text });
      at = section.last;
      continue;
    }
    const [, indent = '', name] = OBJECT.exec(line) ?? [];
    if (name !== undefined) {
      const level = depth + 1 + (indent === '' ? 0 : 1);
      marks.push({ kind: 'heading', first: at, last: at, level, text: name.trim() });
      continue;
    }
    const code = CODE.exec(line);
    const last = code !== null || STUB.test(line) || isLiteral(line) ? endOfIndented(lines, at) : -1;
    if (STUB.test(line)) marks.push({ kind: 'stub', first: at, last: Math.max(at, last) });
    else if (last > at) {
      const first = code === null ? nextWritten(lines, at) : at;
      marks.push({ kind: 'code', first, last, lang: code?.[1] === '' ? null : (code?.[1] ?? null) });
    }
    at = Math.max(at, last);
  }
  return { marks };
}

interface Section {
  readonly text: string;
  /** The character of the adornment, twice if it also stands above. */
  readonly style: string;
  readonly last: number;
}

/** The section title that begins at a line; null when none does. */
function sectionAt(lines: readonly string[], at: number): Section | null {
  const line = lines[at] ?? '';
  // a title may directly follow the adornment of another one, which has been passed
  const isAfterTitle = ADORNMENT.test(lines[at - 1] ?? '') && !isBlank(lines[at - 2]);
  if (isBlank(line) || (!isBlank(lines[at - 1]) && !isAfterTitle)) return null;
  const over = ADORNMENT.exec(line);
  const under = ADORNMENT.exec(lines[at + (over === null ? 1 : 2)] ?? '');
  if (under === null) return null;
  const [, char = ''] = under;
  if (over !== null) {
    const text = (lines[at + 1] ?? '').trim();
    const isPair = over[1] === char && line.trimEnd().length === (lines[at + 2] ?? '').trimEnd().length;
    return isPair &&
      text !== '' &&
      !ADORNMENT.test(text) &&
      line.trimEnd().length >= Math.min(MIN_ADORNMENT, text.length)
      ? { text: plain(text), style: char + char, last: at + 2 }
      : null;
  }
  const text = line.trimEnd();
  const length = (lines[at + 1] ?? '').trimEnd().length;
  if (/^\s/.test(line) || (length < text.length && length < MIN_ADORNMENT) || text.startsWith('.. ')) return null;
  return { text: plain(text), style: char, last: at + 1 };
}

/** The first of the lines above a title that belong to it: labels, and directives that have its name, such as `.. setting:: NAME`. */
function firstAbove(lines: readonly string[], title: number, text: string): number {
  let first = title;
  for (let at = title - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    const above = /^\.\. (?:_[^:]+:|[\w:-]+:: +(\S.*?))\s*$/.exec(line);
    if (above === null || (above[1] ?? text) !== text) break;
    first = at;
  }
  return first;
}

/** Inline markup without its signs: ``code``, :role:`text`, `text <target>`_, *emphasis*. */
function plain(text: string): string {
  return text
    .replaceAll(/``(.+?)``/g, '$1')
    .replaceAll(/:[\w:+.-]+:`([^`<]+?)(?:\s*<[^`>]*>)?`/g, '$1')
    .replaceAll(/`([^`<]+?)(?:\s*<[^`>]*>)?`_{0,2}/g, '$1')
    .replaceAll(/\*{1,2}([^*]+)\*{1,2}/g, '$1')
    .trim();
}

/** A paragraph that ends with two colons is followed by a literal block. */
function isLiteral(line: string): boolean {
  return /::\s*$/.test(line) && !/^\s*\.\. /.test(line);
}

/** The last line of the indented lines that follow a line; the line itself if none do. */
function endOfIndented(lines: readonly string[], from: number): number {
  const indent = indentOf(lines[from] ?? '');
  let last = from;
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (indentOf(line) <= indent) break;
    last = at;
  }
  return last;
}

function nextWritten(lines: readonly string[], from: number): number {
  let at = from + 1;
  while (isBlank(lines[at])) at++;
  return at;
}
