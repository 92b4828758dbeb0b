/**
 * A line that begins with a hundred markers of quotes or list items and is not a rule drawn of one of them. Nobody writes
 * one, and the parser's time grows with the square of the depth: a megabyte of markers would hold it for minutes.
 */
const DEEP_LINE = /^[ \t]*(?!(?:-[ \t]*)+$|(?:\*[ \t]*)+$)(?:>[ \t]*|[-+*][ \t]+|\d{1,9}[.)][ \t]+){100}/m;

/** The shortest text that can nest so deep: one character a marker. */
const SHORTEST = 100;

/** Whether a text nests quotes or lists deeper than anybody reads: such a text is taken in as plain paragraphs. */
export function nestsTooDeep(text: string): boolean {
  return text.length >= SHORTEST && DEEP_LINE.test(text);
}
