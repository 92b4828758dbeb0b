import { existsSync, lstatSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
  invalidInput,
  type McpInstall,
  nearestName,
  readRegularText,
  refuseLinks,
  writeAtomically,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { alignColumns } from '../screen/text-width.ts';
import { CLIENTS, serverIn, withoutServer, withServer, type Client, type Launch, type Scope } from './mcp-clients.ts';

/** Larger than the configuration of any client. */
const MAX_BYTES = 16 * 1_048_576;

/** `kebab mcp install`: writes the entry for kebab into the configuration of an agent, or prints it; lists the agents without one. */
export async function mcpInstall(context: CommandContext): Promise<ExitCode> {
  const { values, io } = context;
  const isNamed = values.arg('CLIENT') !== '';
  const name = isNamed ? values.arg('CLIENT') : values.text('client');
  if (name === undefined || values.has('list')) return listClients(context);
  const place = placesOf(name, context)[0] as Place;
  const { client, file, scope } = place;
  const { env, secrets } = environmentOf(context);
  if (secrets.length > 0)
    context.note(`notice: ${secrets.join(', ')} not written: it is a secret; set it where the agent is started`);
  const entry = client.entry(launchOf(place, context, env));
  const isWritten = values.has('write') || (isNamed && !values.has('print'));
  if (isWritten) await writeEntry(place, entry);
  if (isWritten && !context.json) {
    context.note(`wrote ${file}; restart ${client.title}, or have it reload its servers`);
    return EXIT.ok;
  }
  const shown = (await withServer('', client, entry)) ?? '';
  const { format } = client;
  const left = secrets.length > 0 ? { left_out: secrets } : {};
  if (context.json)
    printClients(context, [{ name, file, scope, format, entry: shown, is_written: isWritten, ...left }]);
  else {
    context.note(`put this into ${file}, or ${isNamed ? 'leave out --print' : 'add --write'}:`);
    if (format === 'json') io.stdout.json(JSON.parse(shown) as object, 2);
    else io.stdout.print(shown);
  }
  return EXIT.ok;
}

/** `kebab mcp uninstall`: removes the entry from the configuration of an agent; a file that install created is deleted. */
export async function mcpUninstall(context: CommandContext): Promise<void> {
  const name = context.values.arg('CLIENT');
  const places = placesOf(name, context);
  const removed: Place[] = [];
  for (const place of places) if (await removeEntry(place)) removed.push(place);
  if (context.json) {
    const clients = places.map((place) => {
      const { file, scope, client } = place;
      const isRemoved = removed.includes(place);
      return { name, file, scope, format: client.format, entry: null, is_written: false, is_removed: isRemoved };
    });
    printClients(context, clients);
  } else if (removed.length > 0) for (const { file } of removed) context.note(`removed kebab from ${file}`);
  else context.note(`kebab is not in ${places.map(({ file }) => file).join(' or ')}`);
}

/** One configuration file of an agent. */
interface Place {
  /** The name of the agent. */
  readonly name: string;
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
  /** The folder that the file must not lead out of; undefined for the user's own files. */
  readonly project: string | undefined;
}

/** The files of an agent, the default one first; with `--scope`, that one. Throws `invalid_input` if there is no such agent or file. */
function placesOf(name: string, context: CommandContext): readonly Place[] {
  const client = CLIENTS[name];
  const names = Object.keys(CLIENTS);
  if (client === undefined)
    throw invalidInput(`${name} is not an agent that kebab knows`, {
      field: 'CLIENT',
      value: name,
      allowed: names,
      suggestion: nearestName(name, names),
    });
  const scopes = Object.keys(client.files) as readonly Scope[];
  const scope = context.values.text('scope');
  if (scope !== undefined && !scopes.includes(scope as Scope))
    throw invalidInput(`${client.title} has no configuration for a ${scope}`, {
      field: '--scope',
      value: scope,
      allowed: scopes,
    });
  return scopes.flatMap((one) => (scope === undefined || scope === one ? [placeOf(name, client, one, context)] : []));
}

function placeOf(name: string, client: Client, scope: Scope, context: CommandContext): Place {
  const parts = (client.files[scope] ?? '').split('/');
  const home = context.variable('HOME') ?? context.variable('USERPROFILE') ?? '';
  return scope === 'project'
    ? { name, client, scope, file: context.absolute(path.join(...parts)), project: context.absolute('.') }
    : { name, client, scope, file: path.join(home, ...parts), project: undefined };
}

function listClients(context: CommandContext): ExitCode {
  const names = Object.keys(CLIENTS);
  if (context.values.has('write')) throw invalidInput('--write needs --client', { field: '--client', allowed: names });
  if (context.json) {
    const places = names.flatMap((name) => placesOf(name, context));
    const clients = places.map(({ name, file, scope, client: { format } }) => {
      return { name, file, scope, format, entry: null, is_written: false };
    });
    printClients(context, clients);
    return EXIT.ok;
  }
  const rows = Object.entries(CLIENTS).map(([name, { title, files }]) => {
    const [first = '', second] = Object.entries(files).map(([scope, file]) =>
      scope === 'user' ? `~/${file}` : `${file} in the project`,
    );
    const other = second === undefined ? '' : `; --scope ${Object.keys(files)[1]}: ${second}`;
    return [name, title, `${first}${other}`];
  });
  for (const columns of alignColumns(rows)) context.io.stdout.line(columns.join('  ').trimEnd());
  context.note(
    '`kebab mcp install NAME` writes the entry for kebab; --print shows it, `kebab mcp uninstall NAME` removes it',
  );
  return EXIT.ok;
}

function printClients(context: CommandContext, clients: McpInstall['clients']): void {
  context.printJson({ schema_version: 'mcp_install.v1', clients } satisfies McpInstall);
}

/** The command line with which an agent's server finds the program and the knowledge base in use here. */
function launchOf({ client, scope }: Place, context: CommandContext, env: Launch['env']): Launch {
  const { values } = context;
  const [command, ...script] = programOf();
  const config = values.text('config');
  const project = projectAround(context.absolute('.'));
  if (project !== undefined && scope === 'user' && client.startsIn === 'own')
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
    cwd: scope === 'user' && client.startsIn === 'set' ? project : undefined,
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

/**
 * Adds the entry and keeps everything else; the file is replaced atomically. The original file is kept beside it. Throws `invalid_input` if
 * the file does not have the client's format, `io_error` for links in a project, which may come from an untrusted source.
 */
async function writeEntry(place: Place, entry: Readonly<Record<string, unknown>>): Promise<void> {
  const { text, file, options } = readPlace(place);
  const changed = await withServer(text ?? '', place.client, entry);
  if (changed === undefined) throw unchangeable(place, 'add to');
  if (changed === text) return;
  if (text !== null) keepFirst(`${file}.bak`, text, options);
  writeAtomically(file, changed, options);
}

/**
 * Removes the entry: the file is as it was before, if nothing else has changed in it since; otherwise without the entry. False if it has
 * none. Throws as {@link writeEntry} does.
 */
async function removeEntry(place: Place): Promise<boolean> {
  const { client } = place;
  const { text, file, options } = readPlace(place);
  if (text === null) return false;
  const rest = await withoutServer(text, client);
  if (rest === undefined) throw unchangeable(place, 'remove from');
  if (rest === text) return false;
  const entry = (await serverIn(text, client)) ?? {};
  const backup = `${file}.bak`;
  const hasBackup = lstatSync(backup, { throwIfNoEntry: false })?.isFile() === true;
  const original = hasBackup ? readRegularText(backup, { maxBytes: MAX_BYTES, followLink: false }) : '';
  const isOurs = (await withServer(original, client, entry)) === text;
  if (isOurs && !hasBackup) unlinkSync(file);
  else writeAtomically(file, isOurs ? original : rest, options);
  if (isOurs && hasBackup) unlinkSync(backup);
  return true;
}

/** A configuration file as it is: null as text where there is none. A link in the user's folders is followed, as the agent does. */
function readPlace({ file: named, project }: Place): {
  readonly text: string | null;
  readonly file: string;
  readonly options: { readonly mode: number | undefined; readonly within: string | undefined };
} {
  if (project !== undefined) refuseLinks(named, project);
  const mode = statSync(named, { throwIfNoEntry: false })?.mode;
  const file = project === undefined && mode !== undefined ? realpathSync(named) : named;
  const text = mode === undefined ? null : readRegularText(file, { maxBytes: MAX_BYTES });
  return { text, file, options: { mode: mode === undefined ? undefined : mode & 0o777, within: project } };
}

function unchangeable({ name, file, client }: Place, what: string): Error {
  return invalidInput(`${file} is not ${client.format.toUpperCase()} with members that kebab can ${what}`, {
    field: 'CLIENT',
    value: file,
    hint:
      what === 'add to'
        ? `add the entry by hand: \`kebab mcp install --client ${name}\` shows it`
        : `remove the entry ${client.member}.kebab by hand`,
  });
}

function keepFirst(backup: string, text: string, options: { readonly mode: number | undefined }): void {
  try {
    writeAtomically(backup, text, { ...options, replace: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
