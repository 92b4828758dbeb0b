import type { NumberedEvidence } from '../retrieval/evidence.ts';

/**
 * A passage as a model reads it: the header `[#n] doc=… heading=… uri=… trust=…` on one line, then its text. Titles and
 * headings come from documents, so the header stands inside the fence like everything else of theirs.
 */
export function renderPassage(passage: NumberedEvidence, text: string = passage.text): string {
  const { number, title, headingPath, citation, trust } = passage;
  const heading = headingPath.map(oneLine).join(' / ');
  return `[#${number}] doc=${oneLine(title)} heading=${heading} uri=${oneLine(citation.uri)} trust=${trust}\n${text}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
