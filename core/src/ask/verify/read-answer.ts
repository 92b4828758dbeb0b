import type {
  AnswerToJudge,
  PromptPassage,
  ReadCitation,
  RemovedCitation,
} from '../../contracts/groundedness-checker.ts';
import { asciiDigits } from '../../analysis/digits.ts';
import type { TextRange } from '../../domain/block.ts';
import { withoutReasoning } from '../../domain/turn.ts';
import { rewriteMarkers } from '../generate/generate-text.ts';
import { SENTINEL } from '../prompt/pack-context.ts';
import { textOfJson } from './answer-json.ts';

/** A model's text as it is shown and judged. */
interface ReadAnswer {
  readonly answer: AnswerToJudge;
  /** Whether it contained the sentinel for missing evidence, which is left out. */
  readonly hasSentinel: boolean;
  /** The text without the sentinel, as written; empty when it says nothing. */
  readonly written: string;
}

/** Reads a model's text: without reasoning and sentinel, with markers `[n]` of existing passages, and its citations. */
export function readAnswer(raw: string, prompt: Pick<AnswerToJudge, 'question' | 'passages' | 'isCutOff'>): ReadAnswer {
  const { passages } = prompt;
  const spoken = withoutReasoning(raw);
  const whole = textOfJson(spoken) ?? spoken;
  const rest = whole.replaceAll(SENTINEL, '');
  const hasSentinel = rest !== whole;
  const written = hasSentinel && !/[\p{L}\p{N}]/u.test(rest) ? '' : rest.trim();
  const { text, removedCitations } = shown(
    withPlainMarkers(withJoinedDigits(written, passages), passages),
    passages.length,
  );
  const citations = readCitations(text, passages.length);
  return { answer: { ...prompt, text, citations, removedCitations }, hasSentinel, written };
}

/** Small models write `84, 300` for the `84,300` of a passage. */
function withJoinedDigits(text: string, passages: readonly PromptPassage[]): string {
  return text.replaceAll(/(?<![\d,.])(\d{1,3}), (\d{3})(?![\d,.]\d|\d)/g, (apart, first: string, second: string) => {
    const isSplit = passages.some((each) => each.text.includes(`${first},${second}`) && !each.text.includes(apart));
    return isSplit ? `${first},${second}` : apart;
  });
}

/** The text as shown to the reader, and the markers of nonexistent passages with their positions. */
function shown(raw: string, passages: number): Pick<AnswerToJudge, 'text' | 'removedCitations'> {
  const whole = rewriteMarkers(raw, passages);
  const text = whole.trim();
  const lead = whole.length - whole.trimStart().length;
  const removedCitations: RemovedCitation[] = [];
  // Nothing is rewritten between two markers: each gap adds its length to the shown text, minus the space before a removed marker.
  let from = 0;
  let length = 0;
  let spoken = 0;
  for (const { 0: marker, 1: digits, index } of raw.matchAll(/\[#(\d{1,3})\]/g)) {
    const between = raw.slice(from, index);
    if (between.trim() !== '') spoken = length + between.trimEnd().length;
    const number = Number(digits);
    const isShown = number >= 1 && number <= passages;
    if (isShown) {
      length += between.length + `[${number}]`.length;
      spoken = length;
    } else {
      length += between.replace(/(?<![ \t])[ \t]+$/, '').length;
      removedCitations.push({ number, at: Math.min(text.length, Math.max(0, spoken - lead)) });
    }
    from = index + marker.length;
  }
  return { text, removedCitations };
}

/** The highest number in parentheses or superscript that may be a citation; a higher one is a year or an amount. */
const MAX_LOOSE_NUMBER = 20;
/** `[9]` is a citation even when there are only five passages; `[2019]` never is. */
const MAX_NUMBER = 99;
const MAX_RANGE = 30;

const WORD =
  '(?:passages?|sources?|docs?|documents?|evidence|refs?|references?|chunks?|citations?|cites?|notes?|context|ids?|quotes?|index|see|from|in|cf\\.?|' +
  'siehe|vgl\\.?|quellen?|voir|fuentes?|ver|fonti?|fontes?|vedi|bron(?:nen)?|zie|źródł[oa]|источник|см\\.?|kaynak|المصدر|منبع|문서|근거|출처|구절|본문|참고|出典|参照|資料|文書|来源|來源|参见|文档)';
const ONE = `(?:${WORD}[ :：_.#-]*){0,2}[#^]?\\d{1,3}\\^?`;
const LIST = `${ONE}(?:\\s*(?:[,;&、，]|[-–—~]|and|to)\\s*${ONE})*`;
const BRACKETED = new RegExp(
  `[\\[［【〔]{1,2}\\s*(${LIST})(?:†[^\\]】]{0,40})?\\s*[\\]］】〕]{1,2}(?:\\([^()\\s]*\\))?`,
  'giu',
);
const PARENTHESISED = new RegExp(`[(（]\\s*(${LIST})\\s*[)）]`, 'giu');
const RAISED = /(?<=[\p{L}\p{P}])[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?:[,⁻⁾⁽][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})*(?![\p{L}\p{N}])/gu;
/** What may follow a number in brackets: lines, pages, the name of the passage. */
const PLACE =
  '(?:l(?:ines?|l?\\.)?|p(?:ages?|p?\\.)?|sections?|§|zeilen?|s\\.|lignes?|líneas?)\\s*[\\d–-]+(?:\\s*-\\s*\\d+)?';
const WITH_PLACE = new RegExp(
  `\\[\\s*((?:${WORD}[ :_-]*)?#?\\d{1,3})\\s*[,:;|–-]\\s*(?:${PLACE}|([^\\]\\[\\n]{3,80}))\\s*\\]`,
  'giu',
);
const TAGGED = new RegExp(
  `<(sup|cite|ref|citation|source)(?:\\s[^<>]*)?>\\s*\\[?(${LIST})\\]?\\s*</\\1>|<(?:cite|ref|citation|source)\\s+\\w+=["']?(\\d{1,3})["']?\\s*/?>(?:</\\w+>)?`,
  'giu',
);
const PARENTHESISED_MARKERS = new RegExp(
  `[(（]\\s*(?:${WORD}[ :：]*){0,2}((?:\\[#?\\d{1,3}\\](?:[\\s,;&]|and|und|et|y)*)+)[)）]`,
  'giu',
);
const NAMED = new RegExp(
  `\\[\\s*(?:${WORD}[ :：]+)?([^\\[\\]\\n]{3,200}?)\\s*\\](?:\\([^()\\s]*\\))?|[(（]\\s*(?:${WORD}[ :：]+)?([^()（）\\n]{3,200}?)\\s*[)）]`,
  'giu',
);

/** The markers of a text in the form `[n]`: those that models write with tags, escapes, lines, or as the name of a file. Code stays as it is. */
function withPlainMarkers(text: string, passages: readonly PromptPassage[]): string {
  let from = 0;
  let plain = '';
  for (const { 0: code, index } of text.matchAll(CODE)) {
    plain += plainMarkers(text.slice(from, index), passages) + code;
    from = index + code.length;
  }
  return withLeadingMarkers(plain + plainMarkers(text.slice(from), passages), passages.length);
}

function plainMarkers(text: string, passages: readonly PromptPassage[]): string {
  const name = namesOf(passages);
  return text
    .replaceAll(/(?<=[[［【(（^:#_ ])\p{Nd}{1,3}(?=\s*[\]］】)）])/gu, (digits) => asciiDigits(digits).trim())
    .replaceAll(new RegExp(`\\\\\\[\\s*(${LIST})\\s*\\\\\\]`, 'giu'), '[$1]')
    .replaceAll(TAGGED, (all, tag: string | undefined, list: string | undefined, id: string | undefined, at: number) =>
      tag?.toLowerCase() === 'sup' && POWER.test(text.slice(Math.max(0, at - 3), at)) ? all : `[${list ?? id ?? ''}]`,
    )
    .replaceAll(WITH_PLACE, (all, number: string, tail: string | undefined) =>
      tail === undefined || name(tail) !== null ? `[${number}]` : all,
    )
    .replaceAll(/(?<![\\_^$\p{L}\p{N}}{])\{{1,2}\s*#?(\d{1,2})\s*\}{1,2}/gu, (all, digits: string) =>
      Number(digits) >= 1 && Number(digits) <= passages.length ? `[${digits}]` : all,
    )
    .replaceAll(NAMED, (all, bracketed: string | undefined, inParentheses: string | undefined) => {
      const numbers = (bracketed ?? inParentheses ?? '').split(/\s*[,;]\s*(?=\S*\p{L})/u).map(name);
      return numbers.includes(null) ? all : numbers.map((number) => `[${number}]`).join('');
    })
    .replaceAll(PARENTHESISED_MARKERS, '$1');
}

/** The number of the passage that a text names by its path, its file or its title, with or without lines; null if it names none, or several. */
function namesOf(passages: readonly PromptPassage[]): (text: string) => number | null {
  return (text) => {
    const wanted = text
      .replace(/^kb:(?:\/\/)?/, '')
      .replace(new RegExp(`#[\\w=-]+$|[,:]\\s*(?:${PLACE}|\\d+(?:-\\d+)?)$`, 'iu'), '')
      .toLowerCase();
    const named = passages.filter(({ path, title }) => {
      const file = path.slice(path.lastIndexOf('/') + 1);
      return [path, file, title].some((each) => each.toLowerCase() === wanted);
    });
    return named.length === 1 ? (named[0]?.number ?? null) : null;
  };
}

/** `(3) The station …` at the start of a line is a marker unless the lines are numbered in order. */
function withLeadingMarkers(text: string, passages: number): string {
  if (/\[#?\d{1,3}\]/.test(text)) return text;
  const numbers = [...text.matchAll(LEADING)].map(([, digits]) => Number(digits));
  const isList = numbers.length > 1 && numbers.every((number, at) => number === at + 1);
  if (isList || numbers.some((number) => number < 1 || number > passages)) return text;
  return text.replaceAll(LEADING, '[$1]');
}

const LEADING = /(?<=^[ \t]*(?:[-*•][ \t]+)?)\((\d{1,2})\)(?= \S+ \S)/gm;

const RAISED_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** What superscript digits follow as powers: `m²`, `km³`, `x²`. */
const POWER = /(?:^|[^\p{L}])(?:[kcdmµ]?m|ft|in|yd|mi|s|[a-z])$/iu;

/**
 * Finds the citations of an answer in order, in any form: `[1]`, `[#1, 2]`, `(1)`, `[^1]`, `【1】`, `¹`. Parentheses and superscript digits
 * count only in an answer without citations in brackets, parentheses only where a sentence ends or continues after them: `(1) first, (2)
 * second` is a list. Brackets in code are part of the code.
 */
export function readCitations(answer: string, passages: number): readonly ReadCitation[] {
  const text = answer.replaceAll(CODE, (code) => code.replaceAll(/[^`~\n]/gu, (char) => ' '.repeat(char.length)));
  const bracketed = [...text.matchAll(BRACKETED)]
    .map((match) => citationOf(match.index, match[0], match[1] ?? ''))
    .filter(({ numbers }) => numbers.length > 0 && numbers.every((number) => number <= Math.max(passages, MAX_NUMBER)))
    .filter((citation) => !isDefinition(text, citation));
  if (bracketed.length > 0) return bracketed;
  const loose = [...parenthesised(text), ...raised(text)].filter(
    ({ numbers }) =>
      numbers.length > 0 && numbers.every((number) => number >= 1 && number <= Math.max(passages, MAX_LOOSE_NUMBER)),
  );
  return loose.toSorted((a, b) => a.start - b.start);
}

/** `[^1]: notes/a.md` at the beginning of a line defines a citation, and cites nothing. */
function isDefinition(text: string, { start, end }: TextRange): boolean {
  return text[end] === ':' && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 20), start));
}

function citationOf(start: number, whole: string, list: string): ReadCitation {
  return { start, end: start + whole.length, numbers: numbersOf(list) };
}

function numbersOf(list: string): readonly number[] {
  const ascii = list.normalize('NFKC').replaceAll(/\bto\b/g, '-');
  const numbers = [...ascii.matchAll(/(\d{1,3})(?:\s*[-–—~]\s*[#^]?(\d{1,3}))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    const last = to === undefined ? first : Number(to);
    if (last < first || last - first > MAX_RANGE) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return [...new Set(numbers)];
}

/** Fenced and inline code. */
const CODE = /^[ \t]*(```|~~~)[^]*?(?:^[ \t]*\1|$(?![^]))|`[^`\n]+`/gm;

function parenthesised(text: string): readonly ReadCitation[] {
  const found = [...text.matchAll(PARENTHESISED)]
    .filter(({ index }) => !/(?:^|\n)[ \t>*+-]*$/.test(text.slice(Math.max(0, index - 20), index)))
    .map((match) => citationOf(match.index, match[0], match[1] ?? ''));
  const closing = found.filter(({ end }) => /^\s*(?:$|[.,;:!?。、，！？)\n|*_]|[(（]\d)/.test(text.slice(end)));
  if (closing.length === 0) return [];
  // After a full stop `(1)` may begin a list or be a citation; it is a citation if the last one of the answer closes a sentence.
  const last = found.at(-1);
  const behindStop = found.filter(({ start }) =>
    /[.!?。！？]["'”’»)*_]*\s*$/.test(text.slice(Math.max(0, start - 6), start)),
  );
  return last !== undefined && closing.includes(last) ? [...new Set([...closing, ...behindStop])] : closing;
}

function raised(text: string): readonly ReadCitation[] {
  return [...text.matchAll(RAISED)]
    .filter(({ index }) => !POWER.test(text.slice(Math.max(0, index - 3), index)))
    .map(({ 0: all, index }) => ({
      start: index,
      end: index + all.length,
      numbers: all
        .split(/[^⁰¹²³⁴⁵⁶⁷⁸⁹]/u)
        .map((digits) => Number(Array.from(digits, (digit) => RAISED_DIGITS.indexOf(digit)).join('')))
        .filter((number) => number > 0),
    }));
}
