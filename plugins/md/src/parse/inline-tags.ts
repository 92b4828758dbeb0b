import type { MarkdownTree } from './markdown-tree.ts';

/** Obsidian's tags: letters, digits, `_`, `-`, `/` and signs such as emoji behind a `#` that begins a word, not all of them digits. */
const TAG = /(?<!\S)#([\p{L}\p{N}\p{M}\p{So}\u200D_/-]+)/gu;
/** One look at the code units tells most texts from those with tags: a heading has a space behind its signs. */
const MAY_HAVE_TAGS = /(?:^|\s)#[^\s#]/;

/**
 * The tags that stand in the text of a document, each once, in order: `#idea`, `#work/backend`. Code, HTML, links and escaped
 * signs hold none, and neither do numbers (`#123`).
 */
export function inlineTags(body: string, tree: MarkdownTree): readonly string[] {
  if (!MAY_HAVE_TAGS.test(body)) return [];
  const written = new Set(tagsIn(body));
  if (written.size === 0) return [];
  const found = new Set<string>();
  for (const text of tree.texts()) {
    if (!text.includes('#')) continue;
    for (const tag of tagsIn(text)) if (written.has(tag)) found.add(tag);
  }
  return [...found];
}

function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(TAG)]
    .map(([, tag = '']) => tag.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))
    .filter((tag) => /[^\d/_-]/u.test(tag));
}
