const OPENING = /^([ \t]*)(`{3,}|~{3,})[^\n]*(?:\n|$)/;

/** The code of a block without the fence around it, or without the four columns that indent it; other text as it is. */
export function codeInside(slice: string): string {
  const opening = OPENING.exec(slice);
  if (opening === null) return slice.replaceAll(/^(?: {1,4}|\t)/gm, '');
  const [line, indent = '', fence = ''] = opening;
  const lines = slice.slice(line.length).split('\n');
  if (isClosing(lines.at(-1), fence)) lines.pop();
  return lines.map((text) => text.slice(leading(text, indent.length))).join('\n');
}

function isClosing(line: string | undefined, fence: string): boolean {
  const mark = line?.trim() ?? '';
  return mark.length >= fence.length && mark === (fence[0] ?? '').repeat(mark.length);
}

/** The white space at the start of a line, at most `limit` columns of it. */
function leading(line: string, limit: number): number {
  return Math.min(limit, line.length - line.trimStart().length);
}
