import {
  invalidInput,
  printable,
  type PluginChange,
  type PluginInstallOptions,
  type PluginOffer,
  type PluginSearch,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { confirm } from '../command/confirm.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { drawnProgress } from '../progress/drawn-line.ts';
import { homePath, bytesText } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { alignColumns } from '../screen/text-width.ts';
import { enforcement, permissionLines } from './trust.ts';

const VERB_COLUMNS = 11;

/** `kebab plugin install`: shows the permissions that a plugin declares, asks, and installs it. */
export async function pluginInstall(context: CommandContext): Promise<void> {
  for (const name of context.values.args('NAME')) await install(context, { verb: 'install', name });
}

/** `kebab plugin update`: the same for an installed plugin. */
export function pluginUpdate(context: CommandContext): Promise<void> {
  return install(context, { verb: 'update', name: context.values.arg('NAME') });
}

async function install(
  context: CommandContext,
  { verb, name }: { readonly verb: 'install' | 'update'; readonly name: string },
): Promise<void> {
  const { signal, values } = context;
  context.hidePluginNotices();
  const app = await context.openApp({ makesConfig: true });
  const drawn = drawnProgress(context);
  const options: PluginInstallOptions = {
    signal,
    allowScripts: values.has('allow-scripts'),
    consent: (offer) => {
      drawn.erase();
      return isAgreed(offer, `plugin ${verb} ${name}`, context);
    },
    onProgress: (bytes) => drawn.draw(() => `${verb} ${printable(name)}  ${bytesText(bytes)}`),
  };
  const work = verb === 'install' ? app.pluginInstall(name, options) : app.pluginUpdate(name, options);
  const change = await work.finally(() => drawn.erase());
  context.show(change, renderChange);
}

/** Shows a plugin and its declarations, and asks; refuses without a terminal unless `--yes` is given. */
async function isAgreed(offer: PluginOffer, command: string, context: CommandContext): Promise<boolean> {
  if (!context.json && !context.quiet) {
    const screen = context.screen(context.io.stderr);
    context.io.stderr.print(renderOffer(offer, screen));
  }
  return confirm(command, async () => `Install ${printable(offer.name)}?`, context);
}

/** The declarations of a plugin; a `+` marks those that the installed version does not have. */
function renderOffer(offer: PluginOffer, screen: Screen): string {
  const { name, version, kinds, permissions, previous, agreed, scripts } = offer;
  const change = previous === null ? version : `${previous} → ${version}`;
  const before = agreed === null ? null : permissionLines(agreed);
  const scriptLines = scripts.length === 0 ? [] : [`scripts   ${scripts.join(', ')} (not run without --allow-scripts)`];
  const touched = permissionLines(permissions).map((text) => `${before?.includes(text) === false ? '+' : ' '} ${text}`);
  const lines = [`${name} ${change}  (${kinds.join(', ')})`, ...touched, ...scriptLines.map((text) => `  ${text}`)];
  return `${[...lines.map(printable), ...enforcement(screen)].join('\n')}\n`;
}

/** `kebab plugin remove`: asks, and removes a plugin. */
export async function pluginRemove(context: CommandContext): Promise<void> {
  const name = context.values.arg('NAME');
  context.hidePluginNotices();
  const app = await context.openApp({ despiteConfig: true });
  const consent = (): Promise<boolean> =>
    confirm(`plugin remove ${name}`, async () => `Remove ${printable(name)}?`, context);
  const change = await app.pluginRemove(name, { consent });
  if (change.action === 'declined') context.note('nothing was removed');
  else context.show(change, renderChange);
}

/** `kebab plugin search`: plugins in the registry, one per line. */
export async function pluginSearch(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const words = values.arg('WORDS');
  if (words.length > 200) throw invalidInput('plugin search takes a few words', { field: 'WORDS' });
  const app = await context.openApp({ despiteConfig: true });
  const offers = await app.pluginSearch(words, { signal });
  context.show(offers, renderFound);
  return offers.plugins.length === 0 ? EXIT.nothing : EXIT.ok;
}

function renderFound({ plugins }: PluginSearch, { colors }: Screen): string {
  if (plugins.length === 0) return 'no plugins found\n';
  const names = alignColumns(plugins.map(({ name, version }) => [`${name} ${version}`]));
  const lines = plugins.map(({ description }, at) =>
    `${names[at]?.[0]}  ${colors.dim(printable(description))}`.trimEnd(),
  );
  return `${[...lines, 'install one with `kebab plugin install NAME`'].join('\n')}\n`;
}

/** What was done, where the plugin is, which configuration file names it, and what remains to do. */
function renderChange(change: PluginChange, { homeDir }: Screen): string {
  const { action, kind, name, version, previous, folder, bytes, config_file: file, scripts, hint } = change;
  const before = action === 'updated' && previous !== version ? `  (was ${previous ?? 'another'})` : '';
  const size = bytes === 0 ? '' : `  ${bytesText(bytes)}`;
  return [
    line(
      action,
      `${name}${version === null ? '' : ` ${version}`}${before}${kind === 'part' ? '  (part of kebab)' : ''}`,
    ),
    ...(folder === null ? [] : [line('in', `${homePath(folder, homeDir)}${size}`)]),
    ...(file === null ? [] : [line('changed', homePath(file, homeDir))]),
    ...(scripts.length === 0 ? [] : [line('not run', `install scripts of ${scripts.join(', ')}`)]),
    ...(hint === null ? [] : [line('hint', hint)]),
  ].join('');
}

function line(verb: string, text: string): string {
  return `${verb.padEnd(VERB_COLUMNS)}${printable(text)}\n`;
}
