import type { ReadCitation, TextRange } from '@kebab/core';
import { clausesOfDenial } from './denials.ts';
import type { Quotation } from './find-quotations.ts';
import { blanked, rangeAt, rangeOf, startingIn } from './sorted-ranges.ts';

/** A sentence of an answer, or its equivalent: a list item, a table row, a code block. */
export interface Sentence extends TextRange {
  /**
   * `lead` ends with a colon or heads a table, `denial` says that something is not known: what else its sentence says is a `text` of its own.
   */
  readonly kind: 'text' | 'row' | 'code' | 'heading' | 'lead' | 'denial' | 'question';
  /** Its own citations, including those directly after its full stop. */
  readonly citations: readonly ReadCitation[];
  /** Numbers that it cites through its position: those of the lead-in of a list, or of the line below a table or a code block. */
  readonly inherited: readonly number[];
  /** Without citations and without the bullet or number of a list. */
  readonly text: string;
  /** The head of the table of a row; empty for other sentences. */
  readonly head: string;
}

/** A possible end of a sentence, with its closing marks. */
const SENTENCE_END = /(?<![.!?])[.!?]+["'”’»)\]*_~`]*(?=\s+\S)|[。！？]+["'」』”’）*_]*/gu;
/** Abbreviations whose full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s("“])(?:(?:\p{L}\.)*\p{L}|Mrs?|Ms|Dr|St|Jr|Sr|Prof|Fig|Nos?|Vol|vs|cf|ca|approx|pp?|Gen|Col|Lt|Sgt|Capt|Rev|Hon|Gov|Sen|Rep|Mt|Ft|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Inc|Ltd|Co|Corp|etc|al|Ave|Blvd|bzw|ggf|vgl|inkl|evtl|Hr|Fr|Sra?|Srta|Sig|Dott|Mio|Mrd)\.$/u;
/** Abbreviations only before a number, and ordinary words elsewhere: `max. 5`, `Abs. 2`, `art. 5`, `sept. 2020`. */
const BEFORE_NUMBER =
  /(?:^|[\s("“])(?:janv|févr|avr|juil|sept|déc|ene|abr|ago|dic|gen|giu|lug|ott|dez|okt|mrt|no|nr|abs|art|kap|bd|str|tel|max|min|env|sec|ch|eq|para|cap|fig|tab|núm|pág|pag|blz|ext|ph|rm|apt|approx|est|vol|pos|ziff|ca|circa|rif|réf|ref|durchw|доб|тел|wew|tlf|int)\.(?=\s+\d)/giu;
/** German ordinal numbers; nouns after them are capitalised: `am 3. Mai`, `im 19. Jahrhundert`. */
const GERMAN_ORDINAL =
  /(?<![\p{L}\d.,])\d{1,2}\.(?=\s?[-–]|\s+(?:Jan|Jän|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez|Jahrhundert|Jh)\p{L}*)|(?<=(?<!\p{L})(?:der|die|das|den|dem|des|im|vom|zum|zur|beim) )\d{1,3}\.(?=\s+\p{Lu})/gu;
const DOTTED_DATE = /\d{4}\.\s?\d{1,2}\.\s?\d{1,2}\.?/g;
const BULLET = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+•◦▪‣·]|\(?\d{1,2}[.)]|[①-⑳]|\p{L}\))[ \t]+(?:\[[ xX]\][ \t]+)?)?/u;
/** A line of a list. */
export const HAS_BULLET = /^[ \t]*(?:>[ \t]?)*(?:[-*+•◦▪‣·]|\(?\d{1,2}[.)]|[①-⑳])[ \t]+/u;
const HEADING = /^[ \t]*#{1,6}[ \t]+|^[ \t]*(?:\*\*|__)[^*_.!?。]{1,80}(?:\*\*|__)[ \t]*$/u;
const FENCE = /^[ \t]*(?:>[ \t]?)*(```+|~~~+)/;
/** The line below the head of a table. */
export const SEPARATOR_ROW = /^[ \t]*(?:\|[ \t]*)?:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*(?:\|[ \t]*)?$/;
/** `[^3]: pump.md` and `[manual]: https://…` name a source: what they name is compared like a heading. */
const DEFINITION = /^[ \t]*\[[#^]?(?:\d{1,3}\^?\]:|[^\]\n]+\]:[ \t]*<?[^\s<>]+>?[ \t]*$)/;
const SOURCE_LINE =
  /^(?:sources?|references?|citations?|see|quellen?|fuentes?|font[ei]|bron(?:nen)?|källa|źródło|источник|来源|出处|출처|근거|참고|출전|出典)?[\s:：.,;()*_-]*$/iu;
/** A line that continues in the next one is about as long as the text is wide. */
const WRAPPED_LENGTH = 50;
/** Splits an answer into sentences, each with its citations. */
export function splitClaims(
  text: string,
  citations: readonly ReadCitation[],
  quotations: readonly Quotation[],
): readonly Sentence[] {
  const pieces = piecesOf(text, blanked(text, citations), quotations).map((piece) => ({
    ...piece,
    citations: startingIn(citations, piece),
  }));
  return withInherited(pieces, text);
}

interface Piece extends TextRange {
  readonly kind: Sentence['kind'] | 'source';
  readonly block: number;
  readonly isItem: boolean;
  /** The whole sentence of a part of one. */
  readonly whole?: TextRange;
}

/** The pieces of an answer, with the lines of a paragraph joined; `source` is a line that consists of citations. */
function piecesOf(text: string, bare: string, quotations: readonly Quotation[]): readonly Piece[] {
  const pieces: Piece[] = [];
  const lines = [...bare.matchAll(/[^\n]*(?:\n|$)/g)].filter(({ 0: line }) => line !== '');
  let block = 0;
  for (let at = 0; at < lines.length; at++) {
    const start = lines[at]?.index ?? 0;
    const line = (lines[at]?.[0] ?? '').replace(/\n$/, '');
    const end = start + line.length;
    const push = (kind: Piece['kind'], to = end): void =>
      void pieces.push({ kind, start, end: to, block, isItem: false });
    if (line.trim() === '') {
      const cited = text.slice(start, end).trim() !== '';
      if (cited) push('source');
      else block++;
      continue;
    }
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      let last = at + 1;
      while (last < lines.length && lines[last]?.[0].trim().startsWith(fence) !== true) last++;
      last = Math.min(last, lines.length - 1);
      push('code', (lines[last]?.index ?? 0) + (lines[last]?.[0] ?? '').trimEnd().length);
      at = last;
      continue;
    }
    if (SEPARATOR_ROW.test(line) || !/[\p{L}\p{N}]/u.test(line)) continue;
    if (DEFINITION.test(text.slice(start, end))) push('heading');
    else if (SOURCE_LINE.test(line.replace(BULLET, '')) && text.slice(start, end) !== line) push('source');
    else if (HEADING.test(line)) push('heading');
    else if (
      line.includes('|') &&
      (line.trim().startsWith('|') || SEPARATOR_ROW.test(lines[at + 1]?.[0].trimEnd() ?? ''))
    )
      push(SEPARATOR_ROW.test(lines[at + 1]?.[0].trimEnd() ?? '') ? 'lead' : 'row');
    else {
      let to = end;
      // A wrapped line continues in the next one, and so does a quotation.
      const goesOn = (): boolean =>
        isInside(quotations, to) || isWrapped(bare.slice(start, to), lines[at + 1]?.[0] ?? '');
      while (at + 1 < lines.length && goesOn()) {
        at++;
        to = (lines[at]?.index ?? 0) + (lines[at]?.[0] ?? '').trimEnd().length;
      }
      pieces.push(...sentencesOf({ start, end: to }, { text, bare, quotations, block }));
    }
  }
  return pieces;
}

/** Whether an offset is inside a quotation, not at its beginning. */
function isInside(quotations: readonly Quotation[], offset: number): boolean {
  return (rangeAt(quotations, offset)?.start ?? offset) < offset;
}

/** Whether the last line of a text goes on in the next line. */
export function isWrapped(text: string, next: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1).trimEnd();
  return (
    line.length >= WRAPPED_LENGTH &&
    !/[.!?:。！？：;|]["'”’»)\]*_]*$/.test(line) &&
    /[\p{L}\p{N}]/u.test(next) &&
    !HAS_BULLET.test(next) &&
    !HEADING.test(next) &&
    !FENCE.test(next) &&
    !next.includes('|')
  );
}

function sentencesOf(
  { start, end }: TextRange,
  { text, bare, quotations, block }: { text: string; bare: string; quotations: readonly Quotation[]; block: number },
): readonly Piece[] {
  const line = bare.slice(start, end);
  const isItem = HAS_BULLET.test(line);
  const cuts = sentenceEnds(line, text.slice(start, end)).filter((cut) => !isInside(quotations, start + cut));
  const pieces: Piece[] = [];
  let from = 0;
  for (const cut of [...cuts, line.length]) {
    // Citations after the full stop belong to the sentence, and so does a second full stop after them.
    const gap = /^\s*/.exec(line.slice(cut))?.[0].length ?? 0;
    const behind = text.slice(start + cut, start + cut + gap).trimEnd().length;
    const stop = behind === 0 ? '' : (/^[.!?。！？]+["'”’»)\]」』]*/.exec(line.slice(cut + behind))?.[0] ?? '');
    const to = cut + behind + stop.length;
    if (to <= from) continue;
    const sentence = line.slice(from, to);
    if (/[\p{L}\p{N}]/u.test(sentence)) {
      const kind = kindOf(sentence);
      const whole = { start: start + from, end: start + to };
      const clauses = kind === 'text' || kind === 'lead' ? clausesOfDenial(sentence) : null;
      for (const clause of clauses ?? [{ start: 0, end: sentence.length, denies: false }])
        pieces.push({
          kind: clause.denies ? 'denial' : kind,
          start: whole.start + clause.start,
          end: whole.start + clause.end,
          block,
          isItem,
          ...(clauses === null ? {} : { whole }),
        });
    } else {
      const last = pieces.pop();
      if (last !== undefined) pieces.push({ ...last, end: start + to });
      else if (text.slice(start + from, start + to).trim() !== sentence.trim())
        pieces.push({ kind: 'source', start: start + from, end: start + to, block, isItem });
    }
    from = to;
  }
  return pieces;
}

/** Where the sentences of a line end, but for the last one; `written` is the line with its citations, of the same length. */
export function sentenceEnds(line: string, written = line): readonly number[] {
  const bullet = BULLET.exec(line)?.[0].length ?? 0;
  const inWord = stopsInWords(line);
  return [...line.matchAll(SENTENCE_END)]
    .filter(({ 0: mark, index }) => index > bullet - mark.length && !inWord({ 0: mark, index }))
    .map(({ 0: mark, index }) => index + mark.length)
    .filter((end) => isEndBefore(line, written, end));
}

/** Tells the full stops of abbreviations, dates and ordinal numbers of a line, which end no sentence. */
function stopsInWords(line: string): (mark: { readonly 0: string; readonly index: number }) => boolean {
  const ranges = [DOTTED_DATE, GERMAN_ORDINAL, BEFORE_NUMBER]
    .flatMap((pattern) => [...line.matchAll(pattern)])
    .map(rangeOf)
    .toSorted((a, b) => a.start - b.start);
  return ({ 0: mark, index }) =>
    rangeAt(ranges, index) !== undefined ||
    (mark.startsWith('.') && ABBREVIATION.test(line.slice(Math.max(0, index - 12), index + 1)));
}

/** Before a lower-case letter, a full stop ends a sentence only if a citation comes between them. */
function isEndBefore(bare: string, text: string, offset: number): boolean {
  const gap = /^\s*/.exec(bare.slice(offset))?.[0].length ?? 0;
  const small = /^\p{Ll}/u.test(bare.slice(offset + gap));
  return !small || text.slice(offset, offset + gap).trim() !== '';
}

function kindOf(sentence: string): Sentence['kind'] {
  const text = sentence
    .replace(BULLET, '')
    .replaceAll(/[*_~`]+/g, '')
    .trim();
  if (/[:：]["”)]*$/.test(text)) return 'lead';
  return /[?？]["”')]*$/.test(text) ? 'question' : 'text';
}

type CitingPiece = Piece & Pick<Sentence, 'citations'>;

function withInherited(pieces: readonly CitingPiece[], text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let lead: readonly number[] = [];
  let head = '';
  const below = citedBelow(pieces);
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'source') continue;
    const { whole } = piece;
    const group = whole === undefined ? [piece] : pieces.filter((each) => each.whole === whole);
    const own = [...new Set(group.flatMap(numbersOf))];
    const isPart = piece.isItem || piece.kind === 'row' || piece.kind === 'code';
    if (piece.kind === 'lead') lead = own.length > 0 ? own : isPart ? lead : [];
    else if (!isPart) lead = piece.kind === 'heading' ? [] : lead;
    if (piece.kind !== 'row') head = piece.kind === 'lead' ? cleaned(text, piece) : '';
    const shared = numbersOf(piece).length > 0 ? [] : own;
    const inherited = own.length > 0 ? shared : [...(isPart ? lead : []), ...(below[at] ?? [])];
    const code =
      piece.kind === 'code' && own.length === 0 && inherited.length === 0 ? besideCode(pieces, at) : inherited;
    sentences.push({
      kind: piece.kind,
      start: piece.start + leading(text, piece),
      end: piece.end - trailing(text, piece),
      citations: piece.citations,
      inherited: [...new Set(code)],
      text: cleaned(text, piece),
      head: piece.kind === 'row' ? head : '',
    });
    if (!isPart && piece.kind === 'text') lead = [];
  }
  return sentences;
}

/**
 * The citations in a line below each piece: they apply to the sentence directly above, or to the whole list, table or code block. Computed
 * from the end, where the line below a piece is already known.
 */
function citedBelow(pieces: readonly CitingPiece[]): readonly (readonly number[])[] {
  const below: (readonly number[])[] = [];
  for (const [at, piece] of [...pieces.entries()].toReversed()) {
    const next = pieces[at + 1];
    const sameKind =
      next !== undefined &&
      (piece.isItem || piece.kind === 'row' || piece.kind === 'code' || piece.kind === 'lead') &&
      (next.isItem || next.kind === 'row' || next.kind === 'code');
    if (next?.kind === 'source') below[at] = numbersOf(next);
    else below[at] = sameKind && (next.kind === 'code' || next.citations.length === 0) ? (below[at + 1] ?? []) : [];
  }
  return below;
}

/** The numbers that a piece cites, without duplicates. */
function numbersOf({ citations }: CitingPiece): readonly number[] {
  return [...new Set(citations.flatMap(({ numbers }) => numbers))];
}

/** Code has no citations of its own: it takes those of the sentence before it, else of the one after it. */
function besideCode(pieces: readonly CitingPiece[], at: number): readonly number[] {
  const before = pieces[at - 1]?.citations.flatMap(({ numbers }) => numbers) ?? [];
  return before.length > 0 ? before : (pieces[at + 1]?.citations.flatMap(({ numbers }) => numbers) ?? []);
}

function leading(text: string, { start, end, kind }: Piece): number {
  const piece = text.slice(start, end);
  return kind === 'code'
    ? 0
    : (/^\s*/.exec(piece.replace(BULLET, (bullet) => ' '.repeat(bullet.length)))?.[0].length ?? 0);
}

function trailing(text: string, { start, end }: Piece): number {
  return text.slice(start, end).length - text.slice(start, end).trimEnd().length;
}

/** A piece of an answer as a claim: on one line, without citations, bullets and markup. */
function cleaned(text: string, { kind, start, end, citations }: CitingPiece): string {
  let piece = '';
  let at = start;
  for (const citation of citations) {
    piece += text.slice(at, citation.start).replace(/(?<![ \t])[ \t]+$/, '');
    at = citation.end;
  }
  piece += text.slice(at, end);
  if (kind === 'code') return piece.trim();
  return piece
    .replace(BULLET, '')
    .replace(/^[ \t]*#{1,6}[ \t]+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
