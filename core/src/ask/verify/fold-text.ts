/** A text in the form in which quotations are compared, and where each of its characters stood. */
export interface FoldedText {
  readonly text: string;
  /** The offset in the original for each UTF-16 unit of `text`, and the original's length at the end. */
  readonly origins: readonly number[];
}

/** A letter with its marks, or a Hangul syllable written in its parts. */
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]*[\u11a8-\u11ff]*|\P{M}\p{M}*|\p{M}/gu;
/**
 * Markdown that is not part of what is said: targets of links, brackets of links, emphasis, escapes. Each alternative begins
 * with a character of its own rather than with a look behind, which V8 would take at every place of a text.
 */
const MARKUP =
  /!?\[(?=[^\]\n]*\]\()|\](?<=\[[^\]\n]*\])\([^()\s]*(?:\s"[^"]*")?\)|\[[#^]?\d{1,3}\]|[*_~`]{2,}|[*_~`](?:(?=\S)|(?<=\S.))|\\(?=[\p{P}\p{S}])|[\u00ad\u200b-\u200d\u2060\ufeff]/gmu;
/** Marks of quoted lines. */
const QUOTED_LINE = /^[ \t]*(?:>[ \t]?)+/gm;
/** Where words are spaced freely, or lines broken anywhere. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const DASH = /[\u2010-\u2015\u2212\u2e3a\u2e3b\uff0d]/u;
const SINGLE_QUOTE = /[‘’‚‛′`´]/u;
const DOUBLE_QUOTE = /[“”„‟″«»「」『』＂]/u;

/**
 * Folds what does not change what a text says: NFKC, case, white space, Markdown, and the typography of quotes, dashes and
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
