import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, refuseLinks, writeAtomically } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** Where one agent looks for servers. */
interface Client {
  /** The configuration file; relative to the home folder, or to the working directory. */
  readonly file: readonly string[];
  readonly base: 'home' | 'project';
  /** The member of the file that holds servers by name. */
  readonly member: 'mcpServers' | 'servers';
  readonly server: Readonly<Record<string, unknown>>;
}

const SERVER = { command: 'kebab', args: ['mcp'] };

/** `kebab mcp install`: prints the entry for the configuration of an agent, or writes it there. */
export async function mcpInstall(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const name = values.text('client');
  if (name === undefined)
    throw invalidInput('kebab mcp install needs --client', { field: '--client', allowed: Object.keys(clients('')) });
  const client = clients(desktopFolder())[name] as Client; // the command table allows the same names
  const file =
    client.base === 'home'
      ? path.join(context.variable('HOME') ?? context.variable('USERPROFILE') ?? '', ...client.file)
      : context.absolute(path.join(...client.file));
  const entry = { [client.member]: { kebab: client.server } };
  if (!values.has('write')) {
    context.note(`put this into ${file}, or run again with --write:`);
    context.io.stdout.json(entry, 2);
    return EXIT.ok;
  }
  writeEntry(file, client, client.base === 'project' ? context.absolute('.') : undefined);
  context.io.stdout.line(`wrote ${file}`);
  return EXIT.ok;
}

function clients(desktop: string): Readonly<Record<string, Client>> {
  return {
    'claude-code': { file: ['.mcp.json'], base: 'project', member: 'mcpServers', server: { type: 'stdio', ...SERVER } },
    'claude-desktop': {
      file: [desktop, 'claude_desktop_config.json'],
      base: 'home',
      member: 'mcpServers',
      server: SERVER,
    },
    cursor: { file: ['.cursor', 'mcp.json'], base: 'project', member: 'mcpServers', server: SERVER },
    vscode: { file: ['.vscode', 'mcp.json'], base: 'project', member: 'servers', server: { type: 'stdio', ...SERVER } },
  };
}

/** Where Claude Desktop keeps its configuration, below the home folder. */
function desktopFolder(): string {
  switch (process.platform) {
    case 'darwin':
      return path.join('Library', 'Application Support', 'Claude');
    case 'win32':
      return path.join('AppData', 'Roaming', 'Claude');
    default:
      return path.join('.config', 'Claude');
  }
}

/**
 * Adds the entry and keeps everything else; never leaves half a file. The file as it was before the first time stays beside
 * it. Throws `invalid_input` for what is not JSON, `io_error` for links in a project: it may come from anywhere.
 */
function writeEntry(file: string, { member, server }: Client, project: string | undefined): void {
  if (project !== undefined) refuseLinks(file, project);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const text = mode === undefined ? null : readFileSync(file, 'utf8');
  const present = text === null ? {} : parsed(text, file);
  const servers = { ...(present[member] as object | undefined), kebab: server };
  const options = { mode: mode === undefined ? undefined : mode & 0o777, within: project };
  if (text !== null) keepFirst(`${file}.bak`, text, options);
  writeAtomically(file, `${JSON.stringify({ ...present, [member]: servers }, null, 2)}\n`, options);
}

function keepFirst(backup: string, text: string, options: { readonly mode: number | undefined }): void {
  try {
    writeAtomically(backup, text, { ...options, replace: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function parsed(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidInput(`${file} is not a JSON object: add the entry by hand, as shown without --write`, {
    field: '--write',
    value: file,
  });
}
