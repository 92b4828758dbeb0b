import { parse } from 'smol-toml';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { isTable } from '../../schema/value.ts';
import { tomlKey, tomlValue } from '../annotated-config.ts';
import { type ConfigEdit, edited } from './config-edit.ts';

/**
 * Applies one change to a TOML text and preserves every other byte. A new key is inserted below the comment that shows its default, if
 * there is one. Undefined when no insertion yields the requested result. The text must be valid.
 */
export function editToml(text: string, edit: ConfigEdit, asFloat: boolean): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const wanted = canonical(edited(parse(text), edit));
  const layout = layoutOf(text);
  for (const candidate of candidates({ text, layout, eol, asFloat }, edit)) {
    try {
      if (canonical(parse(candidate)) === wanted) return candidate;
    } catch {
      // the key is not allowed in this place: try the next one
    }
  }
  return undefined;
}

/** A document and its layout. */
interface Page {
  readonly text: string;
  readonly layout: Layout;
  readonly eol: string;
  readonly asFloat: boolean;
}

/** A range of the text, `[start, end)`. */
type Range = readonly [start: number, end: number];

/** A key and its value, in a table, as a dotted key, or in an inline table; the path of a key of one of many tables has its index. */
interface Entry {
  readonly path: readonly string[];
  readonly whole: Range;
  readonly value: Range;
  /** Whether it is in an inline table. */
  readonly isInline: boolean;
}

/** A `[table]`, or an element of a `[[table]]` array. */
interface Block {
  readonly path: readonly string[];
  readonly isOneOfMany: boolean;
  readonly whole: Range;
}

interface Layout {
  readonly entries: readonly Entry[];
  readonly blocks: readonly Block[];
}

function layoutOf(text: string): Layout {
  const entries: Entry[] = [];
  const blocks: Block[] = [];
  const read = (node: AST.TOMLKeyValue, prefix: readonly string[], isInline: boolean): void => {
    const path = [...prefix, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
    entries.push({ path, whole: node.range, value: node.value.range, isInline });
    if (node.value.type === 'TOMLInlineTable') for (const inner of node.value.body) read(inner, path, true);
  };
  for (const node of parseTOML(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') read(node, [], false);
    else {
      const isOneOfMany = node.resolvedKey.some((step) => typeof step === 'number');
      const path = node.resolvedKey.filter((step) => typeof step === 'string');
      blocks.push({ path, isOneOfMany, whole: node.range });
      for (const inner of node.body) read(inner, node.resolvedKey.map(String), false);
    }
  }
  return { entries, blocks };
}

/** The candidate texts, best placement first. */
function* candidates(page: Page, edit: ConfigEdit): Generator<string> {
  switch (edit.kind) {
    case 'set':
      return yield* withValue(page, edit.path, edit.value);
    case 'unset':
      return yield* without(page, edit.path);
    case 'append':
      return yield* withTable(page, edit.path, edit.table);
    case 'remove':
      return yield* withoutTable(page, edit);
    default:
      return edit satisfies never;
  }
}

function* withValue(page: Page, path: readonly string[], value: unknown): Generator<string> {
  const { text, layout, eol, asFloat } = page;
  const written = tomlValue(value, asFloat);
  const present = layout.entries.find((entry) => isSame(entry.path, path));
  if (present !== undefined) {
    yield spliced(text, present.value, written);
    return;
  }
  const leaf = `${tomlKey(path.at(-1) ?? '')} = ${written}`;
  const outer = path.slice(0, -1);
  const emptied = blocksOf(layout, path)
    .toReversed()
    .reduce((rest, block) => cut(rest, block.whole), text);
  if (emptied !== text) yield* withValue({ ...page, text: emptied, layout: layoutOf(emptied) }, path, value);
  const header = layout.blocks.find((block) => !block.isOneOfMany && isSame(block.path, outer));
  if (header !== undefined || outer.length === 0) yield* inTable(page, header, leaf);
  else yield* underComment(page, outer, leaf);
  yield* beside(page, path, written);
  if (outer.length > 0)
    yield `${ended(text, eol)}${text.trim() === '' ? '' : eol}[${outer.map(tomlKey).join('.')}]${eol}${leaf}${eol}`;
}

/** Below the comment with the default of the key, else after the last key of the table, else at the top of the table. */
function* inTable({ text, layout, eol }: Page, header: Block | undefined, leaf: string): Generator<string> {
  const start = header === undefined ? 0 : lineEnd(text, header.whole[0]);
  const end = layout.blocks.find(({ whole }) => whole[0] >= start)?.whole[0] ?? text.length;
  const name = leaf.slice(0, leaf.indexOf(' ='));
  const shown = new RegExp(String.raw`^# ${escaped(name)} =.*$`, 'm').exec(text.slice(start, end));
  if (shown !== null) yield inserted(text, lineEnd(text, start + shown.index), leaf, eol);
  const last = layout.entries.findLast(({ whole, isInline }) => !isInline && whole[0] >= start && whole[1] <= end);
  if (last !== undefined) yield inserted(text, lineEnd(text, last.whole[1] - 1), leaf, eol);
  if (header !== undefined) yield inserted(text, start, leaf, eol);
  else yield `${headOf(text, eol)}${leaf}${eol}${text.slice(headOf(text, eol).length)}`;
}

/** Uncomments a `# [table]`. */
function* underComment(page: Page, outer: readonly string[], leaf: string): Generator<string> {
  const comment = new RegExp(String.raw`^# (\[${escaped(outer.map(tomlKey).join('.'))}\])[ \t]*$`, 'm').exec(page.text);
  if (comment === null) return;
  const text = spliced(page.text, [comment.index, comment.index + comment[0].length], comment[1] ?? '');
  const layout = layoutOf(text);
  yield* inTable(
    { ...page, text, layout },
    layout.blocks.find((block) => isSame(block.path, outer)),
    leaf,
  );
}

/** In an inline table, or as a dotted key next to similar ones. */
function* beside({ text, layout, eol }: Page, path: readonly string[], written: string): Generator<string> {
  const braces = layout.entries.findLast((entry) => isAbove(entry.path, path) && text[entry.value[0]] === '{');
  if (braces !== undefined) {
    const inner = text.slice(braces.value[0] + 1, braces.value[1] - 1).trimEnd();
    const name = path.slice(braces.path.length).map(tomlKey).join('.');
    yield spliced(text, braces.value, `{${inner === '' ? ' ' : `${inner}, `}${name} = ${written} }`);
  }
  const dotted = layout.entries.findLast(
    (entry) => !entry.isInline && isSame(entry.path.slice(0, -1), path.slice(0, -1)),
  );
  if (dotted === undefined) return;
  const block = layout.blocks.findLast(({ whole }) => whole[0] < dotted.whole[0] && dotted.whole[1] <= whole[1]);
  const name = path
    .slice(block?.path.length ?? 0)
    .map(tomlKey)
    .join('.');
  yield inserted(text, lineEnd(text, dotted.whole[1] - 1), `${name} = ${written}`, eol);
}

function* without(page: Page, path: readonly string[]): Generator<string> {
  const { text, layout } = page;
  const present = layout.entries.find((entry) => isSame(entry.path, path));
  if (present === undefined)
    yield blocksOf(layout, path)
      .toReversed()
      .reduce((rest, block) => cut(rest, block.whole), text);
  else if (!present.isInline) yield spliced(text, linesOf(text, present.whole), '');
  else yield spliced(text, [commaBefore(text, present.whole[0]), present.whole[1]], '');
  if (present?.isInline === true) yield spliced(text, [present.whole[0], commaBehind(text, present.whole[1])], '');
}

/** After the last table of that name, else at the end of the text; for an inline array at its end. */
function* withTable(page: Page, path: readonly string[], table: object): Generator<string> {
  const { text, layout, eol } = page;
  const fields = Object.entries(table).map(([name, value]) => `${tomlKey(name)} = ${tomlValue(value)}${eol}`);
  const block = `[[${path.map(tomlKey).join('.')}]]${eol}${fields.join('')}`;
  const list = layout.entries.find((entry) => isSame(entry.path, path));
  if (list !== undefined) {
    const stays = (parseAt(text, path) as readonly unknown[]).length > 0;
    if (!stays && !list.isInline) yield atEnd(spliced(text, linesOf(text, list.whole), ''), block, eol);
    const before = text.slice(0, list.value[1] - 1).trimEnd();
    const comma = !stays || before.endsWith(',') ? '' : ',';
    yield `${before}${comma}${stays ? ' ' : ''}${tomlValue(table)}${text.slice(list.value[1] - 1)}`;
    return;
  }
  const last = blocksOf(layout, path).at(-1);
  if (last === undefined) yield atEnd(text, block, eol);
  else yield inserted(text, lineEnd(text, last.whole[1] - 1), `${eol}${block.trimEnd()}`, eol);
}

function* withoutTable(
  { text, layout }: Page,
  { path, index }: ConfigEdit & { readonly kind: 'remove' },
): Generator<string> {
  const block = blocksOf(layout, path)[index];
  if (block !== undefined) yield cut(text, block.whole);
  const list = layout.entries.find((entry) => isSame(entry.path, path));
  if (list === undefined) return;
  const rest = (parseAt(text, path) as readonly unknown[]).filter((_, at) => at !== index);
  yield rest.length > 0 ? spliced(text, list.value, tomlValue(rest)) : spliced(text, linesOf(text, list.whole), '');
}

/** Removes a table with the comment directly above it. */
function cut(text: string, whole: Range): string {
  let [start, end] = linesOf(text, whole);
  for (;;) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (start === 0 || !/^[ \t]*#/.test(text.slice(above, start))) break;
    start = above;
  }
  if (/(?:^|\n)\r?\n$/.test(text.slice(0, start))) end += /^(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  return end === text.length
    ? text.slice(0, start).replace(/(\n)(?:[ \t]*\r?\n)+$/, '$1')
    : spliced(text, [start, end], '');
}

function blocksOf({ blocks }: Layout, path: readonly string[]): readonly Block[] {
  return blocks.filter((block) => block.isOneOfMany && isSame(block.path, path));
}

function atEnd(text: string, block: string, eol: string): string {
  return `${ended(text, eol)}${text.trim() === '' ? '' : eol}${block}`;
}

function ended(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
}

/** The comment at the top of a file, with the empty line after it. */
function headOf(text: string, eol: string): string {
  const head = /^(?:#[^\n]*(?:\n|$))*/.exec(text)?.[0] ?? '';
  const blank = /^[ \t]*\r?\n/.exec(text.slice(head.length))?.[0];
  return head === '' ? '' : `${head}${blank ?? (head.endsWith('\n') ? '' : eol)}`;
}

function inserted(text: string, at: number, line: string, eol: string): string {
  const before = text.slice(0, at);
  return `${ended(before, eol)}${line}${eol}${text.slice(at)}`;
}

function spliced(text: string, [start, end]: Range, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Expands to whole lines, so that a trailing comment is included. */
function linesOf(text: string, [start, end]: Range): Range {
  return [text.lastIndexOf('\n', start - 1) + 1, lineEnd(text, Math.max(start, end - 1))];
}

/** The position after the end of the line that contains a position. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function commaBefore(text: string, at: number): number {
  return at - (/,\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);
}

function commaBehind(text: string, at: number): number {
  return at + (/^\s*,\s*/.exec(text.slice(at))?.[0].length ?? 0);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isAbove(one, other);
}

function isAbove(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((step, index) => step === inner[index]);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function parseAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => (isTable(value) ? value[step] : undefined), parse(text));
}

/** Equal for tables with equal content in any order; a table without keys counts as absent. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (!isTable(member)) return member;
    const said = Object.entries(member).filter(([, inner]) => !isTable(inner) || canonical(inner) !== '{}');
    return Object.fromEntries(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
