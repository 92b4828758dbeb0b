import type { ConfigEntry, ConfigPaths, ConfigRequest, ConfigView } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import { renderFields, type Screen } from '../screen/screen.ts';
import { homePath } from '../screen/shown-values.ts';
import { padWidth, textWidth } from '../screen/text-width.ts';

/** `kebab config show`: every setting and where it comes from. */
export async function configShow(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  await context.show(await app.configView(), renderView);
  return EXIT.ok;
}

/** `kebab config get`: one setting, in a form for scripts. */
export function configGet(context: CommandContext): Promise<ExitCode> {
  return answer(context, { kind: 'get', key: context.values.arg('KEY') }, ({ value }) => `${plain(value)}\n`);
}

/** `kebab config set`: changes one setting in the file in effect. */
export function configSet(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  return answer(context, { kind: 'set', key: values.arg('KEY'), values: values.args('VALUE') }, renderChange);
}

/** `kebab config unset`: removes one setting from the file in effect. */
export function configUnset(context: CommandContext): Promise<ExitCode> {
  return answer(context, { kind: 'unset', key: context.values.arg('KEY') }, renderChange);
}

async function answer(
  context: CommandContext,
  request: ConfigRequest,
  render: (entry: ConfigEntry, screen: Screen) => string,
): Promise<ExitCode> {
  // The setting that makes the configuration invalid may be the one to change.
  const app = await context.openApp({ despiteConfig: request.kind !== 'get', makesConfig: request.kind !== 'get' });
  await context.show(await app.config(request), render);
  return EXIT.ok;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? printable(value) : value === null ? '' : JSON.stringify(value);
}

/** The new value in the file, and what else affects the setting. */
function renderChange(entry: ConfigEntry, { colors, homeDir }: Screen): string {
  const { key, value, written, changed, file, overridden_by: winner, needs_trust: needsTrust, problem } = entry;
  const place = printable(homePath(file, homeDir));
  const shown = (what: unknown): string => printable(homePath(JSON.stringify(what), homeDir));
  const inEffect = value === null ? 'nothing' : shown(value);
  const name = printable(key);
  const unset = changed === true ? 'is no longer set' : 'was not set';
  const said = written === undefined ? `${name} ${unset} in ${place}` : `${colors.bold(name)} = ${shown(written)}`;
  const where = written === undefined ? '' : `  ${colors.dim(`(${place}${changed === true ? '' : ', as before'})`)}`;
  const lines = [`${said}${where}`];
  if (winner !== null) lines.push(`${printable(homePath(winner, homeDir))} takes precedence: ${inEffect} is in effect`);
  else if (needsTrust) lines.push(`it takes effect once the file is trusted: kebab trust ${place}`);
  else if (written === undefined && problem === undefined)
    lines.push(`${inEffect} is in effect${originOf(entry, homeDir)}`);
  if (problem !== undefined)
    lines.push(`the configuration cannot be used yet: ${printable(homePath(problem, homeDir))}`);
  return `${lines.join('\n')}\n`;
}

function originOf({ origin, path }: ConfigEntry, homeDir: string): string {
  return origin === 'default'
    ? ', the default'
    : `, from ${path === undefined ? 'the environment' : printable(homePath(path, homeDir))}`;
}

/** `kebab config path`: which files and folders are in use. */
export async function configPath(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp({ despiteConfig: true });
  await context.show(await app.configPaths(), renderPaths);
  return EXIT.ok;
}

/** Every setting in one line: key, value as TOML, and its origin unless that is the default. */
function renderView({ entries }: ConfigView, { colors, homeDir }: Screen): string {
  const width = Math.max(0, ...entries.map(({ key }) => textWidth(key)));
  return entries
    .map(({ key, value, origin, path }) => {
      const text = homePath(value === undefined ? '-' : JSON.stringify(value), homeDir);
      const source = path === undefined ? origin : `${origin} ${homePath(path, homeDir)}`;
      const line = `${padWidth(key, width)}  ${origin === 'default' ? text : colors.bold(text)}`;
      return `${line}${origin === 'default' ? '' : `  ${colors.dim(`(${source})`)}`}\n`;
    })
    .join('');
}

function renderPaths(paths: ConfigPaths, { homeDir }: Screen): string {
  const shown = (path: string): string => homePath(path, homeDir);
  const files = paths.config_files.map(({ path, exists, trusted }) => {
    const state = exists ? (trusted ? '' : '  (not trusted; see `kebab trust`)') : '  (does not exist)';
    return `  ${shown(path)}${state}\n`;
  });
  const folders = renderFields([
    ...(paths.project === undefined ? [] : [['project', shown(paths.project)] as const]),
    ['data', shown(paths.data_dir)],
    ['cache', shown(paths.cache_dir)],
    ['state', shown(paths.state_dir)],
    ['workspace', shown(paths.workspace_root)],
  ]);
  return `configuration\n${files.join('')}folders\n${folders}`;
}
