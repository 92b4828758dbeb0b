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

/** Where an agent is configured, and in which format. */
export interface Client {
  /** The configuration file; relative to the home folder, or to the working directory. */
  readonly file: readonly string[];
  readonly base: 'home' | 'project';
  readonly format: 'json' | 'toml';
  /** The member of the file that contains servers by name. */
  readonly member: string;
  /** Whether an entry can specify the working directory of its server. */
  readonly takesFolder?: true;
  readonly entry: (launch: Launch) => Entry;
}

type Entry = Readonly<Record<string, unknown>>;

/** Every agent that `kebab mcp install` supports, by name. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': { file: ['.mcp.json'], base: 'project', format: 'json', member: 'mcpServers', entry: typed },
  'claude-desktop': {
    file: [...desktopFolder(), 'claude_desktop_config.json'],
    base: 'home',
    format: 'json',
    member: 'mcpServers',
    entry: plain,
  },
  codex: {
    file: ['.codex', 'config.toml'],
    base: 'home',
    format: 'toml',
    member: 'mcp_servers',
    takesFolder: true,
    entry: plain,
  },
  cursor: { file: ['.cursor', 'mcp.json'], base: 'project', format: 'json', member: 'mcpServers', entry: plain },
  gemini: {
    file: ['.gemini', 'settings.json'],
    base: 'home',
    format: 'json',
    member: 'mcpServers',
    takesFolder: true,
    entry: plain,
  },
  opencode: { file: ['opencode.json'], base: 'project', format: 'json', member: 'mcp', entry: forOpencode },
  vscode: { file: ['.vscode', 'mcp.json'], base: 'project', format: 'json', member: 'servers', entry: typed },
  windsurf: {
    file: ['.codeium', 'windsurf', 'mcp_config.json'],
    base: 'home',
    format: 'json',
    member: 'mcpServers',
    entry: plain,
  },
  zed: {
    file: [...zedFolder(), 'settings.json'],
    base: 'home',
    format: 'json',
    member: 'context_servers',
    entry: (launch) => ({ source: 'custom', ...plain(launch) }),
  },
};

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

/** Where Claude Desktop keeps its configuration, below the home folder. */
function desktopFolder(): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return ['Library', 'Application Support', 'Claude'];
    case 'win32':
      return ['AppData', 'Roaming', 'Claude'];
    default:
      return ['.config', 'Claude'];
  }
}

function zedFolder(): readonly string[] {
  return process.platform === 'win32' ? ['AppData', 'Roaming', 'Zed'] : ['.config', 'zed'];
}

/**
 * Adds the server to the text of a configuration. Comments, other servers, and members that were added to kebab's entry by hand are
 * preserved. Undefined if the text is not a valid configuration of the client.
 */
export async function withServer(text: string, client: Client, entry: Entry): Promise<string | undefined> {
  const settings = Object.entries(entry).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, own]) => ({
          path: [client.member, 'kebab', name, inner],
          value: own as unknown,
        }))
      : [{ path: [client.member, 'kebab', name], value }],
  );
  if (client.format === 'json') return setInJson(text, settings);
  let changed: string | undefined = text;
  for (const { path, value } of settings) {
    if (changed === undefined) break;
    changed = await setInToml(changed, path, value);
  }
  return changed;
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
    const before = read(changed);
    if (before === undefined) return undefined;
    const missing = path.findIndex((_, at) => valueAt(before, path.slice(0, at + 1)) === undefined);
    const parent = path.slice(0, missing === -1 ? path.length - 1 : missing);
    if (!isTable(valueAt(before, parent))) return undefined;
    changed =
      missing === -1
        ? applyEdits(changed, modify(changed, [...path], value, { formattingOptions }))
        : withMember(changed, parent, { path: path.slice(missing), value });
    // With a duplicate name, a reader may use a different value than the one that was set.
    const after = read(changed);
    if (after === undefined || !isDeepStrictEqual(valueAt(after, path), value)) return undefined;
  }
  return changed;

  function read(json: string): Members | undefined {
    const errors: unknown[] = [];
    const value: unknown = jsonc.parse(json, errors as never[], { allowTrailingComma: true });
    return errors.length === 0 && isTable(value) ? value : undefined;
  }

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

function valueAt(table: Members, path: readonly string[]): unknown {
  let value: unknown = table;
  for (const name of path) value = isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isTable(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
