/** A structural piece of Markdown; `source` is its text as it stands. */
export type MarkdownPiece =
  | { readonly kind: 'paragraph' | 'table' | 'quote'; readonly source: string }
  | { readonly kind: 'code'; readonly source: string; readonly lang: string | null }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly ordered: boolean }
  | { readonly kind: 'heading'; readonly source: string; readonly level: number; readonly words: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^\s`]*)/;
const HEADING = /^ {0,3}(#{1,6})(?:[^\S\n]+(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[^\S\n]*$/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?:[^\S\n]|$)/;
const BLANK = /^\s*$/;
/** Longer lines are no headings, whatever they begin with. */
const MAX_HEADING = 1000;

/**
 * Cuts Markdown into its outermost pieces, line by line: as much of it as converters write. What is none of the other kinds is a
 * paragraph, so no text is lost. Takes time that grows with the length alone.
 */
export function markdownPieces(text: string): readonly MarkdownPiece[] {
  const lines = text.split('\n');
  const pieces: MarkdownPiece[] = [];
  for (let at = 0; at < lines.length;) {
    if (BLANK.test(lines[at] ?? '')) at++;
    else {
      const end = endOfPiece(lines, at);
      pieces.push(pieceOf(lines.slice(at, end)));
      at = end;
    }
  }
  return pieces;
}

function endOfPiece(lines: readonly string[], start: number): number {
  const line = lines[start] ?? '';
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}\\s*$`);
    let at = start + 1;
    while (at < lines.length && !close.test(lines[at] ?? '')) at++;
    return Math.min(lines.length, at + 1);
  }
  if (HEADING.test(line)) return start + 1;
  let end = start + 1;
  const item = ITEM.exec(line);
  if (item !== null) {
    const isOrdered = item[1] !== undefined;
    const continues = (at: number): boolean => {
      const next = ITEM.exec(lines[at] ?? '');
      return next === null ? /^\s+\S/.test(lines[at] ?? '') : (next[1] !== undefined) === isOrdered;
    };
    while (end < lines.length) {
      if (
        BLANK.test(lines[end] ?? '')
          ? !continues(end + 1)
          : !continues(end) && (opens(lines[end] ?? '') || ITEM.test(lines[end] ?? ''))
      )
        break;
      end++;
    }
    return end;
  }
  const [isTable, isQuote] = [line.trimStart().startsWith('|'), line.trimStart().startsWith('>')];
  for (; end < lines.length && !BLANK.test(lines[end] ?? ''); end++) {
    const next = lines[end] ?? '';
    if (isTable ? !next.trimStart().startsWith('|') : opens(next) && !(isQuote && next.trimStart().startsWith('>')))
      break;
    if (!isTable && !isQuote && end === start + 1 && UNDERLINE.test(next)) return end + 1;
  }
  return end;
}

/** Whether a line begins a piece of its own, whatever stands before it. */
function opens(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || /^ {0,3}(?:>|\|)/.test(line);
}

function pieceOf(lines: readonly string[]): MarkdownPiece {
  const source = lines.join('\n').trimEnd();
  const first = lines[0] ?? '';
  const fence = FENCE.exec(first);
  if (fence !== null) return { kind: 'code', source, lang: fence[2] === '' ? null : (fence[2] ?? null) };
  const heading = HEADING.exec(first);
  if (heading !== null) return headingOf(source, heading[1]?.length ?? 1, heading[2] ?? '');
  const underline = lines.length === 2 ? UNDERLINE.exec(lines[1] ?? '') : null;
  if (underline !== null) return headingOf(source, underline[1]?.startsWith('=') === true ? 1 : 2, first);
  const item = ITEM.exec(first);
  if (item !== null) return { kind: 'list', items: itemsOf(lines), ordered: item[1] !== undefined };
  if (first.trimStart().startsWith('|')) return { kind: 'table', source };
  return { kind: first.trimStart().startsWith('>') ? 'quote' : 'paragraph', source };
}

/** The items of a list, each with the lines below it. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[][] = [];
  for (const line of lines)
    if (ITEM.test(line) || items.length === 0) items.push([line]);
    else items.at(-1)?.push(line);
  return items.map((item) => item.join('\n').trimEnd());
}

/** A heading with the words that appear in paths: without closing marks, links, emphasis and escapes. */
function headingOf(source: string, level: number, text: string): MarkdownPiece {
  if (text.length > MAX_HEADING) return { kind: 'paragraph', source };
  const words = text
    .replace(/[^\S\n]+#+\s*$/, '')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])|(\*\*|__|[*`])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === '' || words === '#' ? { kind: 'paragraph', source } : { kind: 'heading', source, level, words };
}
