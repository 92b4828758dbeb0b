import { takeWidth, textWidth } from './text-width.ts';

/** Breaks one line of text at spaces into lines of at most this many columns; a longer word is broken where it must be. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (textWidth(rest) > columns) {
    const head = takeWidth(rest, columns);
    const fits = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ');
    const end = fits > 0 ? fits : Math.max(head.length, 1);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '' || lines.length === 0) lines.push(rest);
  return lines;
}
