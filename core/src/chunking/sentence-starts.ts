const SENTENCE_END = /[.?!]["'”’»)\]]*\s+|[。？！][」』”’）]*\s*/g;

/**
 * The offsets inside `(start, end)` at which a sentence begins: behind `.`, `?` or `!` and white space, or behind `。`,
 * `？` or `！`; closing quotes and brackets belong to the sentence they close. `start` itself is not among them.
 */
export function sentenceStarts(text: string, start: number, end: number): readonly number[] {
  const starts: number[] = [];
  for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
    const offset = start + match.index + match[0].length;
    if (offset < end) starts.push(offset);
  }
  return starts;
}
