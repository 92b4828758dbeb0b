/** A query taken apart by its marks alone; nothing is analysed yet. */
export interface ParsedQuery {
  /** Stretches of the query outside phrases and exclusions. */
  readonly loose: readonly string[];
  readonly phrases: readonly string[];
  /** Words and phrases behind a plus. */
  readonly required: readonly string[];
  readonly excluded: readonly string[];
  /** The query without exclusions and without the marks of its phrases, white space folded. */
  readonly embeddingText: string;
}

const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const SPACE = /\s/;

/**
 * Reads the marks of the query language: `"…"` is a phrase, `+word` and `+"…"` require, `-word` and `-"…"` exclude. A sign
 * is a mark only as the first character of a token and right before a letter or closed phrase, a minus before a digit too
 * (`+82 10` is a number, not a demand); a quote opens a phrase only where no word is going on, and only if it is closed.
 * Everything else is data, so every text is a query.
 */
export function parseQuery(text: string): ParsedQuery {
  const loose: string[] = [];
  const contents = { phrase: [] as string[], required: [] as string[], excluded: [] as string[] };
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
    contents[mark.kind].push(mark.content);
    embedded.push(mark.kind === 'excluded' ? ' ' : ` ${mark.content} `);
    from = mark.end;
    at = mark.end;
  }
  takeLoose(text.length);
  return {
    loose,
    phrases: contents.phrase,
    required: contents.required,
    excluded: contents.excluded,
    embeddingText: embedded.join('').replaceAll(/\s+/g, ' ').trim(),
  };
}

interface Mark {
  readonly kind: 'phrase' | 'required' | 'excluded';
  readonly content: string;
  /** Where the text goes on behind it. */
  readonly end: number;
}

function markAt(text: string, at: number): Mark | undefined {
  const character = text[at];
  if (character === '"') return phraseAt(text, at, 'phrase');
  if ((character !== '-' && character !== '+') || !startsToken(text, at)) return undefined;
  const kind = character === '-' ? 'excluded' : 'required';
  if (text[at + 1] === '"') return phraseAt(text, at + 1, kind);
  const first = text.codePointAt(at + 1);
  const opens = kind === 'excluded' ? LETTER_OR_DIGIT : LETTER;
  if (first === undefined || !opens.test(String.fromCodePoint(first))) return undefined;
  let end = at + 1;
  while (end < text.length && !SPACE.test(text[end] ?? '')) end++;
  return { kind, content: text.slice(at + 1, end), end };
}

function phraseAt(text: string, at: number, kind: Mark['kind']): Mark | undefined {
  const before = text[at - 1];
  if (before !== undefined && /[\p{L}\p{N}\p{M}_\uDC00-\uDFFF]/u.test(before)) return undefined;
  const close = text.indexOf('"', at + 1);
  return close < 0 ? undefined : { kind, content: text.slice(at + 1, close), end: close + 1 };
}

function startsToken(text: string, at: number): boolean {
  return at === 0 || SPACE.test(text[at - 1] ?? '');
}
