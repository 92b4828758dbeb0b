import { printable, type PluginExplain, type PluginList } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Screen } from '../screen/screen.ts';
import { alignColumns } from '../screen/text-width.ts';
import { showChecks } from './status.ts';

/** `kebab plugin list`: plugins, and why any of them does not run. */
export async function pluginList(context: CommandContext): Promise<void> {
  context.hidePluginNotices();
  const app = await context.openApp();
  context.show(await app.pluginList(), renderList);
}

/** `kebab plugin explain`: which extractor and chunker handle a file, and why. */
export async function pluginExplain(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const explained = await app.pluginExplain(context.values.arg('FILE'));
  context.show(explained, renderExplained);
  return explained.extractor === null ? EXIT.nothing : EXIT.ok;
}

/** `kebab plugin doctor`: checks each plugin without running the suites. */
export async function pluginDoctor(context: CommandContext): Promise<ExitCode> {
  context.hidePluginNotices();
  const app = await context.openApp();
  return showChecks(await app.pluginDoctor({ signal: context.signal }), context);
}

/** The version of a plugin whose manifest could not be read. */
const UNKNOWN = '0.0.0';

type ListedPlugin = PluginList['plugins'][number];

/** Plugins in order of preference, one per line, with their permissions and, below it, why one does not run. */
function renderList({ plugins }: PluginList, screen: Screen): string {
  if (plugins.length === 0) return 'no plugins\n';
  const standings = plugins.map(standingOf);
  const hasStanding = standings.some((standing) => standing !== '');
  const rows = plugins.map(({ name, version }, at) => [
    version === UNKNOWN ? name : `${name} ${version}`,
    ...(hasStanding ? [standings[at] ?? ''] : []),
  ]);
  const columns = alignColumns(rows);
  return plugins.map((plugin, at) => renderPlugin(plugin, columns[at] ?? [], screen)).join('');
}

/** The origin and state of a plugin, each left out if it is the usual one: built in, active. */
function standingOf({ origin, state }: ListedPlugin): string {
  return [...(origin === 'builtin' ? [] : [origin]), ...(state === 'active' ? [] : [state])].join(', ');
}

function renderPlugin(plugin: ListedPlugin, first: readonly string[], { colors }: Screen): string {
  const { state, kinds, permissions, reason } = plugin;
  const mark = state === 'active' ? colors.green('✓') : state === 'disabled' ? colors.dim('-') : colors.red('✗');
  const touches = [`fs ${permissions.fs}`, ...named('net', permissions.net), ...named('spawn', permissions.spawn)];
  const known = kinds.length === 0 ? [] : [kinds.join(', '), touches.join(', ')]; // of some only the name is known
  const columns = [...first, ...known];
  const line = `${mark} ${printable(columns.join('  ').trimEnd())}\n`;
  return reason === null ? line : `${line}  ${colors.dim(`reason: ${printable(reason)}`)}\n`;
}

function named(label: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [`${label} ${values.join(' ')}`];
}

/** The extractor and chunker of a file with the reasons, and the rejected ones with theirs. */
function renderExplained(explained: PluginExplain, { colors }: Screen): string {
  const { path, media, code_lang, extractor, chunker, reason, others } = explained;
  const medium = code_lang === null ? media : `${media} ${code_lang}`;
  return `${[
    `${printable(path)}  ${colors.dim(printable(medium))}`,
    `  extractor  ${extractor === null ? 'none' : contributionText(extractor)}`,
    ...(extractor === null ? [] : [`  chunker    ${chunker === null ? 'missing' : contributionText(chunker)}`]),
    `  because    ${printable(reason)}`,
    ...others.map((other) => `  not        ${contributionText(other)}: ${printable(other.reason)}`),
  ].join('\n')}\n`;
}

function contributionText({ id, plugin, version }: NonNullable<PluginExplain['extractor']>): string {
  return printable(`${id} (${plugin} ${version})`);
}
