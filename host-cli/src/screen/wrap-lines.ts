import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Escape sequences of colours and links, which have no width. */
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\u001b\[[0-9;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/uy;
/** The maximum share of a line used for indentation: a narrow terminal keeps most of its width for text. */
const MAX_MARGIN = 0.4;

/**
 * Wraps lines that are too long for a terminal at spaces; continuation lines are indented to where the text begins. Without a terminal
 * (`columns` is null) the lines stay as they are.
 */
export function wrapLines(shown: string, columns: number | null): string {
  if (columns === null) return shown;
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

/** The position of the displayed character `index` in a line with sequences. */
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
