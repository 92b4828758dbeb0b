/** Which of two forms of a text are to be shown. */
export interface ShownTexts {
  readonly first: boolean;
  readonly second: boolean;
}

/** The minimum share of the words of a text that another has, for both to be the same text. */
const MIN_SHARED = 0.5;
/** The maximum share of further words for a text that says nothing more. */
const MAX_FURTHER = 0.1;

/**
 * Compares two forms of a text by their words. Of the same text the first is shown, unless the second says more; of different ones both, because
 * neither is in the other. A form without words is not shown.
 */
export function comparedTexts(first: string, second: string): ShownTexts {
  const [one, other] = [wordsOf(first), wordsOf(second)];
  if (one.size === 0 || other.size === 0) return { first: one.size > 0 || other.size === 0, second: other.size > 0 };
  const shared = [...one].filter((word) => other.has(word)).length;
  if (shared < MIN_SHARED * Math.min(one.size, other.size)) return { first: true, second: true };
  const further = other.size - shared;
  const isMore = further > MAX_FURTHER * other.size && further > one.size - shared;
  return { first: !isMore, second: isMore };
}

/** The distinct words of a text without addresses of pages; of scripts without spaces, each pair of letters. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll(/\bhttps?:\/\/\S+/g, ' ')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  return new Set(
    (words ?? []).flatMap((word) =>
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word) ? pairsOf(word) : [word],
    ),
  );
}

function pairsOf(word: string): readonly string[] {
  const letters = Array.from(word);
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`);
}
