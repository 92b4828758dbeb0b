/** A query taken apart by its marks alone; nothing is analysed yet. */
export interface ParsedQuery {
  /** Stretches of the query outside phrases and exclusions. */
  readonly loose: readonly string[];
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  /** The query without exclusions and without the marks of its phrases, white space folded. */
  readonly embeddingText: string;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const SPACE = /\s/;

/**
 * Reads the marks of the query language: `"…"` is a phrase, `-word` and `-"…"` exclude. A minus is a mark only as the
 * first character of a token and right before a letter, digit or closed phrase; a quote opens a phrase only where no word
 * is going on, and only if it is closed. Everything else is data, so every text is a query.
 */
export function parseQuery(text: string): ParsedQuery {
  const loose: string[] = [];
  const phrases: string[] = [];
  const excluded: string[] = [];
  const embedded: string[] = [];
  let from = 0;
  const takeLoose = (to: number): void => {
    if (to > from) loose.push(text.slice(from, to));
    embedded.push(text.slice(from, to));
  };
  for (let at = 0; at < text.length;) {
    const mark = markAt(text, at);
    if (mark === undefined) {
      at++;
      continue;
    }
    takeLoose(at);
    (mark.excludes ? excluded : phrases).push(mark.content);
    embedded.push(mark.excludes ? ' ' : ` ${mark.content} `);
    from = mark.end;
    at = mark.end;
  }
  takeLoose(text.length);
  return { loose, phrases, excluded, embeddingText: embedded.join('').replaceAll(/\s+/g, ' ').trim() };
}

interface Mark {
  readonly excludes: boolean;
  readonly content: string;
  /** Where the text goes on behind it. */
  readonly end: number;
}

function markAt(text: string, at: number): Mark | undefined {
  const character = text[at];
  if (character === '"') return phraseAt(text, at);
  if (character !== '-' || !startsToken(text, at)) return undefined;
  if (text[at + 1] === '"') {
    const phrase = phraseAt(text, at + 1);
    return phrase === undefined ? undefined : { ...phrase, excludes: true };
  }
  const first = text.codePointAt(at + 1);
  if (first === undefined || !LETTER_OR_DIGIT.test(String.fromCodePoint(first))) return undefined;
  let end = at + 1;
  while (end < text.length && !SPACE.test(text[end] ?? '')) end++;
  return { excludes: true, content: text.slice(at + 1, end), end };
}

function phraseAt(text: string, at: number): Mark | undefined {
  const before = text[at - 1];
  if (before !== undefined && /[\p{L}\p{N}\p{M}_\uDC00-\uDFFF]/u.test(before)) return undefined;
  const close = text.indexOf('"', at + 1);
  return close < 0 ? undefined : { excludes: false, content: text.slice(at + 1, close), end: close + 1 };
}

function startsToken(text: string, at: number): boolean {
  return at === 0 || SPACE.test(text[at - 1] ?? '');
}
