import { detectLanguage, UNDETERMINED } from '../../extraction/document/detect-language.ts';

const ENGLISH = 'en';

/**
 * The language, as an ISO 639-1 code, in which a picture is to be described: that of the text in it, else the first of the
 * configured languages, else English.
 */
export function captionLanguage(text: string, languages: readonly string[]): string {
  const detected = detectLanguage(text);
  if (detected !== UNDETERMINED) return detected;
  try {
    return new Intl.Locale(languages[0] ?? ENGLISH).language;
  } catch {
    return ENGLISH;
  }
}
