import { closingLine, type Mark, type Marked } from './marks.ts';

const HEADING = /^(\*+)[ \t]+(\S.*)$/;
const STATE = /^(?:TODO|DONE|NEXT|WAIT(?:ING)?|HOLD|CANCEL(?:L?ED)|STARTED|PROJ|SOMEDAY|DOING)(?:[ \t]+|$)/;
const BLOCK = /^[ \t]*#\+begin_(\S+)(?:[ \t]+(\S+))?/i;
const KEYWORD = /^[ \t]*#\+([\w-]+):[ \t]*(.*)$/i;
const DRAWER = /^[ \t]*:[\w-]+:[ \t]*$/;

/** The headings, blocks and keywords of Org; a title of the file is the heading above all others. */
export function markOrg(lines: readonly string[]): Marked {
  const marks: Mark[] = [];
  let outer = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, stars = '', words] = HEADING.exec(line) ?? [];
    if (words !== undefined) {
      marks.push({ kind: 'heading', first: at, last: at, level: stars.length + outer, text: headline(words) });
      continue;
    }
    const [, block, lang] = BLOCK.exec(line) ?? [];
    if (block !== undefined) {
      const last = closingLine(lines, at, (other) =>
        new RegExp(`^[ \\t]*#\\+end_${escaped(block)}\\s*$`, 'i').test(other),
      );
      const isCode = /^(?:src|example|export)$/i.test(block);
      if (isCode) marks.push({ kind: 'code', first: at, last, lang: /^src$/i.test(block) ? (lang ?? null) : null });
      at = isCode ? last : at;
      continue;
    }
    const [, key = '', value = ''] = KEYWORD.exec(line) ?? [];
    if (
      key.toLowerCase() === 'title' &&
      outer === 0 &&
      marks.every(({ kind }) => kind === 'stub') &&
      value.trim() !== ''
    ) {
      outer = 1;
      marks.push({ kind: 'heading', first: at, last: at, level: 1, text: plain(value) });
    } else if (key !== '') marks.push({ kind: 'stub', first: at, last: at });
    else if (DRAWER.test(line) && /^[ \t]*:end:/i.test(lines[closingLine(lines, at, isDrawerEnd)] ?? '')) {
      const last = closingLine(lines, at, isDrawerEnd);
      marks.push({ kind: 'stub', first: at, last });
      at = last;
    }
  }
  return { marks };
}

function isDrawerEnd(line: string): boolean {
  return /^[ \t]*:end:[ \t]*$/i.test(line) || HEADING.test(line);
}

/** A headline without its state, priority, counter and tags. */
function headline(words: string): string {
  return plain(
    words
      .replace(STATE, '')
      .replace(/^\[#[A-Z0-9]\][ \t]*/, '')
      .replace(/[ \t]+:[\p{L}\p{N}_@#%:]+:[ \t]*$/u, '')
      .replace(/[ \t]*\[\d*(?:\/\d*|%)\][ \t]*$/, ''),
  );
}

function plain(text: string): string {
  return text
    .replaceAll(/\[\[[^\]]*\]\[([^\]]*)\]\]/g, '$1')
    .replaceAll(/\[\[([^\]]*)\]\]/g, '$1')
    .replaceAll(/(?<![\p{L}\p{N}])([=~*/_+])(\S(?:.*?\S)?)\1(?![\p{L}\p{N}])/gu, '$2')
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}
