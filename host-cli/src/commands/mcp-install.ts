import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { invalidInput, type McpInstall, readRegularText, refuseLinks, writeAtomically } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { alignColumns } from '../screen/text-width.ts';
import { CLIENTS, withServer, type Client, type Launch } from './mcp-clients.ts';

/** Larger than the configuration of any client. */
const MAX_BYTES = 16 * 1_048_576;

/** `kebab mcp install`: prints the entry for the configuration of an agent, or writes it there; lists the agents without one. */
export async function mcpInstall(context: CommandContext): Promise<ExitCode> {
  const { values, io } = context;
  const name = values.text('client');
  if (name === undefined) return listClients(context);
  const client = CLIENTS[name] as Client; // the command table allows the same names
  const file = fileOf(client, context);
  const { env, secrets } = environmentOf(context);
  if (secrets.length > 0)
    context.note(`notice: ${secrets.join(', ')} not written: it is a secret; set it where the agent is started`);
  const entry = client.entry(launchOf(client, context, env));
  const isWritten = values.has('write');
  if (isWritten) {
    const project = client.base === 'project' ? context.absolute('.') : undefined;
    await writeEntry(file, { client, name, entry, project });
  }
  if (isWritten && !context.json) {
    context.note(`wrote ${file}`);
    return EXIT.ok;
  }
  const shown = (await withServer('', client, entry)) ?? '';
  const { format } = client;
  if (context.json)
    printClients(context, [
      { name, file, format, entry: shown, is_written: isWritten, ...(secrets.length > 0 ? { left_out: secrets } : {}) },
    ]);
  else {
    context.note(`put this into ${file}, or add --write:`);
    if (format === 'json') io.stdout.json(JSON.parse(shown) as object, 2);
    else io.stdout.print(shown);
  }
  return EXIT.ok;
}

function listClients(context: CommandContext): ExitCode {
  const names = Object.keys(CLIENTS);
  if (context.values.has('write')) throw invalidInput('--write needs --client', { field: '--client', allowed: names });
  if (context.json) {
    const clients = Object.entries(CLIENTS).map(([name, client]) => {
      return { name, file: fileOf(client, context), format: client.format, entry: null, is_written: false };
    });
    printClients(context, clients);
    return EXIT.ok;
  }
  const rows = Object.entries(CLIENTS).map(([name, { base, file }]) => [
    name,
    base === 'home' ? `~/${file.join('/')}` : `${file.join('/')} in the project`,
  ]);
  for (const columns of alignColumns(rows)) context.io.stdout.line(columns.join('  ').trimEnd());
  context.note('`kebab mcp install --client NAME` prints the entry for the file of a client; --write writes it');
  return EXIT.ok;
}

function printClients(context: CommandContext, clients: McpInstall['clients']): void {
  context.printJson({ schema_version: 'mcp_install.v1', clients } satisfies McpInstall);
}

/** The path of an agent's configuration, for the user and the folder that the command runs in. */
function fileOf({ base, file }: Client, context: CommandContext): string {
  if (base === 'project') return context.absolute(path.join(...file));
  return path.join(context.variable('HOME') ?? context.variable('USERPROFILE') ?? '', ...file);
}

/** The command line with which an agent's server finds the program and the knowledge base in use here. */
function launchOf(client: Client, context: CommandContext, env: Launch['env']): Launch {
  const { values } = context;
  const [command, ...script] = programOf();
  const config = values.text('config');
  const project = projectAround(context.absolute('.'));
  if (project !== undefined && client.base === 'home' && client.takesFolder === undefined)
    context.note(
      `notice: this agent starts servers in a folder of its own: it gets your knowledge base, not that of ${project}`,
    );
  return {
    command,
    args: [
      ...script,
      'mcp',
      ...(config === undefined ? [] : ['--config', context.absolute(config)]),
      ...(values.has('readonly') ? ['--readonly'] : []),
    ],
    env,
    cwd: client.takesFolder === true ? project : undefined,
  };
}

/** The PATH of agents that are started from a desktop, on every system. */
const BARE_PATH = ['/usr/bin', '/bin'];

/** `kebab` if every agent finds this program by that name, otherwise the absolute paths of Node and the program. */
function programOf(): readonly [command: string, ...args: string[]] {
  const program = path.resolve(process.argv[1] ?? '');
  const isThis = (file: string): boolean => existsSync(file) && realpathSync(file) === realpathSync(program);
  const isFound = BARE_PATH.some((folder) => isThis(path.join(folder, 'kebab')));
  return isFound ? ['kebab'] : [process.execPath, program];
}

/** The nearest folder above that has a knowledge base of its own. */
function projectAround(folder: string): string | undefined {
  if (existsSync(path.join(folder, '.kebab', 'config.toml'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : projectAround(parent);
}

/** Variables for settings and file locations: an agent would start the server without them. */
const CARRIED = /^(?:KEBAB_\w+|XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME)$/;
const SECRET = /TOKEN|KEY|SECRET|PASSWORD/;
const PLACE = /(?:ROOT|DIR|CONFIG|PATH|FILE|HOME)$/;

/** The variables that are set here; secrets are omitted, since these files are shared and copied. */
function environmentOf(context: CommandContext): { readonly env: Launch['env']; readonly secrets: readonly string[] } {
  const set = Object.entries(context.variables(CARRIED)).filter(([, value]) => value !== '');
  const env = Object.fromEntries(
    set
      .filter(([name]) => !SECRET.test(name))
      .map(([name, value]) => [name, PLACE.test(name) && isRelative(value) ? context.absolute(value) : value]),
  );
  return { env, secrets: set.flatMap(([name]) => (SECRET.test(name) ? [name] : [])) };
}

function isRelative(value: string): boolean {
  return !path.isAbsolute(value) && !value.startsWith('~') && !value.includes('://');
}

interface Written {
  readonly client: Client;
  readonly entry: Readonly<Record<string, unknown>>;
  /** The name of the client. */
  readonly name: string;
  /** The folder that the file must not lead out of; undefined for the user's own files. */
  readonly project: string | undefined;
}

/**
 * Adds the entry and keeps everything else; the file is replaced atomically. The original file is kept beside it. Throws `invalid_input` if
 * the file does not have the client's format, `io_error` for links in a project, which may come from an untrusted source.
 */
async function writeEntry(file: string, { client, name, entry, project }: Written): Promise<void> {
  if (project !== undefined) refuseLinks(file, project);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const text = mode === undefined ? null : readRegularText(file, { maxBytes: MAX_BYTES });
  const changed = await withServer(text ?? '', client, entry);
  if (changed === undefined)
    throw invalidInput(`${file} is not ${client.format.toUpperCase()} with members that kebab can add to`, {
      field: '--write',
      value: file,
      hint: `add the entry by hand: \`kebab mcp install --client ${name}\` shows it`,
    });
  const options = { mode: mode === undefined ? undefined : mode & 0o777, within: project };
  if (text !== null) keepFirst(`${file}.bak`, text, options);
  writeAtomically(file, changed, options);
}

function keepFirst(backup: string, text: string, options: { readonly mode: number | undefined }): void {
  try {
    writeAtomically(backup, text, { ...options, replace: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
