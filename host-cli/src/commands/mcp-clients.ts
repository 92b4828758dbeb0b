import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { setInToml } from '@kebab/core/app';

/** The command line that starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working directory, if the client supports one and it matters. */
  readonly cwd: string | undefined;
}

/** Where an agent looks for servers: in the project that it works on, or in the files of its user. */
export type Scope = 'project' | 'user';

/** An agent, and how it is configured. */
export interface Client {
  /** The name of its makers. */
  readonly title: string;
  /** Its configuration files: relative to the working directory, or to the home folder. The first is the default. */
  readonly files: Readonly<Partial<Record<Scope, string>>>;
  readonly format: Format;
  /** The member of the file that contains servers by name. */
  readonly member: string;
  /**
   * Where servers of the user's file start: in the project (`project`), in the folder that the entry sets (`set`), or in a folder of the
   * agent's own, which is not known (`own`).
   */
  readonly startsIn: 'project' | 'set' | 'own';
  readonly entry: (launch: Launch) => Entry;
}

type Entry = Readonly<Record<string, unknown>>;
type Format = 'json' | 'toml' | 'yaml';

const SETTINGS = settingsFolder();
const CODE = `${SETTINGS}/Code/User`;

/** Every agent that `kebab mcp install` supports, by name. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'amazon-q': clientOf('Amazon Q Developer', { project: '.amazonq/mcp.json', user: '.aws/amazonq/mcp.json' }),
  'claude-code': clientOf(
    'Claude Code',
    { project: '.mcp.json', user: '.claude.json' },
    { startsIn: 'project', entry: (launch) => ({ ...typed(launch), alwaysLoad: true }) }, // not only after a search for tools
  ),
  'claude-desktop': clientOf('Claude Desktop', { user: `${SETTINGS}/Claude/claude_desktop_config.json` }),
  cline: clientOf('Cline', {
    user: `${CODE}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
  }),
  codex: clientOf(
    'Codex',
    { user: '.codex/config.toml', project: '.codex/config.toml' },
    { format: 'toml', member: 'mcp_servers', startsIn: 'set' },
  ),
  continue: clientOf('Continue', {
    project: '.continue/mcpServers/kebab.json',
    user: '.continue/mcpServers/kebab.json',
  }),
  'copilot-cli': clientOf(
    'GitHub Copilot CLI',
    { user: '.copilot/mcp-config.json', project: '.github/mcp.json' },
    { startsIn: 'set', entry: (launch) => ({ type: 'local', ...plain(launch), tools: ['*'] }) },
  ),
  cursor: clientOf('Cursor', { project: '.cursor/mcp.json', user: '.cursor/mcp.json' }),
  gemini: clientOf(
    'Gemini CLI',
    { user: '.gemini/settings.json', project: '.gemini/settings.json' },
    { startsIn: 'set' },
  ),
  goose: clientOf(
    'goose',
    { user: `${process.platform === 'win32' ? `${SETTINGS}/Block/goose/config` : '.config/goose'}/config.yaml` },
    { format: 'yaml', member: 'extensions', startsIn: 'project', entry: forGoose },
  ),
  junie: clientOf('JetBrains Junie', { project: '.junie/mcp/mcp.json', user: '.junie/mcp/mcp.json' }),
  kiro: clientOf('Kiro', { project: '.kiro/settings/mcp.json', user: '.kiro/settings/mcp.json' }),
  opencode: clientOf(
    'opencode',
    { project: 'opencode.json', user: '.config/opencode/opencode.json' },
    { member: 'mcp', startsIn: 'project', entry: forOpencode },
  ),
  qwen: clientOf('Qwen Code', { user: '.qwen/settings.json', project: '.qwen/settings.json' }, { startsIn: 'set' }),
  roo: clientOf('Roo Code', {
    project: '.roo/mcp.json',
    user: `${CODE}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
  }),
  vscode: clientOf(
    'Visual Studio Code',
    { project: '.vscode/mcp.json', user: `${CODE}/mcp.json` },
    { member: 'servers', entry: typed },
  ),
  windsurf: clientOf('Windsurf', { user: '.codeium/windsurf/mcp_config.json' }),
  zed: clientOf(
    'Zed',
    {
      user: `${process.platform === 'win32' ? `${SETTINGS}/Zed` : '.config/zed'}/settings.json`,
      project: '.zed/settings.json',
    },
    { member: 'context_servers', entry: (launch) => ({ source: 'custom', ...plain(launch) }) },
  ),
};

/** An agent; unless said otherwise it is configured as Claude Desktop is. */
function clientOf(title: string, files: Client['files'], others: Partial<Client> = {}): Client {
  return { title, files, format: 'json', member: 'mcpServers', startsIn: 'own', entry: plain, ...others };
}

function plain({ command, args, env, cwd }: Launch): Entry {
  return {
    command,
    args,
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function typed(launch: Launch): Entry {
  return { type: 'stdio', ...plain(launch) };
}

function forOpencode({ command, args, env }: Launch): Entry {
  return {
    type: 'local',
    command: [command, ...args],
    enabled: true,
    ...(Object.keys(env).length === 0 ? {} : { environment: env }),
  };
}

function forGoose({ command, args, env }: Launch): Entry {
  return { enabled: true, name: 'kebab', type: 'stdio', cmd: command, args, envs: env, timeout: 300 };
}

/** Where desktop programs keep their settings, below the home folder. */
function settingsFolder(): string {
  switch (process.platform) {
    case 'darwin':
      return 'Library/Application Support';
    case 'win32':
      return 'AppData/Roaming';
    default:
      return '.config';
  }
}

/**
 * Adds the server to the text of a configuration. Comments, other servers, and members that were added to kebab's entry by hand are
 * preserved. Undefined if the text is not a valid configuration of the client, or not one that can be changed without losing something.
 */
export async function withServer(text: string, { format, member }: Client, entry: Entry): Promise<string | undefined> {
  const before = await FORMATS[format].read(text);
  if (before === undefined) return undefined;
  const present = valueAt(before, [member, NAME]);
  if (isTable(present) && isDeepStrictEqual(merged(present, entry), present)) return text;
  return FORMATS[format].add(text, [member, NAME], entry);
}

/**
 * Removes the server from the text of a configuration, and keeps every other byte but those of a comment inside of the entry. The same text
 * if it has no such server; undefined if nothing can be removed from it safely.
 */
export async function withoutServer(text: string, { format, member }: Client): Promise<string | undefined> {
  const { read, remove } = FORMATS[format];
  const before = await read(text);
  const servers = before?.[member];
  if (before === undefined || !isTable(servers)) return before === undefined ? undefined : text;
  if (!Object.hasOwn(servers, NAME)) return text;
  const { [NAME]: _kebab, ...others } = servers;
  const { [member]: _servers, ...rest } = before;
  const isAlone = Object.keys(others).length === 0;
  const changed = await remove(text, isAlone ? [member] : [member, NAME]);
  const after = changed === undefined ? undefined : await read(changed);
  return isDeepStrictEqual(after, isAlone ? rest : { ...before, [member]: others }) ? changed : undefined;
}

/** The entry of the server in the text of a configuration. */
export async function serverIn(text: string, { format, member }: Client): Promise<Entry | undefined> {
  const entry = valueAt((await FORMATS[format].read(text)) ?? {}, [member, NAME]);
  return isTable(entry) ? entry : undefined;
}

/** The name of the server in every configuration. */
const NAME = 'kebab';

/** How the text of a configuration is read and changed; each change preserves the rest of the text, or is undefined. */
interface FormatEditor {
  /** The members of a valid text; an empty text has none. */
  readonly read: (text: string) => Promise<Members | undefined>;
  readonly add: (text: string, path: readonly [string, string], entry: Entry) => Promise<string | undefined>;
  /** The text without a member that it has. */
  readonly remove: (text: string, path: readonly string[]) => Promise<string | undefined>;
}

const FORMATS: Readonly<Record<Format, FormatEditor>> = {
  json: {
    read: readJson,
    add: (text, path, entry) => setInJson(text, settingsOf(path, entry)),
    remove: withoutInJson,
  },
  toml: {
    read: readToml,
    async add(text, path, entry) {
      let changed: string | undefined = text;
      for (const setting of settingsOf(path, entry))
        if (changed !== undefined) changed = await setInToml(changed, setting.path, setting.value);
      return changed;
    },
    remove: async (text, path) => withoutInToml(text, path),
  },
  yaml: { read: readYaml, add: addInYaml, remove: withoutInYaml },
};

/** An entry member by member, and its tables too, so that members that it does not have are preserved. */
function settingsOf(path: readonly string[], entry: Entry): readonly Setting[] {
  return Object.entries(entry).flatMap(([name, value]) =>
    isTable(value)
      ? Object.entries(value).map(([inner, own]) => ({ path: [...path, name, inner], value: own }))
      : [{ path: [...path, name], value }],
  );
}

function merged(present: Members, entry: Entry): Members {
  const both = Object.entries(entry).map(([name, value]) => {
    const own = present[name];
    return [name, isTable(value) && isTable(own) ? { ...own, ...value } : value];
  });
  return { ...present, ...(Object.fromEntries(both) as Members) };
}

type Members = Readonly<Record<string, unknown>>;

/** One member to set: its path, outermost name first, and its value. */
interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Sets members in the text of a JSON file. Comments, trailing commas, order and layout of everything else are preserved. Undefined if the
 * text is not a JSON object, or if a parent of a member is not an object.
 */
export async function setInJson(text: string, settings: readonly Setting[]): Promise<string | undefined> {
  const { applyEdits, modify, ...jsonc } = await import('jsonc-parser'); // loaded only when such a file is written
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
  let changed = text.trim() === '' ? `{}${eol}` : text;
  for (const { path, value } of settings) {
    const before = await readJson(changed);
    if (before === undefined) return undefined;
    const missing = path.findIndex((_, at) => valueAt(before, path.slice(0, at + 1)) === undefined);
    const parent = path.slice(0, missing === -1 ? path.length - 1 : missing);
    if (!isTable(valueAt(before, parent))) return undefined;
    changed =
      missing === -1
        ? applyEdits(changed, modify(changed, [...path], value, { formattingOptions }))
        : withMember(changed, parent, { path: path.slice(missing), value });
    // With a duplicate name, a reader may use a different value than the one that was set.
    const after = await readJson(changed);
    if (after === undefined || !isDeepStrictEqual(valueAt(after, path), value)) return undefined;
  }
  return changed;

  /** Adds a member at the end of an object. The library would insert it directly after the last member, before the comment on that line. */
  function withMember(json: string, parent: readonly string[], { path, value }: Setting): string {
    const tree = jsonc.parseTree(json, [], { allowTrailingComma: true });
    const node = tree && jsonc.findNodeAtLocation(tree, [...parent]);
    if (node === undefined) return json;
    const brace = node.offset + node.length - 1;
    const last = node.children?.at(-1);
    const from = last === undefined ? node.offset + 1 : last.offset + last.length;
    const rest = json.slice(from, brace);
    const hasComma = jsonc.stripComments(rest, ' ').includes(',');
    const between = rest.trimEnd();
    const space = rest.slice(between.length);
    const depth = indent.repeat(parent.length);
    const [name = '', ...inner] = path;
    const nested = inner.reduceRight<unknown>((content, key) => ({ [key]: content }), value);
    const lines = `${JSON.stringify(name)}: ${JSON.stringify(nested, null, indent)}`.split('\n');
    return [
      json.slice(0, from),
      last === undefined || hasComma ? '' : ',',
      between,
      ...lines.map((line) => `${eol}${depth}${indent}${line}`),
      hasComma ? ',' : '',
      space.includes('\n') ? space : `${eol}${depth}`,
      json.slice(brace),
    ].join('');
  }
}

/** The members of a JSON object; comments and trailing commas are accepted. */
async function readJson(text: string): Promise<Members | undefined> {
  if (text.trim() === '') return {};
  const { parse } = await import('jsonc-parser');
  const errors: unknown[] = [];
  const value: unknown = parse(text, errors as never[], { allowTrailingComma: true });
  return errors.length === 0 && isTable(value) ? value : undefined;
}

/** Removes a member with its comma. A comment beside it stays; an object that has become empty is closed on the same line. */
async function withoutInJson(text: string, path: readonly string[]): Promise<string | undefined> {
  const jsonc = await import('jsonc-parser');
  const tree = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const member = tree && jsonc.findNodeAtLocation(tree, [...path])?.parent;
  const members = member?.parent?.children;
  if (member?.parent === undefined || members === undefined) return undefined;
  const at = members.indexOf(member);
  const end = member.offset + member.length;
  const [previous, next] = [members[at - 1], members[at + 1]];
  const brace = member.parent.offset + member.parent.length - 1;
  const behind = text.slice(end, next?.offset ?? brace);
  const comma = jsonc.stripComments(behind, ' ').indexOf(',');
  const before = text.slice(0, member.offset).trimEnd();
  const after = text.slice(comma === -1 ? end : end + comma + 1);
  if (comma !== -1) return before + (next === undefined && previous === undefined ? after.trimStart() : after);
  if (previous === undefined) return before + (before.endsWith('{') ? after.trimStart() : after);
  const from = previous.offset + previous.length;
  const separator = from + jsonc.stripComments(text.slice(from, member.offset), ' ').indexOf(',');
  const isOneLine = !text.slice(member.parent.offset, from).includes('\n');
  return before.slice(0, separator) + before.slice(separator + 1) + (isOneLine ? after.trimStart() : after);
}

async function readToml(text: string): Promise<Members | undefined> {
  const { parse } = await import('smol-toml');
  try {
    return structuredClone(parse(text)); // tables without the library's prototypes
  } catch {
    return undefined;
  }
}

/** Removes the tables of a path, each from its header to the next one; the comments above that one stay. */
function withoutInToml(text: string, path: readonly string[]): string {
  const own = path.map((name) => `(?:${name}|"${name}"|'${name}')`).join(String.raw`[ \t]*\.[ \t]*`);
  const header = new RegExp(String.raw`^[ \t]*\[[ \t]*${own}[ \t]*[.\]]`);
  const rest: string[] = [];
  let comments: string[] = [];
  let isInside = false;
  for (const line of text.split(/(?<=\n)/)) {
    const isHeader = /^[ \t]*\[/.test(line);
    if (isHeader) isInside = header.test(line);
    if (isInside)
      comments = /^[ \t]*#/.test(line) || (comments.length > 0 && line.trim() === '') ? [...comments, line] : [];
    else rest.push(...comments.splice(0), line);
  }
  const [changed, isLast] = [[...rest, ...comments].join(''), isInside && comments.length === 0];
  return isLast ? changed.replace(/(\n)(?:[ \t]*\r?\n)+$/, '$1') : changed;
}

async function readYaml(text: string): Promise<Members | undefined> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const value: unknown = document.errors.length === 0 ? (document.toJS() ?? {}) : undefined;
  return isTable(value) ? value : undefined;
}

/** The lines of a block in a YAML text, `[start, end)`, and the column of its name. */
interface YamlBlock {
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

/** Where a member stands in a text: each member of the path on lines of its own. Undefined where it is in braces or missing. */
async function blockInYaml(text: string, path: readonly string[]): Promise<YamlBlock | undefined> {
  const { isMap, isNode, isScalar, parseDocument } = await import('yaml');
  let node: unknown = parseDocument(text).contents;
  let block: YamlBlock | undefined;
  for (const name of path) {
    if (!isMap(node) || node.flow === true) return undefined;
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
    if (!isScalar(pair?.key) || pair.key.range == null) return undefined;
    const start = text.lastIndexOf('\n', pair.key.range[0] - 1) + 1;
    const last = (isNode(pair.value) ? pair.value.range?.[1] : undefined) ?? pair.key.range[1];
    const lineEnd = text.indexOf('\n', Math.max(last - 1, pair.key.range[1] - 1));
    block = { start, end: lineEnd === -1 ? text.length : lineEnd + 1, column: pair.key.range[0] - start };
    node = pair.value;
  }
  return block;
}

async function addInYaml(text: string, path: readonly [string, string], entry: Entry): Promise<string | undefined> {
  const { stringify } = await import('yaml');
  const before = (await readYaml(text)) ?? {};
  const [member, name] = path;
  const servers = before[member] ?? {};
  if (!isTable(servers)) return undefined;
  const own = servers[name];
  const value = isTable(own) ? merged(own, entry) : entry;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = (content: object, column: number): string =>
    stringify(content, { lineWidth: 0 })
      .replaceAll(/^(?=.)/gm, ' '.repeat(column))
      .replaceAll('\n', eol);
  const block = await blockInYaml(text, own === undefined ? [member] : path);
  let changed: string | undefined;
  if (block === undefined && before[member] === undefined) {
    const head = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
    changed = head + written({ [member]: { [name]: value } }, 0);
  } else if (block !== undefined && own !== undefined) {
    const present = text.slice(block.start, block.end);
    if (!present.includes('#'))
      // a comment within would be lost
      changed = text.slice(0, block.start) + written({ [name]: value }, block.column) + text.slice(block.end);
  } else if (block !== undefined) {
    const sibling = Object.keys(servers)[0];
    const column = sibling === undefined ? block.column + 2 : (await blockInYaml(text, [member, sibling]))?.column;
    const head = text.slice(0, block.end);
    if (column !== undefined)
      changed =
        (head.endsWith('\n') ? head : `${head}${eol}`) + written({ [name]: value }, column) + text.slice(block.end);
  }
  const after = changed === undefined ? undefined : await readYaml(changed);
  return isDeepStrictEqual(after, { ...before, [member]: { ...servers, [name]: value } }) ? changed : undefined;
}

async function withoutInYaml(text: string, path: readonly string[]): Promise<string | undefined> {
  const block = await blockInYaml(text, path);
  return block && text.slice(0, block.start) + text.slice(block.end);
}

function valueAt(table: Members, path: readonly string[]): unknown {
  let value: unknown = table;
  for (const name of path) value = isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isTable(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
