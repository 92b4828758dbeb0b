const PAIRS: Readonly<Record<string, string>> = { '”': '“', '」': '「', '』': '『', '»': '«' };
const BETWEEN = /[\s.,;:!?。．、，！？]*$/;

/**
 * The quotation that ends right before an offset, without its marks: nothing but white space and the punctuation of its
 * sentence may stand between. Null when there is none.
 */
export function quotationBefore(text: string, offset: number): string | null {
  const head = text.slice(0, offset);
  const close = head.length - (BETWEEN.exec(head)?.[0].length ?? 0) - 1;
  const mark = head[close] ?? '';
  const open = mark === '"' ? straightOpening(head, close) : openingOf(head, close, PAIRS[mark]);
  if (open === -1) return null;
  const quote = head.slice(open + 1, close).trim();
  return quote === '' ? null : quote;
}

function openingOf(text: string, close: number, opening: string | undefined): number {
  if (opening === undefined) return -1;
  const closing = text[close];
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at] === closing) depth++;
    else if (text[at] === opening && --depth === 0) return at;
  }
  return -1;
}

/** Straight quotes do not tell which side they are on: what stands beside them does. Else the nearest one is taken. */
function straightOpening(text: string, close: number): number {
  let depth = 1;
  for (let at = text.lastIndexOf('"', close - 1); at >= 0; at = at === 0 ? -1 : text.lastIndexOf('"', at - 1)) {
    if (isParagraphBetween(text, at, close)) break;
    depth += opens(text, at) ? -1 : 1;
    if (depth === 0) return at;
  }
  return close === 0 ? -1 : text.lastIndexOf('"', close - 1);
}

function opens(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  const after = text[at + 1] ?? ' ';
  return /[\s([{<*_—–\-/:]/.test(before) && /\S/.test(after);
}

function isParagraphBetween(text: string, from: number, to: number): boolean {
  return text.slice(from, to).includes('\n\n');
}
