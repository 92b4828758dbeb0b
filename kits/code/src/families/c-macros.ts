import { blank } from '../broken-code.ts';

/**
 * The text of a C or C++ file as its grammar can read it: macros that stand where the language has no word are blanked, heads of functions
 * that are macro calls become heads of functions, old parameter declarations and the other branches of conditionals that split a
 * declaration are blanked. Equally long as the text, with the same newlines.
 */
export function withoutMacros(text: string, { isCpp }: { readonly isCpp: boolean }): string {
  let draft = new Draft(text);
  for (const step of [
    directivesInBrackets,
    splitConditionals(isCpp),
    wrappedNames,
    classMacros,
    trailingMacros,
    macroLines,
    oldParameters,
    macroHeads,
    headMacros,
  ])
    draft = draft.edited(step(draft));
  return draft.parsed;
}

/** The name of a function whose head is a macro call, which {@link withoutMacros} writes as a plain head; null if it has a plain one. */
export function macroHeadName(
  source: string,
  node: { readonly startIndex: number; readonly text: string },
): string | null {
  if (!node.text.startsWith(PLAIN_HEAD) || source.startsWith(PLAIN_HEAD, node.startIndex)) return null;
  const written = source.slice(node.startIndex, node.startIndex + MAX_HEAD_CHARS);
  const match = MACRO_CALL.exec(written.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ''));
  const { macro = '', list = '' } = match?.groups ?? {};
  if (/^[a-z_]/.test(macro)) return macro;
  const items = [...list.matchAll(/"(?:\\.|[^"\\])*"|(?:[^,()"]|\([^()]*\))+/g)]
    .map(([item]) => item.trim())
    .filter(Boolean);
  const [first = macro, second] = items;
  if (first.startsWith('"')) return first.slice(1, -1);
  const isPair = second !== undefined && /(?:^|_)(?:test|benchmark|fixture|ensure|spec)/i.test(macro);
  return isPair && /^\w+$/.test(second) ? `${first}::${second}` : first;
}

const PLAIN_HEAD = 'v f()';
const MAX_HEAD_CHARS = 2_000;
const MACRO_CALL = /^(?<macro>\w+)\s*\((?<list>(?:"(?:\\.|[^"\\])*"|[^()"]|\((?:[^()]|\([^()]*\))*\))*)\)/;

/** A range of a text, and what replaces it: spaces by default. */
interface Edit {
  readonly start: number;
  readonly end: number;
  /** At most as long as the range. */
  readonly by?: string;
}

type Step = (draft: Draft) => readonly Edit[];

/** A text on its way to the parser. */
class Draft {
  readonly parsed: string;
  /** The text without comments, strings and directives, equally long. */
  readonly code: string;
  readonly directives: readonly Directive[];

  constructor(parsed: string, known?: Pick<Draft, 'code' | 'directives'>) {
    this.parsed = parsed;
    const read = known ?? codeOf(parsed);
    this.code = read.code;
    this.directives = read.directives;
  }

  edited(edits: readonly Edit[]): Draft {
    if (edits.length === 0) return this;
    const parsed = applied(this.parsed, edits);
    const directives = this.directives.filter(({ start }) =>
      parsed.startsWith(this.parsed.slice(start, start + 1), start),
    );
    return new Draft(parsed, { code: applied(this.code, edits), directives });
  }
}

function applied(text: string, edits: readonly Edit[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, by = '' } of edits) {
    if (start < at) continue;
    result += text.slice(at, start) + by + blank(text.slice(start + by.length, end));
    at = end;
  }
  return result + text.slice(at);
}

interface Directive {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|\bR"([^(\s"]{0,16})\([\s\S]*?(?:\)\1"|$(?![\s\S]))|"(?:\\.|[^"\\\n]+)*"?|(?<![\da-fA-F])'(?:\\.|[^'\\\n])*'?|^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*/gm;

function codeOf(text: string): Pick<Draft, 'code' | 'directives'> {
  const directives: Directive[] = [];
  const code = text.replaceAll(NOT_CODE, (match: string, ...rest: unknown[]) => {
    const start = rest.find((value) => typeof value === 'number') ?? 0;
    if (match.trimStart().startsWith('#')) directives.push({ start, end: start + match.length, text: match.trim() });
    return blank(match);
  });
  return { code, directives };
}

/** Deeper conditionals are left as they are. */
const MAX_NESTING = 16;

/** Blanks directives among the values of a table or between parentheses, and the other branches of conditionals there. */
function directivesInBrackets({ code, directives }: Draft): readonly Edit[] {
  const edits: Edit[] = [];
  const nested: { readonly isInside: boolean; readonly open: readonly boolean[]; otherFrom?: number }[] = [];
  // Of each open bracket, whether no declaration can follow it.
  let open: boolean[] = [];
  let at = 0;
  for (const directive of directives) {
    for (const { 0: char, index } of code.slice(at, directive.start).matchAll(/[([{}\])]/g)) {
      if (char === '(' || char === '[') open.push(true);
      else if (char === '{') open.push(open.at(-1) === true || lastCharBefore(code, at + index) === '=');
      else if (char === '}' && code.charAt(at + index - 1) === '\n') open = [];
      else open.pop();
    }
    at = directive.end;
    const { start, end, text } = directive;
    const isInside = open.at(-1) === true;
    if (/^#\s*if/.test(text)) nested.push({ isInside, open: [...open] });
    const last = nested.at(-1);
    if (last !== undefined && /^#\s*el/.test(text)) {
      last.otherFrom ??= start;
      open = [...last.open];
    } else if (last !== undefined && /^#\s*endif/.test(text)) {
      nested.pop();
      if (last.isInside) edits.push({ start: last.otherFrom ?? start, end });
    } else if (isInside) edits.push({ start, end });
  }
  return withoutOverlap(edits);
}

/** Keeps one branch of each conditional whose branches are no whole declarations: `#ifdef A`, a head, `#else`, another head, `#endif {`. */
function splitConditionals(isCpp: boolean): Step {
  return ({ code, directives }) => {
    let rest = code;
    const edits: Edit[] = [];
    for (const parts of conditionals(directives)) {
      const [first, end] = [parts[0], parts.at(-1)];
      if (first === undefined || end === undefined) continue;
      const branches = parts
        .slice(0, -1)
        .map((part, at) => ({ start: part.end, end: parts[at + 1]?.start ?? part.end }));
      const isForCpp = /^#\s*if(?:def)?\b.*\b__cplusplus\b/.test(first.text) && !first.text.includes('!');
      const isOff = /^#\s*if\s+0\b/.test(first.text);
      const isSplit = branches.some((branch) => isPart(rest, branch)) || endsAtBody(rest, branches, end.end);
      if (!isSplit && !isOff) continue;
      const chosen = isOff || (isForCpp && !isCpp) ? 1 : 0;
      const blanked = [...(isSplit ? parts : []), ...branches.filter((_, at) => at !== chosen)];
      edits.push(...blanked);
      rest = applied(
        rest,
        blanked.toSorted((a, b) => a.start - b.start),
      );
    }
    return withoutOverlap(edits);
  };
}

function withoutOverlap(edits: readonly Edit[]): readonly Edit[] {
  const merged: Edit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || edit.start > last.end) merged.push(edit);
    else if (edit.end > last.end) merged[merged.length - 1] = { start: last.start, end: edit.end };
  }
  return merged;
}

/** The conditionals of a file, inner ones first: each `#if` with its branches and its `#endif`. */
function conditionals(directives: readonly Directive[]): readonly (readonly Directive[])[] {
  const open: Directive[][] = [];
  const closed: Directive[][] = [];
  for (const directive of directives) {
    if (/^#\s*if/.test(directive.text)) open.push([directive]);
    else if (/^#\s*el/.test(directive.text)) open.at(-1)?.push(directive);
    else if (/^#\s*endif/.test(directive.text)) {
      const parts = open.pop();
      if (parts !== undefined && open.length < MAX_NESTING) closed.push([...parts, directive]);
    }
  }
  return closed;
}

/** Whether a range opens or closes brackets that it does not close or open. */
function isPart(code: string, { start, end }: Edit): boolean {
  let [braces, parentheses] = [0, 0];
  for (let at = start; at < end; at++) {
    const char = code.charCodeAt(at);
    if (char === 123) braces++;
    else if (char === 125) braces--;
    else if (char === 40) parentheses++;
    else if (char === 41) parentheses--;
    if (braces < 0 || parentheses < 0) return true;
  }
  return braces !== 0 || parentheses !== 0;
}

/** Whether a branch ends with the head of a function, and its body follows the conditional. */
function endsAtBody(code: string, branches: readonly Edit[], after: number): boolean {
  const next = /\S/.exec(code.slice(after, after + MAX_HEAD_CHARS));
  return next?.[0] === '{' && branches.some(({ start, end }) => code.slice(start, end).trimEnd().endsWith(')'));
}

const ARGUMENTS = String.raw`\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*\)){0,200}\)){0,800}\)`;
/** `[[nodiscard]]` */
const ATTRIBUTE = String.raw`\[\[[^\][\n]{0,200}\]\]`;
const CLASS_HEAD = new RegExp(
  String.raw`\b(class|struct|union|enum(?:\s+(?:class|struct))?)\s+((?:(?:[A-Za-z_]\w*(?:\s*${ARGUMENTS})?|${ATTRIBUTE})\s+){1,6})([A-Za-z_]\w*)(?=\s*(?:\{|:(?![:\s]*\d)|<|final\b|;))`,
  'g',
);
const WORD = new RegExp(String.raw`([A-Za-z_][\w:]*)(?:<[^(){};]{0,200}>)?(\s*${ARGUMENTS})?`, 'g');

/** Blanks the macros between the keyword of a class and its name, or behind the name. */
function classMacros({ code }: Draft): readonly Edit[] {
  const edits: Edit[] = [];
  for (const match of code.matchAll(CLASS_HEAD)) {
    const [whole, , before = '', last = ''] = match;
    const from = match.index + whole.length - before.length - last.length;
    const head = before.replaceAll(new RegExp(ATTRIBUTE, 'g'), blank) + last;
    const words = wordsIn(head, from).filter(({ name }) => !/^(?:final|sealed|abstract|alignas)$/.test(name));
    const follows = code.slice(match.index + whole.length).trimStart();
    const derives = /^(?:final\b|:)/.test(follows) || last === 'final';
    const plain = words.filter((word) => !isMacro(word));
    const name = plain.at(-1) ?? words.at(-1);
    if (plain.length > 1 && !derives) continue;
    edits.push(...words.filter((word) => word !== name));
  }
  return edits;
}

interface Word extends Edit {
  readonly name: string;
  /** The arguments behind it, with their parentheses. */
  readonly list: string | undefined;
}

function wordsIn(text: string, from: number): readonly Word[] {
  return [...text.matchAll(WORD)].map(({ 0: whole, 1: name = '', 2: list, index }) => {
    return { name, list, start: from + index, end: from + index + whole.length };
  });
}

const CAPITALS = /^[A-Z_][A-Z0-9_]*$/;
/** Types whose names begin like those of attributes. */
const DOUBLE_UNDERSCORE_TYPE = /^__(?:[a-z]{1,4}\d+|int\d+|m\d+\w*|wsum|sum16|typeof__?|auto_type|\w+_t)$/;

/** `printflike(1, 2)`: no declaration has numbers there. */
const NUMBERS = /^\s*\(\s*\d[\s\d,]*\)$/;

function isMacro({ name, list }: Word): boolean {
  if (list !== undefined && (name.startsWith('__') || CAPITALS.test(name) || NUMBERS.test(list))) return true;
  if (name.startsWith('__')) return !DOUBLE_UNDERSCORE_TYPE.test(name);
  return (name.length > 1 && CAPITALS.test(name)) || /_(?:api|export|exported)$/i.test(name);
}

const WRAPPED_NAME = String.raw`([A-Za-z_][\w \t*]{0,200}|\(\*[ \t]*\w*\))`;
/** `int FDECL(f, (int));`, `_PROTOTYPE(int f, (int));`, `int NDECL(f);`, `int f __P((int));` */
const WRAPPED = new RegExp(
  String.raw`\b([A-Z_][A-Z0-9_]*\s*\(\s*)(?:${WRAPPED_NAME}(\s*,\s*)${ARGUMENTS}|${WRAPPED_NAME}|${ARGUMENTS})\s*\)(?=[\s\w]*[;),])`,
  'g',
);
const MAX_BEFORE = 200;

/** Blanks the macros around the name or the parameters of a prototype, which hid these from old compilers. */
function wrappedNames({ code }: Draft): readonly Edit[] {
  return [...code.matchAll(WRAPPED)].flatMap(({ 0: whole, 1: open = '', 2: name, 3: comma = '', 4: only, index }) => {
    const before = code.slice(Math.max(0, index - MAX_BEFORE), index).replace(/^[\s\S]*[;{}\n](?=\s*\S)/, '');
    const words = wordsIn(before + (name ?? ''), 0).filter((word) => !QUALIFIERS.has(word.name));
    if (!/^[\w\s*(]*$/.test(before) || words.some((word) => STATEMENTS.test(word.name))) return [];
    const hasType = words.some((word) => !isMacro(word));
    const end = index + whole.length;
    const [opening, closing] = [
      { start: index, end: index + open.length },
      { start: end - 1, end },
    ];
    if (name !== undefined) {
      const at = opening.end + name.length;
      return hasType ? [opening, { start: at, end: at + comma.length }, closing] : [];
    }
    if (only === undefined) return /\w\s*$/.test(before) ? [opening, closing] : [];
    const isEmpty = hasType && /DECL|PROTO/.test(open);
    return isEmpty ? [{ start: index, end, by: `${' '.repeat(open.length - 1)}${only}()` }] : [];
  });
}

const MACRO_LINE = new RegExp(String.raw`^[ \t]*([A-Z_][A-Z0-9_]*[A-Z0-9])[ \t]*(${ARGUMENTS})?[ \t\r]*$`, 'gm');
const QT_LABEL = /^([ \t]*)(?:(signals|Q_SIGNALS)|((?:public|private|protected)[ \t]+)(?:slots|Q_SLOTS))(?=[ \t]*:)/gm;
/** Macros that describe the declaration below them. */
const DESCRIBING = /^U(?:CLASS|STRUCT|ENUM|INTERFACE|FUNCTION|PROPERTY|DELEGATE|META)$/;

/** Blanks macro calls that stand on lines of their own as if they were declarations: `Q_OBJECT`, `GENERATED_BODY()`. */
function macroLines({ code, parsed }: Draft): readonly Edit[] {
  const edits: Edit[] = [];
  let last = 0;
  for (const match of code.matchAll(MACRO_LINE)) {
    const [whole, name = '', list] = match;
    const end = match.index + whole.trimEnd().length;
    const start = match.index + whole.length - whole.trimStart().length;
    const before = last > 0 && code.slice(last, start).trim() === '' ? ';' : lastCharBefore(code, start);
    const after = /\S/.exec(code.slice(end, end + MAX_HEAD_CHARS))?.[0] ?? '}';
    if (!';{}:)'.includes(before) || !/[\w}~[#]/.test(after) || (before === ')' && after !== '}')) continue;
    const text = parsed.slice(start, end);
    last = end;
    const isLead = DESCRIBING.test(name) && !text.includes('*/') && text.length >= 4;
    if (isLead) edits.push({ start, end, by: `/*${text.slice(2, -2)}*/` });
    else if (list !== undefined && isHeadWithoutType(code, end)) edits.push({ start, end, by: 'void' });
    else if (list !== undefined || !isHeadWithoutType(code, end)) edits.push({ start, end });
  }
  for (const match of code.matchAll(QT_LABEL)) {
    const [whole, indent = '', , access = ''] = match;
    const start = match.index + indent.length;
    edits.push({ start, end: match.index + whole.length, by: access === '' ? 'public' : access });
  }
  return edits.toSorted((a, b) => a.start - b.start);
}

/** Whether the head of a function without a type follows: `GLOBAL(void)` and `HWND` above it stand for its type. */
function isHeadWithoutType(code: string, at: number): boolean {
  return /^\s*[A-Za-z_]\w*\s*\([^(){};]*\)\s*(?:\n[^(){}=]*;\s*)?\{/.test(code.slice(at, at + MAX_HEAD_CHARS));
}

/** The last character that is not blank; a semicolon at the beginning of the text. */
function lastCharBefore(code: string, at: number): string {
  let i = at - 1;
  while (i >= 0 && code.charAt(i).trim() === '') i--;
  return i < 0 ? ';' : code.charAt(i);
}

const MACRO_HEAD = new RegExp(
  String.raw`^(?:[ \t]*[A-Z][A-Z0-9]+(?:_\w*)?|[A-Za-z_]\w*)[ \t]*${ARGUMENTS}(?=\s*\{)`,
  'gm',
);

/** Writes a plain head where a macro call is the head of a function, `SYSCALL_DEFINE2(name, int, a)`, or where it has no type: `main()`. */
function macroHeads({ code }: Draft): readonly Edit[] {
  const edits: Edit[] = [];
  for (const { 0: whole, index } of code.matchAll(MACRO_HEAD)) {
    const start = index + whole.length - whole.trimStart().length;
    const end = index + whole.length;
    if (!';{}'.includes(lastCharBefore(code, start)) || STATEMENTS.test(/^\w+/.exec(whole)?.[0] ?? '')) continue;
    if (end - start >= PLAIN_HEAD.length && !code.slice(start, start + PLAIN_HEAD.length).includes('\n'))
      edits.push({ start, end, by: PLAIN_HEAD });
  }
  return edits;
}

const FUNCTION_HEAD = new RegExp(
  String.raw`^[ \t]*((?:[A-Za-z_][\w:]*(?:<[^(){};]{0,200}>)?(?:[ \t]*${ARGUMENTS})?(?:[ \t]*[*&]{1,8}[ \t]*|\s+)){1,8})[*&]*[A-Za-z_~][\w:~]*[ \t]*\(`,
  'gm',
);
/** `static NEARDATA int size;`, `static NEARDATA struct {` */
const VARIABLE_HEAD =
  /^[ \t]*((?:[A-Za-z_][\w:]*(?:[ \t]*[*&]{1,8}[ \t]*|[ \t]+)){2,8})(?:[A-Za-z_]\w*[ \t]*[[=;,]|(?=\{)(?<=\b(?:struct|union|enum)[ \t]+(?:\w+[ \t]+)?)\{)/gm;
const QUALIFIERS: ReadonlySet<string> = new Set(
  'static inline extern const volatile virtual explicit friend constexpr consteval register typename struct class enum union template'.split(
    ' ',
  ),
);
const STATEMENTS =
  /^(?:return|else|case|goto|new|delete|throw|typedef|using|if|while|for|switch|do|try|catch|operator)$/;
const NO_TYPE = /(?:API|CALL|CALLBACK|EXPORT|IMPORT|TYPE|DECL|INLINE|APIENTRY|EXTERN)_?$/;

/** Blanks the macros before the name of a function or a variable: `static int __init f(void)`. Its type stays. */
function headMacros({ code }: Draft): readonly Edit[] {
  const edits: Edit[] = [];
  for (const match of [...code.matchAll(FUNCTION_HEAD), ...code.matchAll(VARIABLE_HEAD)]) {
    const [whole, head = ''] = match;
    const from = match.index + whole.length - whole.trimStart().length;
    const isType = whole.endsWith('{');
    const before = isType ? head.slice(0, head.search(/\b(?:struct|union|enum)\b/)) : head;
    const words = wordsIn(before, from).filter(({ name }) => !QUALIFIERS.has(name));
    if (words.some(({ name }) => STATEMENTS.test(name))) continue;
    const isStorage = (word: Word): boolean => word === words[0] && words.length > 1 && /^[A-Z]$/.test(word.name);
    const macros = words.filter((word) => isMacro(word) || isStorage(word));
    if (macros.length < words.length || isType) edits.push(...macros);
    else if (macros.length > 0) {
      const type = macros.findLast(
        ({ name, list }) => list === undefined && !NO_TYPE.test(name) && !name.startsWith('__'),
      );
      const kept = type ?? macros.find(({ list }) => list === undefined);
      for (const macro of macros) {
        if (macro !== (kept ?? macros[0])) edits.push(macro);
        else if (kept === undefined) edits.push({ start: macro.start, end: macro.end, by: 'void' });
      }
    }
  }
  return edits.toSorted((a, b) => a.start - b.start);
}

const TRAILING = new RegExp(
  String.raw`(?<=[)\]])\s*(?:(?:__[a-z]\w*|[A-Z_][A-Z0-9_]+)\b(?:[ \t]*${ARGUMENTS})?\s*){1,6}(?=[{;=])`,
  'g',
);

/** Blanks macros between the parameters of a function, or the name of a table, and what follows. */
function trailingMacros({ code }: Draft): readonly Edit[] {
  return [...code.matchAll(TRAILING)].map(({ 0: whole, index }) => ({ start: index, end: index + whole.length }));
}

const OLD_PARAMETERS =
  /(\(\s*\w+(?:\s*,\s*\w+){0,40}\s*\)[ \t\r]*\n?)((?:[ \t]*[A-Za-z_][^{}=;\n]{0,300};[ \t\r]*\n?){1,40})(?=[ \t]*\{)/g;

/** Blanks the declarations of parameters below a head in the style of Kernighan and Ritchie. */
function oldParameters({ code }: Draft): readonly Edit[] {
  return [...code.matchAll(OLD_PARAMETERS)].map(({ 1: head = '', 2: list = '', index }) => {
    const start = index + head.length;
    return { start, end: start + list.length };
  });
}
