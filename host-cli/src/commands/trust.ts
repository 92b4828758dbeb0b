import {
  invalidInput,
  printable,
  type App,
  type PluginList,
  type TrustReport,
  type TrustRequest,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { reporting } from '../command/reporting.ts';
import { homePath } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { wrapWords } from '../screen/text-width.ts';

/** `kebab trust`: trusts a project file in its current form, stops trusting it, or lists the trusted ones. */
export const trust = reporting(async (app, context) => app.trust(await requestOf(context, app)), renderTrust);

async function requestOf(context: CommandContext, app: App): Promise<TrustRequest> {
  const { values } = context;
  const typed = values.arg('PATH');
  if (values.has('list')) {
    if (typed === '' && !values.has('revoke')) return { kind: 'list' };
    throw invalidInput('trust --list takes neither a PATH nor --revoke', { field: '--list' });
  }
  // Read-only mode refuses any file.
  const isSought = typed === '' && !context.readonly;
  const file = isSought ? await nearestProjectFile(app) : context.absolute(typed);
  return { kind: values.has('revoke') ? 'revoke' : 'add', path: file };
}

/** The project file in use, preferring one that is not trusted. */
async function nearestProjectFile(app: App): Promise<string> {
  const { config_files } = await app.configPaths();
  const projects = config_files.filter(
    (file) => file.exists && /\/(?:kebab\.\w+|\.kebab\/config\.toml)$/.test(file.path),
  );
  const project = projects.find(({ trusted }) => !trusted) ?? projects.at(-1);
  if (project !== undefined) return project.path;
  throw invalidInput('there is no project file here or above; name the file to trust', {
    field: 'PATH',
    hint: 'kebab trust PATH, where PATH is a kebab.toml, kebab.json, kebab.yaml or kebab.yml',
  });
}

type TrustedFile = TrustReport['entries'][number];
type Setting = NonNullable<TrustedFile['asks']>[number];
type EnabledPlugin = NonNullable<TrustedFile['plugins']>[number];

const STATE_COLUMNS = 9;
const SHOWN_DIGITS = 12;
const TEXT_COLUMNS = 100;

/**
 * Project files, one per line: whether its current content is trusted, and the beginning of its hash. Below it the settings that need
 * trust, and the plugins that it enables with their permissions; at the end how far permissions are enforced.
 */
function renderTrust({ entries }: TrustReport, screen: Screen): string {
  if (entries.length === 0) return 'no trusted files\n';
  const lines = entries.flatMap((entry) => [
    renderFile(entry, screen),
    ...(entry.asks ?? []).map(renderSetting),
    ...(entry.plugins ?? []).flatMap(renderPlugin),
  ]);
  const note = entries.some(({ plugins = [] }) => plugins.length > 0) ? ['', ...enforcement(screen)] : [];
  return [...lines, ...note].map((line) => `${line}\n`).join('');
}

function renderFile({ path: file, hash, trusted }: TrustedFile, { colors, homeDir }: Screen): string {
  const state = (trusted ? 'trusted' : 'untrusted').padEnd(STATE_COLUMNS);
  const shown = `${homePath(file, homeDir)}  ${colors.dim(hash.slice(0, SHOWN_DIGITS))}`;
  return `${(trusted ? colors.green : colors.yellow)(state)}  ${shown}`;
}

/** Plugins are listed below the settings, each with its permissions. */
function renderSetting({ key, value, remote }: Setting): string {
  const ending = remote ? '  (leads away from this machine)' : '';
  return printable(`  sets ${key} = ${JSON.stringify(value)}${ending}`);
}

function renderPlugin({ name, version, kinds, permissions, reason }: EnabledPlugin): readonly string[] {
  const title = [
    name,
    ...(version === null ? [] : [version]),
    ...(kinds.length === 0 ? [] : [`(${kinds.join(', ')})`]),
  ];
  const touches =
    permissions === null ? [`touches   unknown: ${reason ?? 'it declares nothing'}`] : permissionLines(permissions);
  return [`  enables ${printable(title.join(' '))}`, ...touches.map((line) => `    ${printable(line)}`)];
}

/** How far the permissions of plugins are enforced, as lines that fit. */
export function enforcement({ columns }: Screen): readonly string[] {
  return ENFORCEMENT.flatMap((sentence) => wrapWords(sentence, Math.min(columns ?? TEXT_COLUMNS, TEXT_COLUMNS)));
}

type Permissions = PluginList['plugins'][number]['permissions'];

const FILES: Readonly<Record<string, string>> = {
  none: 'only what it is given',
  'input-only': 'reads any file',
  'data-dir': 'reads and writes a folder of its own in kebab’s data folder',
};

/** The permissions of a plugin in words, one line each. */
export function permissionLines({ fs, net, spawn }: Permissions): readonly string[] {
  return [
    `files     ${FILES[fs] ?? fs}`,
    `network   ${net.length === 0 ? 'none' : net.join(', ')}`,
    `programs  ${spawn.length === 0 ? 'none' : spawn.join(', ')}`,
  ];
}

/** How far the permissions of plugins are enforced, and on which Node. */
const ENFORCEMENT = [
  'A plugin runs with your rights, in a process of its own that partly enforces what it declares.',
  'It gets only environment variables such as PATH and HOME, reads and writes files and starts programs only as declared, and its fetch reaches only declared hosts.',
  'A plugin that replaces kebab’s own store runs in kebab’s process without any restriction.',
  'It can read its code and that of packages beside it. Nothing prevents it from connecting other than by fetch, or from doing anything in native code.',
  'Enable plugins of people you trust.',
] as const;
