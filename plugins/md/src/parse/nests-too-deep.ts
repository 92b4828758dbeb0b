/**
 * A line that begins with a hundred markers of quotes or list items and is not a rule drawn of one of them. Nobody writes
 * one, and the parser's time grows with the square of the depth: a megabyte of markers would hold it for minutes.
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
