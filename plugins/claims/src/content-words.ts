import { detectLanguage, functionWordsOf, UNDETERMINED } from '@kebab/core';

/** A longer sentence is a list of many things, and is not compared as one statement. */
export const MAX_STATEMENT = 1000;

/** A letter of a script with free spacing, in which lines may break anywhere. */
export const UNSPACED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

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
