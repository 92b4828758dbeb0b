import { safeCut } from '@kebab/core';

/**
 * Cuts a text into at most `count` pieces of about equal length, at white space where there is some nearby, and never inside
 * a character. Every character that is not white space is in exactly one piece; a text of one character stays whole.
 */
export function splitText(text: string, count: number): readonly string[] {
  const ideal = text.length / count;
  const cuts = Array.from({ length: count - 1 }, (_, n) => cutNear(text, Math.round((n + 1) * ideal), ideal / 4));
  const starts = [0, ...cuts];
  return starts
    .map((start, n) => text.slice(start, starts[n + 1] ?? text.length).trim())
    .filter((piece) => piece !== '');
}

/** The white space nearest to a place, if it is within reach; else the place itself, moved out of a character. */
function cutNear(text: string, place: number, reach: number): number {
  for (let distance = 0; distance <= reach; distance++)
    for (const at of [place - distance, place + distance]) if (/\s/.test(text[at] ?? '')) return at;
  return safeCut(text, place);
}
