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

/** The words of a text in small letters, those with a hyphen also in their parts. */
export function wordsOf(text: string): readonly string[] {
  return [...text.normalize('NFKC').toLowerCase().matchAll(WORD)].flatMap(([word]) => {
    const bare = word.replace(/['’]s$/u, '');
    return /['’-]/u.test(bare) ? [bare, ...bare.split(/['’-]/u)] : [bare];
  });
}

/** What a text speaks of, cheaply: the beginnings of its words, and pairs of characters of unspaced scripts. */
export function contentUnits(text: string): readonly string[] {
  const stems = wordsOf(text)
    .filter((word) => word.length > 2 && !FREQUENT.has(word))
    .map((word) => word.slice(0, STEM_LENGTH));
  const pairs = [...text.normalize('NFC').matchAll(RUN)].flatMap(([run]) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return [...stems, ...pairs];
}

/** Whether most of a text is in a script without small letters such as Hangul; texts of other scripts share no words with it. */
export function isUnspaced(text: string): boolean {
  const unspaced = text.match(/[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return unspaced * 2 > letters;
}
