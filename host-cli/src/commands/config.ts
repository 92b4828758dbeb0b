import { printable, type ConfigEntry, type ConfigPaths, type ConfigView } from '@kebab/core/app';
import { reporting } from '../command/reporting.ts';
import { renderFields, type Screen } from '../screen/screen.ts';
import { homePath } from '../screen/shown-values.ts';
import { alignColumns } from '../screen/text-width.ts';

/** The setting that makes the configuration invalid may be the one to change. */
const CHANGES = { despiteConfig: true, makesConfig: true };

/** `kebab config show`: every setting and where it comes from. */
export const configShow = reporting((app) => app.configView(), renderView);

/** `kebab config get`: one setting, in a form for scripts. */
export const configGet = reporting(
  (app, { values }) => app.config({ kind: 'get', key: values.arg('KEY') }),
  ({ value }) => `${plain(value)}\n`,
);

/** `kebab config set`: changes one setting in the file in effect. */
export const configSet = reporting(
  (app, { values }) => app.config({ kind: 'set', key: values.arg('KEY'), values: values.args('VALUE') }),
  renderChange,
  CHANGES,
);

/** `kebab config unset`: removes one setting from the file in effect. */
export const configUnset = reporting(
  (app, { values }) => app.config({ kind: 'unset', key: values.arg('KEY') }),
  renderChange,
  CHANGES,
);

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
export const configPath = reporting((app) => app.configPaths(), renderPaths, { despiteConfig: true });

/** Every setting in one line: key, value as TOML, and its origin unless that is the default. */
function renderView({ entries }: ConfigView, { colors, homeDir }: Screen): string {
  const keys = alignColumns(entries.map(({ key }) => [key]));
  return entries
    .map(({ value, origin, path }, at) => {
      const text = homePath(value === undefined ? '-' : JSON.stringify(value), homeDir);
      const source = path === undefined ? origin : `${origin} ${homePath(path, homeDir)}`;
      const line = `${keys[at]?.[0]}  ${origin === 'default' ? text : colors.bold(text)}`;
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
