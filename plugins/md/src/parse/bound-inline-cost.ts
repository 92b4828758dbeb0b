/**
 * How far marks of one run of lines may lie from its start, added up. satteri 0.10.5 stores for each character reference and
 * each `www.` the words before it again, and takes time for other marks that grows likewise: 20,000 references in a
 * paragraph of 528 KB take more than the 4 GiB it can address, which ends the process. Within this budget a run of
 * references takes 50 times its size in memory.
 */
const BUDGET = 2 ** 18;

/** The shortest run that can go over the budget: a mark in every place. */
const SHORTEST_RUN = Math.floor(Math.sqrt(2 * BUDGET));

/** Whatever begins, ends or is an inline construct. */
const MARK = /[&@\\*_[\]!~`<]|:(?=\/\/)|(?<=www)\./gi;
/** Marks that make blocks nowhere on a line. */
const INLINE_ONLY = /[&@]|:(?=\/\/)|(?<=www)\./gi;

/**
 * The beginning of a line that decides what block it is: markers, then a rule, a fence, the label of a definition, the name of a
 * tag or whatever else stands before the first word, and that word.
 */
const LINE_HEAD =
  /^[ \t]*(?:(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*)*(?:(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|\[[^\]]{0,100}\]:[ \t]*<?|<!\[CDATA\[|(?:\\.|`{3,}|~{3,}|<[!?/]?|[^\w&@\\*_[\]!~`<\u0080-\uffff])*[\w\u0080-\uffff]*)/;
const MAX_LINE_HEAD = 256;

/** What ends a block of HTML wherever it stands on a line. A backtick says as much of a line that begins like a fence. */
const DECISIVE = [']]>', '</script>', '</pre>', '</style>', '</textarea>'];

/** A line that never continues a paragraph: a blank one, a heading, a fence, an item of a list. */
const RUN_BREAK = /^(?:[ \t]*$| {0,3}(?:#{1,6}(?:[ \t]|$)|`{3,}[^`\n]*$|~{3}|[-+*][ \t]+\S))/gm;

/**
 * A text that has the same blocks on the same lines and that is parsed in a time and a memory that grow with its length: where
 * paragraphs, tables or items hold so many inline marks that they cost more than the budget, letters take the place of the
 * marks behind. It is for the parser alone: what it says of lines and kinds holds for the text as it was.
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

/** What stands between empty lines and is longer than so much: quickly found, and never less than a run. */
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

/** Where the marks of a run go over the budget. */
function firstOverBudget(text: string, { start, end }: Run, budget: number): number | undefined {
  const length = end - start;
  if ((length * length) / 2 < budget) return undefined;
  let cost = 0;
  const run = text.slice(start, end); // so that no mark is looked for behind it
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
  const rest = withoutMarksBehind(first, Math.max(column, headLength(first))).slice(column);
  return [rest, ...others.map((line) => withoutMarksBehind(line, headLength(line)))].join('\n');
}

function withoutMarksBehind(marked: string, column: number): string {
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
 * A line that begins with a hundred markers of quotes or list items and is not a rule drawn of one of them. Such a line is
 * an attack, and the parser's time grows with the square of the depth: a megabyte of markers would hold it for minutes.
 */
const DEEP_LINE = /^[ \t]*(?!(?:-[ \t]*)+$|(?:\*[ \t]*)+$)(?:>[ \t]*|[-+*][ \t]+|\d{1,9}[.)][ \t]+){100}/m;

const STEP = 50;
/** As many places in a row as markers consist of. */
const STEP_OF_MARKERS = /[\d \t>+*.)-]{50}/y;
const FIRST_LETTER = 0x41;

/** Whether a text nests quotes or lists deeper than anybody reads: such a text is taken in as plain paragraphs. */
export function nestsTooDeep(text: string): boolean {
  return mayNestDeep(text) && DEEP_LINE.test(text);
}

/** A hundred markers fill at least one step wherever they begin; to look at steps takes a tenth of the time of looking at lines. */
function mayNestDeep(text: string): boolean {
  for (let at = 0; at < text.length; at += STEP) {
    if (text.charCodeAt(at) >= FIRST_LETTER) continue; // no part of a marker
    STEP_OF_MARKERS.lastIndex = at;
    if (STEP_OF_MARKERS.test(text)) return true;
  }
  return false;
}
