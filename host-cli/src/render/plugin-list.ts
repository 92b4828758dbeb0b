import type { PluginList } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { padWidth, textWidth } from './text-width.ts';

/** The version of a plugin whose manifest could not be read. */
const UNKNOWN = '0.0.0';

type ListedPlugin = PluginList['plugins'][number];

/** Plugins in order of preference, a line each, with what they touch and why one does not run below it. */
export function renderPluginList({ plugins }: PluginList, screen: Screen): string {
  if (plugins.length === 0) return 'no plugins\n';
  const names = plugins.map(({ name, version }) => printable(version === UNKNOWN ? name : `${name} ${version}`));
  const width = Math.max(...names.map(textWidth));
  return plugins.map((plugin, index) => renderPlugin(plugin, padWidth(names[index] ?? '', width), screen)).join('');
}

function renderPlugin(plugin: ListedPlugin, name: string, { colors }: Screen): string {
  const { state, origin, kinds, permissions, reason } = plugin;
  const mark = state === 'active' ? colors.green('✓') : state === 'disabled' ? colors.dim('-') : colors.red('✗');
  const touches = [`fs ${permissions.fs}`, ...named('net', permissions.net), ...named('spawn', permissions.spawn)];
  const known = kinds.length === 0 ? [] : [kinds.join(', '), touches.join(', ')]; // of some no more than the name is
  const columns = [name, origin.padEnd(7), state.padEnd(12), ...known];
  const line = `${mark} ${printable(columns.join('  ').trimEnd())}\n`;
  return reason === null ? line : `${line}  ${colors.dim(`reason: ${printable(reason)}`)}\n`;
}

function named(label: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [`${label} ${values.join(' ')}`];
}
