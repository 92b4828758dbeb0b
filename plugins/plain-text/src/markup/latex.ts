import { closingLine, type Mark, type Marked } from './marks.ts';

const LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph'];
/** The title of a slide is below every section of a talk; its group follows overlays `<1->` and options `[fragile]`. */
const SLIDE_LEVEL = LEVELS.indexOf('paragraph') + 1;
const HEADING = new RegExp(
  String.raw`^\s*\\(?:(${LEVELS.join('|')})\*?|begin\{frame\}|frametitle)\s*(?:<[^>]*>)?(?:\[[^\]]*\])*\s*\{`,
);
const TITLE = /^\s*\\title\s*(?:\[[^\]]*\])?\s*\{/;
const VERBATIM =
  /^\s*\\begin\{(verbatim\*?|Verbatim|lstlisting|minted|comment|filecontents\*?)\}(?:\[[^\]]*\])?(?:\{([\w+#-]+)\})?/;
const STUB =
  /^\s*(?:%|\\(?:input|include|subfile|usepackage|documentclass|label|maketitle|tableofcontents|bibliography|bibliographystyle|newpage|clearpage)\b)/;
/** A title that goes on for more lines is not read as one. */
const MAX_TITLE_LINES = 5;

/** The sections, slides and verbatim environments of LaTeX; the outermost kind of section that occurs has level 1. */
export function markLatex(lines: readonly string[]): Marked {
  const marks: Mark[] = [];
  let title: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const verbatim = VERBATIM.exec(line);
    if (verbatim !== null) {
      const last = closingLine(lines, at, (other) => other.includes(`\\end{${verbatim[1]}}`));
      marks.push({ kind: 'code', first: at, last, lang: verbatim[2] ?? null });
      at = last;
      continue;
    }
    const [opening, name] = HEADING.exec(line) ?? [];
    const begin = opening ?? TITLE.exec(line)?.[0];
    const group = begin === undefined ? null : groupAt(lines, at, begin.length);
    if (group !== null && opening !== undefined) {
      const level = name === undefined ? SLIDE_LEVEL : LEVELS.indexOf(name) + 1;
      marks.push({ kind: 'heading', first: at, last: group.last, level, text: plain(group.text) });
      at = group.last;
    } else if (group !== null) title ??= plain(group.text);
    else if (STUB.test(line)) marks.push({ kind: 'stub', first: at, last: at });
  }
  const outermost = Math.min(...marks.flatMap((mark) => (mark.kind === 'heading' ? [mark.level] : [])));
  const levelled = marks.map((mark) =>
    mark.kind === 'heading' ? { ...mark, level: mark.level - outermost + 1 } : mark,
  );
  return { marks: levelled, title: title === '' ? undefined : title };
}

/** The text of a group up to its closing brace, which may stand some lines below; null when there is none. */
function groupAt(
  lines: readonly string[],
  first: number,
  column: number,
): { readonly text: string; readonly last: number } | null {
  let depth = 1;
  let text = '';
  for (let last = first; last < Math.min(lines.length, first + MAX_TITLE_LINES); last++) {
    const line = lines[last] ?? '';
    for (let at = last === first ? column : 0; at < line.length; at++) {
      const character = line.charAt(at);
      if (character === '\\') {
        text += line.slice(at, at + 2);
        at++;
        continue;
      }
      depth += character === '{' ? 1 : character === '}' ? -1 : 0;
      if (depth === 0) return { text, last };
      text += character;
    }
    text += ' ';
  }
  return null;
}

/** A title without commands: `\emph{word}` is the word, `\LaTeX` its name, `\&` the sign. */
function plain(text: string): string {
  return text
    .replaceAll(/\\(?:label|footnote|thanks|index)\{[^{}]*\}/g, '')
    .replaceAll(/\\(?:\\|newline\b)/g, ' ')
    .replaceAll(/\\texorpdfstring\{([^{}]*)\}\{[^{}]*\}/g, '$1')
    .replaceAll(/\\([#$%&_{}])/g, '$1')
    .replaceAll(/\\([A-Za-z]+)\*?(?=\{)/g, '')
    .replaceAll(/\\([A-Za-z]+)/g, (_, name: string) => (/^(?:Te|La|Bib|Xe|Lua)/.test(name) ? name : ''))
    .replaceAll(/[{}$]/g, '')
    .replaceAll('~', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
