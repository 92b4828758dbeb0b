import { groupMarkers, parseMarkers, type Marker } from './verify-quotes.ts';

/** A sentence of what a model wrote, and the markers that belong to it. */
export interface ClaimText {
  /** Without markers and without the bullet or number of a list. */
  readonly text: string;
  readonly markers: readonly Marker[];
}

/** The end of a sentence with its closing quotes; a full stop ends one only when no small letter follows. */
const SENTENCE_END = /(?:[.!?]+["'”’»)\]]*(?=\s+[^\s\p{Ll}])|[。！？]+[」』”’）]*|\n+)\s*/gu;
const BULLET = /^\s*(?:[-*+•>]|\d{1,3}[.)]|#{1,6})\s+/;
const ABBREVIATION = /(?:^|[\s(])(?:(?:[A-Za-z]\.)*[A-Za-z]|Mrs?|Ms|Dr|St|Jr|Sr|Prof|Fig|No|Vol|vs|cf|approx|pp)\.$/;

const PAIRS = ['“”', '「」', '『』', '«»'].map((pair) => [pair[0] ?? '', pair[1] ?? ''] as const);

/** Splits an answer into sentences, each with its markers: also those that stand behind its full stop. */
export function splitClaims(text: string, passages: number): readonly ClaimText[] {
  const groups = groupMarkers(text, parseMarkers(text, passages));
  const cuts = cutsOf(text);
  const claims: ClaimText[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    // Markers right behind the end of a sentence belong to it.
    const behind = groups.find(
      ([first]) => first !== undefined && first.start >= cut && /^\s*$/.test(text.slice(cut, first.start)),
    );
    const to = behind === undefined || isNewLine(text, cut) ? cut : endBehind(text, behind.at(-1)?.end ?? cut);
    if (to <= from) continue;
    const markers = groups.flat().filter(({ start }) => start >= from && start < to);
    const claim = cleaned(text.slice(from, to));
    const last = claims.at(-1);
    if (claim !== '') claims.push({ text: claim, markers });
    else if (markers.length > 0 && last !== undefined)
      claims[claims.length - 1] = { ...last, markers: [...last.markers, ...markers] };
    from = to;
  }
  return claims;
}

/** A text without its markers and the spaces they leave. */
export function cleaned(text: string): string {
  return text
    .replaceAll(/\s*\[#\d{1,3}\]/g, '')
    .replace(BULLET, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The full stop behind markers belongs to their sentence, also where a quotation has ended with one before them. */
function endBehind(text: string, markersEnd: number): number {
  return markersEnd + (/^[.!?。！？]+["'”’»)\]」』]*/.exec(text.slice(markersEnd))?.[0].length ?? 0);
}

function cutsOf(text: string): readonly number[] {
  return [...text.matchAll(SENTENCE_END)]
    .filter(({ 0: end, index }) => !isAbbreviation(text, end, index))
    .map(({ 0: end, index }) => index + end.length)
    .filter((cut) => !isQuoted(text, cut));
}

function isAbbreviation(text: string, end: string, index: number): boolean {
  return end.startsWith('.') && ABBREVIATION.test(text.slice(Math.max(0, index - 12), index + 1));
}

/** Whether an offset lies inside a quotation of its paragraph: the sentences of a quotation are not the answer's own. */
function isQuoted(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n\n', offset - 1) + 1;
  const end = text.indexOf('\n\n', offset);
  const paragraph = text.slice(start, end === -1 ? text.length : end);
  const before = text.slice(start, offset);
  // An odd straight quote is an inch mark or a slip, and says nothing about the rest of the paragraph.
  if (count(paragraph, '"') % 2 === 0 && count(before, '"') % 2 === 1) return true;
  return PAIRS.some(
    ([open, close]) => count(paragraph, open) === count(paragraph, close) && count(before, open) > count(before, close),
  );
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** Whether what ends before an offset is a line: markers on the next line are not its own. */
function isNewLine(text: string, cut: number): boolean {
  return /\n\s*$/.test(text.slice(0, cut));
}
