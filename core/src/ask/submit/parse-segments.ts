import type { Segment } from '../../domain/turn.ts';

const MAY_STAND_BEFORE = /[\s([{<"'“‘«「『（【]/u;
const TRAILING = /[.,;:!?)\]}]+$/;
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
  '「': '」',
  '『': '』',
};

/**
 * Takes a question apart into text and file references: `@path` or `@"path with spaces"` where `@` begins the text or
 * follows white space, an opening bracket or a quote. A path without quotes ends before white space and loses trailing
 * punctuation. `\@` and `me@host` are text. Joining the pieces gives the question back.
 */
export function parseSegments(question: string): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const takeText = (to: number): void => {
    if (to > from) segments.push({ kind: 'text', text: question.slice(from, to) });
  };
  for (let at = question.indexOf('@'); at !== -1; at = question.indexOf('@', at + 1)) {
    if (at < from || (at > 0 && !MAY_STAND_BEFORE.test(question[at - 1] ?? ''))) continue;
    const found = referenceAt(question, at);
    if (found === undefined) continue;
    takeText(at);
    segments.push({ kind: 'file_ref', ...found });
    from = at + found.raw.length;
  }
  takeText(question.length);
  return segments;
}

/** What is looked up and typed to a model without its references: the text between them. */
export function textOf(segments: readonly Segment[]): string {
  const texts = segments.map((segment) => (segment.kind === 'text' ? segment.text : ' '));
  return texts
    .join('')
    .replaceAll(String.raw`\@`, '@')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function referenceAt(question: string, at: number): { readonly path: string; readonly raw: string } | undefined {
  if (question[at + 1] === '"') {
    const end = question.indexOf('"', at + 2);
    if (end <= at + 2) return undefined;
    return { path: question.slice(at + 2, end), raw: question.slice(at, end + 1) };
  }
  const run = /^[^\s]*/.exec(question.slice(at + 1, at + 4097))?.[0] ?? '';
  const closing = CLOSING[question[at - 1] ?? ''];
  let path = run.replace(TRAILING, '');
  // A reference that stands in quotes ends where they do.
  if (closing !== undefined && path.endsWith(closing)) path = path.slice(0, -1).replace(TRAILING, '');
  return path === '' ? undefined : { path, raw: `@${path}` };
}
