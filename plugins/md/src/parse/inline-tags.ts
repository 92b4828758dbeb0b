import type { MarkdownTree } from './markdown-tree.ts';

/** Obsidian's tags: letters, digits, `_`, `-`, `/` and signs such as emoji behind a `#` that begins a word, not all of them digits. */
const TAG = /(?<!\S)#([\p{L}\p{N}\p{M}\p{So}\u200D_/-]+)/gu;

/**
 * The tags that stand in the text of a document, each once, in order: `#idea`, `#work/backend`. Code, HTML, links and escaped
 * signs hold none, and neither do numbers (`#123`).
 */
export function inlineTags(body: string, tree: MarkdownTree): readonly string[] {
  if (!mayHaveTags(body)) return [];
  const written = new Set(tagsIn(body));
  if (written.size === 0) return [];
  const found = new Set<string>();
  for (const text of tree.texts()) {
    if (!text.includes('#')) continue;
    for (const tag of tagsIn(text)) if (written.has(tag)) found.add(tag);
  }
  return [...found];
}

/** One look at each sign tells most texts from those with tags: a heading has a space behind its signs. */
function mayHaveTags(text: string): boolean {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    const isFirst = at === 0 || isSpace(text, at - 1);
    if (isFirst && at + 1 < text.length && text.charCodeAt(at + 1) !== SIGN && !isSpace(text, at + 1)) return true;
  }
  return false;
}

const SIGN = 0x23;

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= 0x20 || (unit >= 0x80 && /\s/.test(text.charAt(at)));
}

function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(TAG)]
    .map(([, tag = '']) => tag.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))
    .filter((tag) => /[^\d/_-]/u.test(tag));
}
