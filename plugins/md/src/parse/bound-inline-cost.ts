/**
 * The maximum sum of the distances of all inline marks in a run of lines from the start of the run. For each character reference and each
 * `www.`, satteri 0.10.5 stores the preceding words again, and its time for other marks grows likewise: 20,000 references in a paragraph of
 * 528 KB take more than the 4 GiB it can address, which ends the process. Within this budget, a run of references takes 50 times its size
 * in memory.
 */
const BUDGET = 2 ** 18;

/** The shortest run that can exceed the budget, with a mark at every position. */
const SHORTEST_RUN = Math.floor(Math.sqrt(2 * BUDGET));

/** Characters that begin, end or form an inline construct. */
const MARK = /[&@\\*_[\]!~`<]|:(?=\/\/)|(?<=www)\./gi;
/** Marks that never begin a block, wherever they are on a line. */
const INLINE_ONLY = /[&@]|:(?=\/\/)|(?<=www)\./gi;

/**
 * The beginning of a line, which determines its block: markers, then a thematic break, a fence, the label of a definition, the name of a
 * tag or anything else before the first word, and that word.
 */
const LINE_HEAD =
  /^[ \t]*(?:(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*)*(?:(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|\[[^\]]{0,100}\]:[ \t]*<?|<!\[CDATA\[|(?:\\.|`{3,}|~{3,}|<[!?/]?|[^\w&@\\*_[\]!~`<\u0080-\uffff])*[\w\u0080-\uffff]*)/;
const MAX_LINE_HEAD = 256;

/** Strings that end a block of HTML wherever they are on a line. In a line that begins like a fence, a backtick is decisive as well. */
const DECISIVE = [']]>', '</script>', '</pre>', '</style>', '</textarea>'];

/** A line that never continues a paragraph: a blank line, a heading, a fence, a list item. */
const RUN_BREAK = /^(?:[ \t]*$| {0,3}(?:#{1,6}(?:[ \t]|$)|`{3,}[^`\n]*$|~{3}|[-+*][ \t]+\S))/gm;

/**
 * Returns a text with the same blocks on the same lines whose parsing takes time and memory proportional to its length. If the inline marks
 * of a paragraph, table or list item exceed the budget, the remaining ones are replaced by letters. The result is only for the parser; the
 * lines and kinds of its blocks are also those of the original text.
 */
export function boundInlineCost(text: string, budget: number = BUDGET): string {
  if (text.length < SHORTEST_RUN && budget === BUDGET) return text;
  const pieces: string[] = [];
  let kept = 0;
  for (const stretch of longStretches(text, Math.floor(Math.sqrt(2 * budget)))) {
    if (firstOverBudget(text, stretch, budget) === undefined) continue;
    for (const run of runsOf(text, stretch)) {
      const over = firstOverBudget(text, run, budget);
      if (over === undefined) continue;
      pieces.push(text.slice(kept, over), withoutMarks(text, { ...run, from: over }));
      kept = run.end;
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(kept);
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** The parts between empty lines that are longer than `length`. Fast to find, and each consists of whole runs. */
function longStretches(text: string, length: number): readonly Run[] {
  const stretches: Run[] = [];
  for (let start = 0; text.length - start > length;) {
    const lastGap = text.lastIndexOf('\n\n', start + length);
    if (lastGap >= start) {
      start = lastGap + 2;
      continue;
    }
    const gap = text.indexOf('\n\n', start + length);
    const end = gap === -1 ? text.length : gap;
    stretches.push({ start, end });
    start = end + 2;
  }
  return stretches;
}

function* runsOf(text: string, { start, end }: Run): Generator<Run> {
  const stretch = text.slice(start, end);
  let from = 0;
  for (const { index } of stretch.matchAll(RUN_BREAK)) {
    if (index > from) yield { start: start + from, end: start + index };
    from = index;
  }
  yield { start: start + from, end };
}

/** The offset of the mark with which a run exceeds the budget; undefined if it stays within it. */
function firstOverBudget(text: string, { start, end }: Run, budget: number): number | undefined {
  const length = end - start;
  if ((length * length) / 2 < budget) return undefined;
  let cost = 0;
  const run = text.slice(start, end); // so that the search for marks ends with the run
  MARK.lastIndex = 0;
  while (MARK.test(run)) {
    const index = MARK.lastIndex - 1;
    cost += index;
    if (cost > budget) return start + index;
  }
  return undefined;
}

function withoutMarks(text: string, { start, end, from }: Run & { readonly from: number }): string {
  const lineStart = Math.max(start, text.lastIndexOf('\n', from - 1) + 1);
  const [first = '', ...others] = text.slice(lineStart, end).split('\n');
  const column = from - lineStart;
  const rest = withoutMarksAfter(first, Math.max(column, headLength(first))).slice(column);
  return [rest, ...others.map((line) => withoutMarksAfter(line, headLength(line)))].join('\n');
}

function withoutMarksAfter(marked: string, column: number): string {
  const line = marked.replaceAll(INLINE_ONLY, 'x');
  const [head, tail] = [line.slice(0, column), line.slice(column)];
  const lower = tail.toLowerCase();
  const ends = head.includes('```') ? [...DECISIVE, '`'] : DECISIVE;
  const decisive = ends.filter((each) => lower.includes(each)).join('');
  const unmarked = tail.replaceAll(MARK, 'x');
  const lastCell = decisive === '' ? -1 : unmarked.search(/\|[ \t]*$/);
  const end = lastCell === -1 ? unmarked.length : lastCell;
  return head + unmarked.slice(0, end) + decisive + unmarked.slice(end);
}

function headLength(line: string): number {
  return LINE_HEAD.exec(line.slice(0, MAX_LINE_HEAD))?.[0].length ?? 0;
}

/**
 * A line that begins with a hundred markers of quotes or list items and is not a thematic break of one of these characters. Such a line is
 * an attack: the parser's time grows with the square of the depth, so that a megabyte of markers would take minutes.
 */
const DEEP_LINE = /^[ \t]*(?!(?:-[ \t]*)+$|(?:\*[ \t]*)+$)(?:>[ \t]*|[-+*][ \t]+|\d{1,9}[.)][ \t]+){100}/m;

const STEP = 50;
/** `STEP` consecutive characters that can be part of markers. */
const STEP_OF_MARKERS = /[\d \t>+*.)-]{50}/y;
const FIRST_LETTER = 0x41;

/** Whether a text nests quotes or lists absurdly deep, so that it is extracted as plain paragraphs instead of being parsed. */
export function nestsTooDeep(text: string): boolean {
  return mayNestDeep(text) && DEEP_LINE.test(text);
}

/** A fast check: a hundred markers fill at least one step wherever they begin, and steps take a tenth of the time of `DEEP_LINE`. */
function mayNestDeep(text: string): boolean {
  for (let at = 0; at < text.length; at += STEP) {
    if (text.charCodeAt(at) >= FIRST_LETTER) continue; // not part of a marker
    STEP_OF_MARKERS.lastIndex = at;
    if (STEP_OF_MARKERS.test(text)) return true;
  }
  return false;
}
