/** A page on which it is worth looking for an article: larger or deeper ones are data, and looking would take minutes. */
export const ARTICLE_LIMITS = { chars: 2 * 2 ** 20, elements: 20_000, depth: 200 } as const;

/** What of a page an article must be for the rest to be left out. */
const MIN_SHARE = 0.3;

/**
 * The article of a page as HTML, without navigation, advertisements and the like. Null where there is none, or so little that it
 * cannot be all that the page says. The page must keep {@link ARTICLE_LIMITS}.
 */
export async function findArticle(html: string): Promise<string | null> {
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  for (const element of document.querySelectorAll('script,style,noscript,template')) element.remove();
  const heading = document.querySelector('h1')?.outerHTML ?? '';
  const all = lengthOf(document.body?.textContent);
  const article = new Readability(document, { charThreshold: 200, keepClasses: true }).parse();
  const content = article?.content ?? null;
  if (content === null || lengthOf(article?.textContent) < all * MIN_SHARE) return null;
  return /<h1[\s>]/i.test(content) ? content : `${heading}${content}`;
}

function lengthOf(text: string | null | undefined): number {
  return (text ?? '').replaceAll(/\s+/g, ' ').length;
}
