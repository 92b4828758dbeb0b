/** A language in which kebab can refuse. */
export type RefusalLanguage = 'en' | 'ko' | 'ja';

/** The language of a question by its script: Hangul is Korean, kana is Japanese, everything else is told in English. */
export function questionLanguage(question: string): RefusalLanguage {
  const hangul = question.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  const kana = question.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (hangul === 0 && kana === 0) return 'en';
  return hangul >= kana ? 'ko' : 'ja';
}
