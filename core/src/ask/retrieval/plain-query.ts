/** A text as a query that only names words: quotes and minus signs in it demand and exclude nothing. */
export function plainQuery(text: string): string {
  return text
    .replaceAll('"', ' ')
    .replaceAll(/(^|\s)-+(?=\S)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
