/** How much of a file is searched for a header. */
const HEADER_CHARS = 4096;
const HEADER_LINES = 40;
/** Directives such as `package x` or `<?php` may stand above the header; code does not. */
const MAX_DIRECTIVES = 3;
/** A longer line is not a header. */
const MAX_WORDS = 300;

/**
 * Whether a source file says in its header that a program wrote it: a comment near the top, one line of which says this and nothing else.
 * A sentence about generated files says nothing about the file that contains it.
 */
export function saysGenerated(text: string): boolean {
  let block: RegExp | null = null;
  let directives = 0;
  let before = '';
  for (const line of text.slice(0, HEADER_CHARS).split(/\r\n|\n|\r/, HEADER_LINES)) {
    const comment: RegExpExecArray | null = block === null ? COMMENT.exec(line.trim()) : null;
    if (block === null && comment === null) {
      if (line.trim() !== '' && !line.startsWith('#!') && ++directives > MAX_DIRECTIVES) return false;
      before = '';
      continue;
    }
    const opening: string = comment?.[1] ?? '';
    const body: string = block === null ? (comment?.[2] ?? '') : line.trim();
    const closing: RegExp | null = block ?? CLOSINGS.get(opening) ?? null;
    block = closing === null || closing.test(body) ? null : closing;
    const words = body
      .replace(/^[*\s]+/, '')
      .replace(CLOSED, '')
      .replace(DECORATION, '')
      .trim();
    if (words.length > MAX_WORDS) continue;
    if (SAYS_SO.test(words) || (SAYS_BRIEFLY.test(words) && !UNFINISHED.test(before))) return true;
    before = words;
  }
  return false;
}

const COMMENT = /^(\/\*|<!--|\{-|\(\*|"""|'''|\/\/|#|--|;|%|!|REM\b|dnl\b)(.*)$/i;
const CLOSINGS: ReadonlyMap<string, RegExp> = new Map([
  ['/*', /\*\//],
  ['<!--', /-->/],
  ['{-', /-\}/],
  ['(*', /\*\)/],
  ['"""', /"""/],
  ["'''", /'''/],
]);
const CLOSED = /(?:\*\/|-->|-\}|\*\)|"""|''').*$/;
/** Repeated signs of a comment, and rules around a header. */
const DECORATION = /^[/#*;%!\-=~_ \t]+|[/#*;%\-=~_ \t]+$/g;
/** A line that the next one continues. */
const UNFINISHED = /[\p{L}\p{N},]$/u;

const WRITER = String.raw`(?:by|from|with|using|via)\s+\S.*`;
const DO_NOT_EDIT = String.raw`(?:please\s+)?(?:do\s+not|don['’]t)\s+(?:edit|modify|change|touch)\b(?:\s+(?:it|this|this\s+file|the\s+file))?(?:\s+(?:by\s+hand|manually|directly))?`;
const SUBJECT = String.raw`(?:(?:note|warning|notice|attention)\s*:?\s+)?(?:th(?:is|e\s+following)\s+(?:file|code|class|module|source|script|header|document)\s+(?:is|was|has\s+been)\s+)?`;
const MADE = String.raw`(?:auto(?:matically)?[-\s]*)?(?:re)?(?:generated|created|produced)`;
const MADE_BY_MACHINE = String.raw`(?:auto(?:matically)?|machine)[-\s]*generated(?:\s+(?:file|code))?`;

/** Says that a program wrote the file, and who or that it is not to be edited: this needs no context. */
const SAYS_SO = new RegExp(
  [
    String.raw`^<auto-?generated(?:\s|\/|>)`,
    String.raw`^${SUBJECT}(?:automatically\s+)?@generated(?:$|[.!;,]|\s*(?:${WRITER}|signedsource.*)$)`,
    String.raw`^(?:code|${SUBJECT}${MADE}|${SUBJECT}${MADE_BY_MACHINE})\s+(?:generated\s+)?${WRITER}[\s.,;:!(-]+${DO_NOT_EDIT}[.!)]*$`,
    String.raw`^${SUBJECT}(?:${MADE}|${MADE_BY_MACHINE})[\s.,;:!(—–-]+${DO_NOT_EDIT}[.!)]*$`,
    String.raw`^${DO_NOT_EDIT}[\s.,;:!(—–-]+${SUBJECT}(?:it\s+(?:is|was)\s+|this\s+is\s+)?(?:${MADE}|${MADE_BY_MACHINE})(?:\s+${WRITER})?[.!)]*$`,
  ].join('|'),
  'i',
);
/** The same in so few words that they may also end a sentence of the line above. */
const SAYS_BRIEFLY = new RegExp(
  [
    String.raw`^${SUBJECT}${MADE_BY_MACHINE}(?:\s+${WRITER})?[.!]*$`,
    String.raw`^this\s+(?:file|code|class|module)\s+(?:is|was|has\s+been)\s+${MADE}\s+${WRITER}$`,
    String.raw`^(?:please\s+)?(?:do\s+not|don['’]t)\s+(?:edit|modify)(?:\s+(?:this|the)\s+file)?(?:\s+(?:by\s+hand|manually|directly))?[.!]*$`,
  ].join('|'),
  'i',
);
