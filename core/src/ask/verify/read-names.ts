import type { TextRange } from '../../domain/block.ts';

/** A name in a text, and the words of it that must be known. */
export interface ReadName extends TextRange {
  readonly words: readonly string[];
}

const CAPITALISED =
  /(?<![\p{L}\p{N}_])\p{Lu}[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]*(?:['’.-][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+)*/gu;
const NO_NAMES = new Set(
  (
    'I A An The This That These Those It Its He She They We You His Her Their Our Your In On At By For From Of To With As And Or But ' +
    'If So Yet Both Each Some Many Most All Any Such When While Where After Before During Since Until According However Therefore ' +
    'Also Although Because There Here What Which Who Why How Not No Yes OK January February March April May June July August ' +
    'September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Passage Passages Source Sources ' +
    'Document Documents Evidence Section Chapter Table Figure Page Note'
  )
    .split(' ')
    .map((word) => word.toLowerCase()),
);
/** Hangul words that end like the name of an organisation or a person's office. */
const KOREAN_NAME =
  /(?<![가-힣])[가-힣]{2,}(?:대학교|대학|병원|은행|그룹|전자|공사|협회|재단|위원회|학회|연구원|연구소|주식회사|시청|구청|도청|공항|장관|대통령|의원|교수|씨)(?=(?:이라|라|이|가|은|는|을|를|의|에|와|과|도|로|으로|에서|에게|께서|부터|까지|만)?(?![가-힣]))/gu;
const KATAKANA_NAME = /[\p{Script=Katakana}ー]{3,}/gu;

/**
 * The names of a sentence: capitalised words that do not begin it, and what ends like a name in Korean. Words that begin a
 * sentence count where another capitalised one follows or `isKnownName` knows them.
 */
export function readNames(sentence: string, isKnownName: (word: string) => boolean): readonly ReadName[] {
  const first = /[\p{L}\p{N}]/u.exec(sentence)?.index ?? 0;
  const words = [...sentence.matchAll(CAPITALISED)]
    .map(({ 0: written, index }) => ({ word: written.replace(/['’]s$/u, ''), start: index }))
    .filter(({ word }) => word.length > 1 && !NO_NAMES.has(word.toLowerCase()))
    .filter(
      ({ word, start }) => start !== first || isKnownName(word) || beginsName(sentence.slice(start + word.length)),
    );
  const groups: { start: number; end: number; words: string[] }[] = [];
  for (const { word, start } of words) {
    const last = groups.at(-1);
    const end = start + word.length;
    if (
      last !== undefined &&
      /^(?:['’]s)? (?:(?:of|the|de|la|le|von|van|der|del|and|&) )*$/u.test(sentence.slice(last.end, start))
    ) {
      last.words.push(word);
      last.end = end;
    } else groups.push({ start, end, words: [word] });
  }
  const others = [...sentence.matchAll(KOREAN_NAME), ...sentence.matchAll(KATAKANA_NAME)].map(({ 0: name, index }) => ({
    start: index,
    end: index + name.length,
    words: [name],
  }));
  return [...groups, ...others].toSorted((a, b) => a.start - b.start);
}

function beginsName(rest: string): boolean {
  return /^ \p{Lu}\p{Ll}/u.test(rest);
}
