/** The English names of languages by their ISO 639 codes, as "English, Korean"; codes that name none are left out. */
export function languageNames(codes: readonly string[]): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return codes
    .flatMap((code) => {
      try {
        return names.of(code.replace('_', '-')) ?? [];
      } catch {
        return []; // what is no code at all throws
      }
    })
    .join(', ');
}
