import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { Passage } from '../contracts/retriever.ts';
import {
  type DocumentUnit,
  lineAt,
  type ReadDocument,
  readDocuments,
  wordPattern,
} from '../documents/document-units.ts';
import { resolveFilters } from '../documents/resolve-filters.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import { charCount, firstChars } from '../domain/text-size.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { countThatFits, decodeCursor, encodeCursor, hashRanking } from '../paging/cursor.ts';
import type { Ports } from '../ports.ts';
import { checkMember } from '../requests/read-request.ts';
import { SEARCH } from '../requests/search.ts';
import { lastStep, SYMBOL, type SymbolRequest } from '../requests/symbol.ts';
import type { SymbolResult } from '../wire/index.ts';
import { declares, isPrototype, TEST_PATH, withoutImports } from './name-matches.ts';

type SymbolPorts = Pick<Ports, 'documents' | 'lexicalIndex' | 'config' | 'clock'>;

const DEFAULT_LIMIT = 200;
/** How many chunks are read at a time. */
const CHUNKS_AT_ONCE = 500;

/**
 * The lines that declare a name, or all lines of code that contain it as a whole word, by the units around them. A definition is a unit of
 * that name, else a constant, an entry of a table or a member of an enumeration; case counts unless nothing has the name as written.
 * Errors: `invalid_input`, `stale_cursor`, `not_indexed`, `cancelled`.
 */
export async function findSymbol(
  ports: SymbolPorts,
  { name: typed, find = 'definition', path_glob: pathGlob, ...page }: SymbolRequest,
  { signal }: AbortOptions = {},
): Promise<SymbolResult> {
  throwIfCancelled(signal, 'symbol');
  const limit = checkMember('limit', SYMBOL.limit, page.limit ?? DEFAULT_LIMIT);
  const maxTokens =
    page.max_tokens === undefined ? null : checkMember('max_tokens', SEARCH.max_tokens, page.max_tokens);
  const name = readName(typed);
  const [store, index] = await Promise.all([ports.documents.read(), ports.lexicalIndex.read()]);
  const scope = { now: ports.clock.now(), store, config: ports.config };
  const filters = await resolveFilters(pathGlob === undefined ? {} : { pathGlob }, scope);
  const corpusRevision = await store.corpusRevision();
  const queryHash = hashRanking({ list: 'symbol', text: name.text, mode: find, filters, settings: null });
  const offset = page.cursor === undefined ? 0 : decodeCursor(page.cursor, { corpusRevision, queryHash }).offset;
  const look: Look = { store, index, name, signal };
  const lines =
    find === 'references'
      ? await referencesTo(look, { ...filters, media: ['code'] })
      : await definitionsOf(look, filters);
  const shown = lines.slice(offset, offset + limit);
  const resultOf = (count: number): SymbolResult => {
    const next = offset + count;
    const cursor = encodeCursor({ offset: next, corpusRevision, queryHash, stages: [] });
    const units = byUnit(shown.slice(0, count));
    const rest = { total: lines.length, next_cursor: next < lines.length ? cursor : null };
    return { schema_version: 'symbol_result.v1', name: name.text, find, units, ...rest };
  };
  if (maxTokens === null) return resultOf(shown.length);
  const sizes = shown.map((line) => charCount(JSON.stringify(byUnit([line]))));
  const sizeAround = (count: number): number => charCount(JSON.stringify({ ...resultOf(count), units: [] }));
  return resultOf(countThatFits({ sizes, budget: maxTokens * 4, sizeAround }));
}

interface Name {
  /** Without a keyword before it and parentheses behind it. */
  readonly text: string;
  /** With dots between its steps. */
  readonly dotted: string;
  /** What stands in the lines: the last step. */
  readonly word: string;
}

const KEYWORD =
  /^(?:class|def|fn|func|function|struct|enum|trait|interface|type|const|impl|module|mod|macro)\s+(?=\S+$)/u;

function readName(typed: string): Name {
  const text = typed.normalize('NFC').trim().replace(KEYWORD, '').replace(/\(\)$/, '');
  const word = lastStep(text);
  if (!/[\p{L}\p{N}_$]/u.test(word))
    throw invalidInput(`${JSON.stringify(typed)} is not a name`, { field: 'name', value: typed });
  return { text, dotted: dotted(text), word };
}

/** With dots as separators, without parameters of types and marks of receivers: `(*Flue).Open` is `Flue.Open`. */
function dotted(symbol: string): string {
  if (/\s|^\//.test(symbol)) return symbol;
  const plain = symbol.replaceAll(/(?<=[\w\p{L}])<[^<>]*>/gu, '').replaceAll(/\(\*?([^()]*)\)/g, '$1');
  return plain.replaceAll(/::|->|[/#]/g, '.').replace(/^\.+/, '');
}

interface Look {
  readonly store: DocumentStore;
  readonly index: LexicalIndex;
  readonly name: Name;
  readonly signal: AbortSignal | undefined;
}

/** A line that declares or uses the name. */
interface SymbolLine {
  readonly document: DocumentRow;
  readonly unit: DocumentUnit | null;
  readonly line: number;
  readonly text: string;
  readonly defines: boolean;
  readonly rank: (typeof RANKS)[number];
}

/**
 * What a line declares, best first: an aside is defined by another unit, or an implementation in Rust; a field has a value in a type, beside
 * the units or in a file of data; a local is in another function.
 */
const RANKS = ['unit', 'aside', 'member', 'field', 'entry', 'local'] as const;

async function referencesTo(look: Look, filters: SearchFilters): Promise<readonly SymbolLine[]> {
  const word = wordPattern(look.name.word);
  const lines: SymbolLine[] = [];
  const ids = new Set(
    (await passagesWith(look, filters)).filter(({ text }) => word.test(text)).map(({ docId }) => docId),
  );
  for await (const read of readDocuments(look.store, [...ids], look.signal)) {
    if (!read.hasLines) continue;
    const declaring = new Set(declaringLines(read, look.name, (text) => text).map(({ line }) => line));
    for (let line = 1; line <= read.lines.count; line++) {
      const text = lineAt(read.text, read.lines, line);
      if (word.test(text)) lines.push(symbolLine(read, { line, text, defines: declaring.has(line), word }));
    }
  }
  return lines.toSorted(byPlace);
}

async function definitionsOf(look: Look, filters: SearchFilters): Promise<readonly SymbolLine[]> {
  const passages = await passagesWith(look, filters);
  for (const fold of [(text: string) => text, (text: string) => text.toLowerCase()])
    for (const media of [['code'], ['markdown', 'text', 'other']]) {
      const ofMedia = passages.filter((passage) => media.includes(passage.media));
      const ids = ofMedia.filter((passage) => mayDeclare(passage, look.name, fold)).map(({ docId }) => docId);
      const lines: SymbolLine[] = [];
      for await (const read of readDocuments(look.store, [...new Set(ids)], look.signal))
        if (read.hasLines) lines.push(...declaringLines(read, look.name, fold).map((each) => symbolLine(read, each)));
      if (lines.length > 0) return bestOf(lines);
    }
  return [];
}

type Fold = (text: string) => string;

function mayDeclare({ text, symbol, headingPath }: Passage, { word }: Name, fold: Fold): boolean {
  const folded = fold(word);
  if (symbol !== null && fold(symbol).includes(folded)) return true;
  if (headingPath.some((heading) => fold(heading).includes(folded))) return true;
  return wordPattern(folded).test(fold(text));
}

/** The passages with the words of a name; whether it stands there alone has to be read in them. */
async function passagesWith({ store, index, name, signal }: Look, filters: SearchFilters): Promise<readonly Passage[]> {
  const query = index.analyseQuery(`"${name.word.replaceAll('"', ' ')}"`);
  const phrases = [...query.phrases, ...(query.relaxed?.phrases ?? [])];
  if (phrases.length === 0) return [];
  const strict = { ...query, phrases, excluded: [], demands: [] };
  const [admitted, named = []] = await Promise.all([
    index.admitted(strict, filters, { signal }),
    index.named?.(phrases, filters, CHUNKS_AT_ONCE, { signal }),
  ]);
  const ids = [...new Set<ChunkId>([...(admitted ?? []), ...named.map(({ chunkId }) => chunkId)])];
  const passages: Passage[] = [];
  for (let from = 0; from < ids.length; from += CHUNKS_AT_ONCE) {
    throwIfCancelled(signal, 'symbol');
    passages.push(...(await store.getPassages(ids.slice(from, from + CHUNKS_AT_ONCE))));
  }
  return passages;
}

interface DeclaringLine {
  readonly line: number;
  readonly text: string;
  readonly unit?: DocumentUnit | undefined;
  readonly defines: boolean;
  readonly rank?: 'member' | 'field' | undefined;
  readonly word: RegExp;
}

/** The lines of a document that declare a name: those of its units, else entries of tables and the like. */
function declaringLines(read: ReadDocument, name: Name, fold: Fold): readonly DeclaringLine[] {
  const { units, text, lines } = read;
  const word = wordPattern(fold(name.word));
  const own = units.filter(({ symbol }) => isNamed(symbol, name, fold));
  const named = own.length > 0 ? own : units.filter((unit) => sharesLine(unit, read, name, fold)).slice(0, 1);
  const heads = new Set(named.map(({ line }) => line));
  const members = membersNamed(read, name, fold);
  const beside = besideUnits(word.source);
  const [anywhere, inType] = [new RegExp(beside.anywhere, 'u'), new RegExp(beside.inType, 'u')];
  const isField = (line: number): boolean => {
    if (read.document.media !== 'code') return false;
    const written = fold(lineAt(text, lines, line));
    if (anywhere.test(written)) return true;
    const around = unitAround(read, line);
    return (around === null || TYPE.test(lineAt(text, lines, around.line))) && inType.test(written);
  };
  const lineOf = (line: number, unit?: DocumentUnit): DeclaringLine => {
    const rank = unit !== undefined ? undefined : members.has(line) ? 'member' : isField(line) ? 'field' : undefined;
    return { line, text: lineAt(text, lines, line), unit, defines: true, rank, word };
  };
  const entriesOf = name.word === name.text ? entryLines : entriesWithin;
  const entries = entriesOf(read, name, fold).filter((line) => named.length === 0 || isField(line));
  const others = [...new Set([...members, ...entries])].filter((line) => !heads.has(line)).toSorted((a, b) => a - b);
  return [...named.map((unit) => lineOf(unit.line, unit)), ...others.map((line) => lineOf(line))];
}

/**
 * Matches what declares a name although another unit may be called the same: anywhere, a method where an object is made, `this.used = () =>`, and
 * a further type of C, `typedef struct _USED {`, `typedef int FIRST, *USED;`; in a type or beside the units, a value.
 */
function besideUnits(word: string): { readonly anywhere: string; readonly inType: string } {
  const code = String.raw`[ \t]*(?:async\b[ \t]*)?(?:function\b|[\w$]+[ \t]*=>|\([^()]*\)[ \t]*=>)`;
  const method = String.raw`^[ \t]*(?:(?:[\w$]+\.)+${word}[ \t]*=|${word}:)${code}`;
  const type = String.raw`^[ \t]*typedef[ \t]+(?:(?:struct|union|enum)[ \t]+${word}[ \t]*(?:\{|$)|[^{}();]*,[ \t]*\**${word}[ \t]*[,;]|[^{};]*\([ \t]*(?:\w+[ \t]+)*\*[ \t]*${word}[ \t]*\)[ \t]*\()`;
  const inType = String.raw`^[ \t]*(?:[\w.:<>[\]?]+[ \t*&]+){0,5}?(?:${word}[ \t]*(?::[^=]*)?=(?![=>])(?!.*,[ \t]*$)|(?<=\bva[lr][ \t]+)${word})`;
  return { anywhere: `${method}|${type}`, inType };
}

function unitAround({ units }: ReadDocument, line: number): DocumentUnit | null {
  return units.findLast(({ start, end }) => line >= start && line <= end) ?? null;
}

/** Whether a unit begins on the line of what it is in, which has no line of its own then: `class Asked { void unit() {} }`. */
function sharesLine({ symbol, line }: DocumentUnit, read: ReadDocument, name: Name, fold: Fold): boolean {
  if (!isWithin(symbol, name.dotted, fold)) return false;
  const head = new RegExp(`${TYPE.source}[^({;]*?${wordPattern(fold(name.word)).source}`, 'u');
  return head.test(fold(lineAt(read.text, read.lines, line)));
}

function isWithin(symbol: string, container: string, fold: Fold): boolean {
  return fold(`.${dotted(symbol)}.`).includes(fold(`.${container}.`));
}

/** A step that names the trait of an implementation, or its type, is a step of the member as well. */
function isNamed(symbol: string, { dotted: asked }: Name, fold: Fold): boolean {
  const [, module = '', type, trait = '', rest = ''] = /^(.*?)<(.+?) as (.+?)>(.*)$/su.exec(symbol) ?? [];
  const bare = [type ?? '', trait].map((step) => step.replace(/<.*$/s, '').replace(/^&(?:'\w+\s+)?(?:mut\s+)?/, ''));
  const forms = type === undefined ? [symbol] : bare.map((step) => `${module}${step}${rest}`);
  return forms.some((form) => {
    const folded = fold(dotted(asked.endsWith('!') ? form : form.replace(/!$/, '')));
    return folded === fold(asked) || folded.endsWith(`.${fold(asked)}`);
  });
}

/** Entries of the unit that the steps before the last one name, or of units in it: a member of an enumeration, a key of a table. */
function entriesWithin(read: ReadDocument, asked: Name, fold: Fold): readonly number[] {
  const container = asked.dotted.slice(0, asked.dotted.lastIndexOf('.'));
  const name = { text: container, dotted: container, word: container.slice(container.lastIndexOf('.') + 1) };
  const around = read.units.filter(({ symbol }) => isNamed(symbol, name, fold) || isWithin(symbol, container, fold));
  return entryLines(read, asked, fold).filter((line) => around.some(({ start, end }) => line >= start && line <= end));
}

function entryLines({ document, text, lines }: ReadDocument, { word }: Name, fold: Fold): readonly number[] {
  const folded = fold(word);
  const pattern = wordPattern(folded);
  const inline = inlineEntry(folded, document.codeLang);
  const code = document.media !== 'code' ? text : text.replaceAll(COMMENTS, (comment) => comment.replaceAll(/.+/g, ''));
  const source = fold(withoutImports(code)).split('\n');
  return source.flatMap((written, at) => {
    if (at >= lines.count || written.length > MAX_ENTRY || !pattern.test(written)) return [];
    return declares(written, folded) || inline.test(written) ? [at + 1] : [];
  });
}

/** Matches the head of an enumeration, with its name if it has one. */
const ENUMERATION = /\benum\b(?:[ \t]+(?:class|struct)\b)?(?:\s+([\p{L}_$][\p{L}\p{N}_$]*))?[^;{}=]{0,300}\{/gu;
/** Comments, attributes and annotations; texts; identifiers; what opens, closes and separates. */
const MEMBER_TOKEN =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/|#\[[^\]\n]*\]|#[^\n]*|@[\w.:]+(?:\([^)]*\))?)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|([\p{L}_$][\p{L}\p{N}_$]*)|([([{])|([)\]}])|([,;])/gu;

/** The lines of members with that name of enumerations, and of interfaces in Go; the steps before it name what is around them. */
function membersNamed(
  { document, text, lines, units }: ReadDocument,
  { dotted: path }: Name,
  fold: Fold,
): ReadonlySet<number> {
  const numbers = new Set<number>();
  const steps = fold(path).split('.');
  const word = steps.pop() ?? '';
  for (const { index, name, members } of [...enumerationsIn(text), ...enumerationCallsIn(text)]) {
    const last = members.at(-1);
    if (last === undefined) continue;
    const { start, end } = lines.linesOf(index, last.at + 1);
    const around = units.filter((unit) => unit.start <= end && unit.end >= start).map(({ symbol }) => dotted(symbol));
    const known = new Set([name, ...around.flatMap((symbol) => symbol.split('.'))].map(fold));
    if (!steps.every((step) => known.has(step))) continue;
    for (const member of members)
      if (fold(member.name) === word) numbers.add(lines.linesOf(member.at, member.at + 1).start);
  }
  const interfaces =
    document.codeLang !== 'go' ? [] : units.filter(({ line }) => INTERFACE.test(lineAt(text, lines, line)));
  const method = new RegExp(String.raw`^[ \t]+${wordPattern(word).source}\(`, 'u');
  for (const { symbol, line: head, end } of interfaces) {
    const known = dotted(symbol).split('.').map(fold);
    for (let line = head + 1; line <= end && steps.every((step) => known.includes(step)); line++)
      if (method.test(fold(lineAt(text, lines, line)))) numbers.add(line);
  }
  return numbers;
}

/** An enumeration: where it begins, its name if it has one, and its members. */
interface Enumeration {
  readonly index: number;
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly at: number }[];
}

function enumerationsIn(text: string): readonly Enumeration[] {
  return [...text.matchAll(ENUMERATION)].map(({ 0: head, 1: name = '', index }) => {
    return { index, name, members: membersFrom(text, index + head.length) };
  });
}

/** Matches a call that makes an enumeration in Python, up to its members: `Enum('Bar', 'LOW HIGH')`, `IntFlag("Bar", ["LOW", "HIGH"])`. */
const ENUMERATION_CALL =
  /\b(?:Int|Str)?(?:Enum|Flag)\(\s*(['"])([\p{L}_][\p{L}\p{N}_]*)\1\s*,\s*(?:names\s*=\s*)?(?=(['"])([^'"]*)\3|\[([^\]]*)\]|\(([^()]*)\))/gu;

function enumerationCallsIn(text: string): readonly Enumeration[] {
  return [...text.matchAll(ENUMERATION_CALL)].map(({ 0: head, 2: name = '', 4: words, 5: list, 6: tuple, index }) => {
    const from = index + head.length + 1;
    const members = [...(words ?? list ?? tuple ?? '').matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)];
    return { index, name, members: members.map(({ 0: member, index: at }) => ({ name: member, at: from + at })) };
  });
}

/** The members in the body of an enumeration that begins at an offset: what stands first behind a comma, or behind `case`. */
function membersFrom(text: string, from: number): Enumeration['members'] {
  const members: { readonly name: string; readonly at: number }[] = [];
  let [isFirst, depth] = [true, 1];
  for (const match of text.slice(from).matchAll(MEMBER_TOKEN)) {
    const [whole, , quoted, word, opening, closing, separator] = match;
    if (opening !== undefined) depth++;
    else if (closing !== undefined) depth--;
    if (depth === 0) break;
    if (depth > 1) continue;
    if (word === 'case' || separator !== undefined) isFirst = whole !== ';';
    else if (isFirst && (word ?? quoted) !== undefined) {
      members.push({ name: word ?? whole.slice(1, -1), at: from + match.index });
      isFirst = false;
    }
  }
  return members;
}

/** The head of a type of Go that only lists methods. */
const INTERFACE = /^(?:type)?\s*\w+(?:\[.*\])?\s+interface\b/u;

/** Longer lines hold no entry that a person would go to. */
const MAX_ENTRY = 2000;

/** Docstrings and block comments: they describe what the code declares. */
const COMMENTS = /("""|''')[\s\S]*?\1|^[ \t]*\/\*[\s\S]*?\*\//gm;

/**
 * Matches a key of a table that stands on one line, a declaration behind the beginning of a body or another one, and a field of a type: by
 * its own declaration, `size_t used;` or in Go `Used int`, or where it is first set, `self.used = 0`. Also the first of a pair, `['USED', 1],`,
 * what is declared behind another one or taken apart, `let a = 0, used = 1`, `const { used } = all`, `} used;`, and a title that a call begins with.
 */
function inlineEntry(name: string, lang: string | null): RegExp {
  const word = wordPattern(name).source;
  const key = String.raw`[{,][ \t]*(?:'${word}'|"${word}"|${word})[ \t]*:(?!:)`;
  const modifiers = String.raw`(?:[a-z]+[ \t]+){0,4}`;
  const declaration = String.raw`[{;][ \t]*${modifiers}(?:class|enum|fn|fun|func|function|interface|object|struct|trait)[ \t]+${word}`;
  const own = String.raw`^[ \t]*(?:self|this)\.${word}[ \t]*(?::[^=]+)?=(?!=)`;
  const typed = String.raw`^[ \t]+(?!(?:await|break|case|continue|delete|else|export|extern|friend|goto|import|new|package|return|throw|typedef|using|yield)\b)(?:[\w:<>[\]?.,]+[ \t*&]+)+${word}(?:\[[^\]]*\])*[ \t]*(?:;|\{|:[ \t]*\d|\(\)[ \t]*(?:default\b.*)?;)`;
  const ofGo = String.raw`^[ \t]+(?:\w+,[ \t]*)*${word}(?:,[ \t]*\w+)*[ \t]+[*[\w<]`;
  const pair = String.raw`^[ \t]*[[({][ \t]*(?:'${word}'|"${word}")[ \t]*,`;
  const apart = String.raw`\b(?:const|let|var|val)[ \t]+(?:[({[][^=]*${word}[^=]*=|[^;(){}]*,[ \t]*${word}[ \t]*(?:[,;:]|=(?!=)|$))`;
  const behind = String.raw`(?:^|\{[^}]*)\}[ \t]*(?:\**\w+,[ \t]*)*\**${word}(?:\[[^\]]*\])*[ \t]*[,;]|[(,=][ \t]*(?:async[ \t]+)?function[ \t]+${word}|${besideUnits(word).anywhere}`;
  const title = /[\s/]/.test(name) ? [String.raw`\([ \t]*(?:\w+,[ \t]*)?(["'\x60])${word}\1`] : [];
  return new RegExp(
    [key, declaration, own, lang === 'go' ? ofGo : typed, pair, apart, behind, ...title].join('|'),
    'u',
  );
}

/** Units, then members of enumerations; entries where there is no unit, and what is in a function where there is nothing else. */
function bestOf(lines: readonly SymbolLine[]): readonly SymbolLine[] {
  const sorted = lines.toSorted((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || byPlace(a, b));
  const first = sorted[0]?.rank;
  const last = first === 'unit' || first === 'aside' ? 'field' : first === 'local' ? 'local' : 'entry';
  return sorted.filter(({ rank }) => RANKS.indexOf(rank) <= RANKS.indexOf(last));
}

const TYPE = /\b(?:enum|struct|class|interface|object|record|union|trait|type|protocol|namespace|module)\b/u;

function isFunction({ line, isContainer }: DocumentUnit, { text, lines }: ReadDocument): boolean {
  const head = lineAt(text, lines, line);
  return !isContainer && head.includes('(') && !TYPE.test(head);
}

/** Longer lines are shown in part. */
const MAX_LINE = 400;
const BEFORE_NAME = 100;

function symbolLine(read: ReadDocument, { line, text, unit, defines, rank, word }: DeclaringLine): SymbolLine {
  const around = unit ?? unitAround(read, line);
  const from = text.length <= MAX_LINE ? 0 : Math.max(0, text.search(word) - BEFORE_NAME);
  const part = firstChars(text.slice(from).replace(/^[\uDC00-\uDFFF]/, ''), MAX_LINE);
  const shown = `${from > 0 ? '…' : ''}${part}${from + MAX_LINE < text.length ? '…' : ''}`;
  const { document, lines } = read;
  const common = { document, unit: around, line, text: shown, defines };
  if (rank !== undefined) return { ...common, rank };
  if (unit === undefined) return { ...common, rank: around !== null && isFunction(around, read) ? 'local' : 'entry' };
  if (/^(?:json|toml|xml|yaml)$/.test(document.codeLang ?? '')) return { ...common, rank: 'field' };
  const [code = null] = /^[^;{]*;/.exec(read.text.slice(lines.startOf(line), lines.startOf(unit.end + 1))) ?? [];
  const isAside = isPrototype({ ...document, code }) || /^\s*(?:unsafe\s+)?impl\b/.test(text);
  return { ...common, rank: isAside ? 'aside' : 'unit' };
}

/** Tests after what they test, then by path and line. */
function byPlace(a: SymbolLine, b: SymbolLine): number {
  const [first, second] = [a.document, b.document];
  return (
    Number(TEST_PATH.test(first.workspacePath)) - Number(TEST_PATH.test(second.workspacePath)) ||
    compareCodePoints(first.workspacePath, second.workspacePath) ||
    compareCodePoints(first.sourceId, second.sourceId) ||
    a.line - b.line
  );
}

type WireUnit = SymbolResult['units'][number];

function byUnit(lines: readonly SymbolLine[]): SymbolResult['units'] {
  const units: { readonly last: SymbolLine; readonly unit: WireUnit; readonly lines: WireUnit['lines'][number][] }[] =
    [];
  for (const each of lines) {
    const { document, unit, line, text, defines } = each;
    const known = units.at(-1);
    const shown = { line, text, defines };
    if (known !== undefined && known.last.document === document && known.last.unit === unit) known.lines.push(shown);
    else {
      const own = [shown];
      const place = { doc_path: document.workspacePath, source_id: document.sourceId, symbol: unit?.symbol ?? null };
      const range = { line_start: unit?.start ?? line, line_end: unit?.end ?? line };
      units.push({ last: each, lines: own, unit: { ...place, ...range, lines: own } });
    }
  }
  return units.map(({ unit }) => unit);
}
