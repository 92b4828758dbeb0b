import { analyseQuery } from '@kebab/core';
import { literalPrefix, SearchedText } from '@kebab/core/store';

/** The range of paths that can match a glob: from its literal prefix up to the next text of the same length, if there is one. */
export function pathRange(glob: string): readonly [from: string, to: string | null] {
  const prefix = literalPrefix(glob);
  const characters = Array.from(prefix);
  while (characters.at(-1) === LAST_CHARACTER) characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return [prefix, null];
  const next = last + 1 === SURROGATES.from ? SURROGATES.to : last + 1;
  return [prefix, characters.join('') + String.fromCodePoint(next)];
}

const LAST_CHARACTER = '\u{10ffff}';
/** Code points that are not characters. */
const SURROGATES = { from: 0xd800, to: 0xe000 };

/** Compiles the text of a title filter: whether a title has its words side by side. */
export function compileTitle(text: string): (title: string) => boolean {
  const phrase = {
    text,
    parts: analyseQuery(`"${text.replaceAll('"', ' ')}"`).phrases.flatMap(({ parts }) => parts),
  };
  return (title) => new SearchedText(title).holds(phrase);
}
