import process from 'node:process';
import { setInToml } from '@kebab/core/app';
import { setInJson } from './set-in-json.ts';

/** How the server is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder it starts in, where the client can be given one and it matters. */
  readonly cwd: string | undefined;
}

/** Where one agent looks for servers, and in which form. */
export interface Client {
  /** The configuration file; relative to the home folder, or to the working directory. */
  readonly file: readonly string[];
  readonly base: 'home' | 'project';
  readonly format: 'json' | 'toml';
  /** The member of the file that holds servers by name. */
  readonly member: string;
  /** Whether an entry can name the folder that its server starts in. */
  readonly takesFolder?: true;
  readonly entry: (launch: Launch) => Entry;
}

type Entry = Readonly<Record<string, unknown>>;

/** Every agent that `kebab mcp install` knows, by name. */
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
 * The text of a configuration with the server in it. Comments and other servers stay, and members of the entry of kebab that were
 * added by hand. Undefined when the text is not what the client reads.
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
