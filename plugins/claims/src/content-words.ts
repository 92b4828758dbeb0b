import { detectLanguage, functionWordsOf, UNDETERMINED, type TextRange } from '@kebab/core';

const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}][\p{L}\p{M}]*(?:['’-]\p{L}+)*/gu;
const RUN = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}/gu;
const FREQUENT = new Set(
  (
    'the and for are was not but his her its has had who all any can one two out our use how why you may new now see did get she ' +
    'him per via due yet ' +
    'about above after again also although among another because been before being between both came come could does doing down during ' +
    'each even ever every first from further gave give given goes have having here however into itself just known like made many more ' +
    'most much must never nothing once only other over passage quite said same says second shall should since some such than that their ' +
    'them then there therefore these they thing this those through thus together until under upon used using very well were what when ' +
    'where which while with within without would your according states document source evidence'
  ).split(' '),
);
const STEM_LENGTH = 5;

/** The words of a text in lower case, hyphenated ones also as their parts. */
export function wordsOf(text: string): readonly string[] {
  return [...text.normalize('NFKC').toLowerCase().matchAll(WORD)].flatMap(([word]) => {
    const bare = word.replace(/['’]s$/u, '');
    return /['’-]/u.test(bare) ? [bare, ...bare.split(/['’-]/u)] : [bare];
  });
}

/** A cheap approximation of the topics of a text: the beginnings of its words, and bigrams of unspaced scripts. */
export function contentUnits(text: string): readonly string[] {
  const stems = wordsOf(text)
    .filter((word) => word.length > 2 && !FREQUENT.has(word))
    .map((word) => word.slice(0, STEM_LENGTH));
  const pairs = [...text.normalize('NFC').matchAll(RUN)].flatMap(([run]) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return [...stems, ...pairs];
}

/** Whether most of a text is in a script without lower case such as Hangul; texts in other scripts share no words with it. */
export function isUnspaced(text: string): boolean {
  const unspaced = text.match(/[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return unspaced * 2 > letters;
}

const LATIN_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl'];

/** The language of a text; that with most of its function words where it is too short to tell, and `otherwise` if none has any. */
export function likelyLanguage(text: string, otherwise: string): string {
  const detected = detectLanguage(text);
  if (detected !== UNDETERMINED) return detected;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hits = LATIN_LANGUAGES.map((code) => words.filter((word) => functionWordsOf(code).has(word)).length);
  const best = Math.max(...hits);
  const own = hits[LATIN_LANGUAGES.indexOf(otherwise)] ?? 0;
  return best === 0 || best === own ? otherwise : (LATIN_LANGUAGES[hits.indexOf(best)] ?? otherwise);
}

/** A name in a text, and those of its words that must be known. */
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
/** Hangul words with the ending of an organisation's name or a person's title. */
const KOREAN_NAME =
  /(?<![가-힣])[가-힣]{2,}(?:대학교|대학|병원|은행|그룹|전자|공사|협회|재단|위원회|학회|연구원|연구소|주식회사|시청|구청|도청|공항|장관|대통령|의원|교수|씨)(?=(?:이라|라|이|가|은|는|을|를|의|에|와|과|도|로|으로|에서|에게|께서|부터|까지|만)?(?![가-힣]))/gu;
const KATAKANA_NAME = /[\p{Script=Katakana}ー]{3,}/gu;

/**
 * The names in a sentence: capitalised words that are not its first, and words with the ending of a Korean name. The first word of a
 * sentence counts if another capitalised one follows or `isKnownName` knows it.
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

/** A text folded for comparing quotations, with the origin of each of its characters. */
export interface FoldedText {
  readonly text: string;
  /** The offset in the original for each UTF-16 unit of `text`, and the original's length at the end. */
  readonly origins: readonly number[];
}

/** A letter with its marks, or a Hangul syllable written as jamo. */
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]*[\u11a8-\u11ff]*|\P{M}\p{M}*|\p{M}/gu;
/**
 * Markdown that is not part of the text: link targets, link brackets, emphasis, escapes. Each alternative begins with its own character
 * rather than a lookbehind, which V8 would try at every position of a text.
 */
const MARKUP =
  /!?\[(?=[^\]\n]*\]\()|\](?<=\[[^\]\n]*\])\([^()\s]*(?:\s"[^"]*")?\)|\[[#^]?\d{1,3}\]|[*_~`]{2,}|[*_~`](?:(?=\S)|(?<=\S.))|\\(?=[\p{P}\p{S}])|[\u00ad\u200b-\u200d\u2060\ufeff]/gmu;
/** Markers of quoted lines. */
const QUOTED_LINE = /^[ \t]*(?:>[ \t]?)+/gm;
/** Scripts with free spacing, in which lines may break anywhere. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const DASH = /[\u2010-\u2015\u2212\u2e3a\u2e3b\uff0d]/u;
const SINGLE_QUOTE = /[‘’‚‛′`´]/u;
const DOUBLE_QUOTE = /[“”„‟″«»「」『』＂]/u;

/**
 * Folds differences that do not change the content of a text: NFKC, case, white space, Markdown, and the typography of quotes, dashes and
 * ellipses.
 */
export function foldText(original: string): FoldedText {
  const marks = [...original.matchAll(MARKUP), ...(original.includes('>') ? original.matchAll(QUOTED_LINE) : [])];
  const markup = new Map(marks.map(({ 0: all, index }) => [index, index + all.length]));
  let text = '';
  const origins: number[] = [];
  let skipTo = 0;
  const push = (piece: string, origin: number): void => {
    for (let i = 0; i < piece.length; i++) origins.push(origin);
    text += piece;
  };
  const isUnspacedGap = (next: string): boolean =>
    text.endsWith(' ') && UNSPACED.test(text.at(-2) ?? '') && UNSPACED.test(next);
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    skipTo = Math.max(skipTo, markup.get(index) ?? 0);
    if (index < skipTo) continue;
    if (/^\s/u.test(cluster)) {
      if (text !== '' && !text.endsWith(' ')) push(' ', index);
    } else {
      const folded = foldCluster(cluster);
      if (isUnspacedGap(folded)) {
        text = text.slice(0, -1);
        origins.pop();
      }
      push(folded, index);
    }
  }
  origins.push(original.length);
  return { text, origins };
}

function foldCluster(cluster: string): string {
  if (cluster.length === 1 && cluster < '\u0080') return cluster.toLowerCase();
  if (DASH.test(cluster)) return '-';
  if (SINGLE_QUOTE.test(cluster)) return "'";
  if (DOUBLE_QUOTE.test(cluster)) return '"';
  const folded = cluster.normalize('NFKC').toLowerCase();
  return folded.trim() === '' ? '' : folded;
}
