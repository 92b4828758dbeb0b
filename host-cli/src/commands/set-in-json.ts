import { isDeepStrictEqual } from 'node:util';

type Members = Readonly<Record<string, unknown>>;

/** One member to set: its names from the outside in, and its value. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * The text of a JSON file with members set. Comments, trailing commas, order and layout of everything else stay. Undefined when
 * the text is no JSON object, or when something else than an object stands where a member belongs.
 */
export async function setInJson(text: string, settings: readonly Setting[]): Promise<string | undefined> {
  const { applyEdits, modify, ...jsonc } = await import('jsonc-parser'); // only what writes such a file loads it
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
  let changed = text.trim() === '' ? `{}${eol}` : text;
  for (const { path, value } of settings) {
    const before = read(changed);
    if (before === undefined) return undefined;
    const missing = path.findIndex((_, at) => valueAt(before, path.slice(0, at + 1)) === undefined);
    const parent = path.slice(0, missing === -1 ? path.length - 1 : missing);
    if (!isTable(valueAt(before, parent))) return undefined;
    changed =
      missing === -1
        ? applyEdits(changed, modify(changed, [...path], value, { formattingOptions }))
        : withMember(changed, parent, { path: path.slice(missing), value });
    // Where a name stands twice, what was set is not what a reader takes.
    const after = read(changed);
    if (after === undefined || !isDeepStrictEqual(valueAt(after, path), value)) return undefined;
  }
  return changed;

  function read(json: string): Members | undefined {
    const errors: unknown[] = [];
    const value: unknown = jsonc.parse(json, errors as never[], { allowTrailingComma: true });
    return errors.length === 0 && isTable(value) ? value : undefined;
  }

  /**
   * Adds a member at the end of an object. The library would put it right behind the last member, before the comment on that line.
   */
  function withMember(json: string, parent: readonly string[], { path, value }: Setting): string {
    const tree = jsonc.parseTree(json, [], { allowTrailingComma: true });
    const node = tree && jsonc.findNodeAtLocation(tree, [...parent]);
    if (node === undefined) return json;
    const brace = node.offset + node.length - 1;
    const last = node.children?.at(-1);
    const from = last === undefined ? node.offset + 1 : last.offset + last.length;
    const rest = json.slice(from, brace);
    const hasComma = jsonc.stripComments(rest, ' ').includes(',');
    const kept = rest.trimEnd();
    const space = rest.slice(kept.length);
    const depth = indent.repeat(parent.length);
    const [name = '', ...inner] = path;
    const nested = inner.reduceRight<unknown>((content, key) => ({ [key]: content }), value);
    const lines = `${JSON.stringify(name)}: ${JSON.stringify(nested, null, indent)}`.split('\n');
    return [
      json.slice(0, from),
      last === undefined || hasComma ? '' : ',',
      kept,
      ...lines.map((line) => `${eol}${depth}${indent}${line}`),
      hasComma ? ',' : '',
      space.includes('\n') ? space : `${eol}${depth}`,
      json.slice(brace),
    ].join('');
  }
}

function valueAt(table: Members, path: readonly string[]): unknown {
  let value: unknown = table;
  for (const name of path) value = isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isTable(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
