import { foldText } from './content-words.ts';
import type { Quotation } from './find-quotations.ts';

const EXTENSIONS =
  'pdf|docx?|xlsx?|pptx?|md|txt|csv|tsv|json|ya?ml|toml|ini|cfg|conf|xml|html?|css|js|ts|py|sh|bat|exe|jar|log|zip|gz|tar|tgz|png|jpe?g|gif|svg|sql|db|env|lock|bak|rs|go|java|rb|php|iso|img|odt|ods|epub|msi|deb|rpm|service|ps1';
/** What is typed or opened: inline code, addresses, paths, names of files, options of commands, numerals that are characters of their own. */
const IDENTIFIER = new RegExp(
  [
    '`{1,3}(?<code>[^`\\n]{1,300})`{1,3}',
    '(?<url>(?:https?|ftp|ssh|s3|file):\\/\\/[^\\s<>"\'`)\\]]+|(?<![\\p{L}\\d@.])www\\.[^\\s<>"\'`)\\]]+)',
    '(?<mail>(?<![\\p{L}\\d._%+-])[\\p{L}\\d._%+-]{1,64}@[\\p{L}\\d-]{1,64}(?:\\.[\\p{L}\\d-]{1,64}){1,5})',
    '(?<host>(?<![\\p{L}\\d@/.-])(?:[a-z\\d-]{1,64}\\.){1,6}(?:com|org|net|io|dev|example|eu|de|fr|es|it|uk|kr|jp|cn|gov|edu|app|info|local)(?:\\/[^\\s<>"\'`)\\]]*)?(?![\\p{L}\\d]))',
    '(?<path>(?<![\\p{L}\\d./])(?:~|\\.{1,2})?(?:\\/[\\w.@-]{1,120}){2,20}\\/?|(?<![\\p{L}\\d.])[A-Z]:\\\\[\\w\\\\. -]+)',
    `(?<file>(?<![\\w/.-])[\\w-]{1,80}(?:[/.][\\w-]{1,80}){0,12}\\.(?:${EXTENSIONS})(?![\\p{L}\\d]))`,
    '(?<option>(?<![\\p{L}\\d-])--[a-z][\\w-]+)',
    '(?<roman>[\\u2160-\\u217f]+)',
  ].join('|'),
  'giu',
);
const TRAILING = /[.,;:!?。，]+$/u;

/** A longer sentence is no instruction. */
const MAX_LENGTH = 5000;

/** The commands, addresses, paths and file names of a text, in order. */
export function identifiersOf(text: string): readonly Quotation[] {
  if (text.length > MAX_LENGTH) return [];
  return [...text.matchAll(IDENTIFIER)].map(({ 0: all, index, groups }) => {
    const written = groups?.['code'] ?? all.replace(TRAILING, '');
    return { text: written, start: index, end: index + (groups?.['code'] === undefined ? written.length : all.length) };
  });
}

/** Whether a text has an identifier literally, or each of its parts between spaces. */
export function holdsIdentifier(compared: string, identifier: string): boolean {
  const text = ` ${compared.toLowerCase().replaceAll(/[`*]/g, '')} `;
  const wanted = identifier
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/\/$/, '');
  if (holds(text, wanted) || holds(foldText(compared).text, foldText(identifier).text)) return true;
  const parts = wanted.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part));
  // Where a text marks its code, a command is put together from that.
  const code =
    compared
      .toLowerCase()
      .match(/`[^`\n]+`/g)
      ?.join(' ') ?? text;
  return parts.length > 1 && parts.every((part) => holds(code, part));
}

/** The lines of a text of code that say something. */
export function linesOfCode(code: string): readonly string[] {
  return code.split('\n').filter((line) => !/^\s*(?:```|~~~)/.test(line) && /[\p{L}\p{N}]/u.test(line));
}

/** Whether a text has every line of code literally. */
export function holdsCode(compared: string, code: string): boolean {
  const lines = linesOfCode(code);
  return lines.length > 0 && lines.every((line) => holdsIdentifier(compared, line.trim()));
}

function holds(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const [before, behind] = [text[at - 1] ?? ' ', text[at + part.length] ?? ' '];
    if (!isCut(part[0] ?? ' ', before) && !isCut(part.at(-1) ?? ' ', behind)) return true;
  }
  return false;
}

/** Whether two neighbouring characters belong to one word or number. */
function isCut(inside: string, outside: string): boolean {
  return /[\p{Script=Latin}\p{N}]/u.test(inside) && /[\p{Script=Latin}\p{N}]/u.test(outside);
}
