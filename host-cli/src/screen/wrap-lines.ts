import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Colours and links, which take no room. */
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\u001b\[[0-9;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/uy;
/** The part of a line that may be margin: a narrow terminal keeps most of its room for text. */
const MAX_MARGIN = 0.4;

/** Breaks lines that are too long for a terminal at spaces; they go on below the place where their text begins. */
export function wrapLines(shown: string, columns: number): string {
  return shown
    .split('\n')
    .map((line) => (stringWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const maxMargin = Math.floor(columns * MAX_MARGIN);
  const [, indent = '', label = ''] = /^( *)(\S+(?: \S+)* {2,}(?=\S))?/.exec(plain(line)) ?? [];
  const isLabelled = label !== '' && stringWidth(indent + label) <= maxMargin;
  const head = isLabelled ? indent + label : indent;
  const margin = isLabelled ? stringWidth(head) : Math.min(indent.length + 2, maxMargin);
  const at = indexBehind(line, head.length);
  const start = isLabelled
    ? line.slice(0, at)
    : ' '.repeat(Math.min(indent.length, margin)) + sequencesIn(line.slice(0, at));
  const rows = wrapAnsi(line.slice(at), columns - margin, { hard: true }).split('\n');
  return start + rows.join(`\n${' '.repeat(margin)}`);
}

function plain(line: string): string {
  return line.replaceAll(new RegExp(SEQUENCE, 'gu'), '');
}

function sequencesIn(text: string): string {
  return (text.match(new RegExp(SEQUENCE, 'gu')) ?? []).join('');
}

/** Where the shown character at `index` stands in a line with sequences. */
function indexBehind(line: string, index: number): number {
  let at = 0;
  for (let seen = 0; ; seen++) {
    SEQUENCE.lastIndex = at;
    while (SEQUENCE.test(line)) {
      at = SEQUENCE.lastIndex;
      SEQUENCE.lastIndex = at;
    }
    if (seen === index) return at;
    at++;
  }
}
