import type { ConfigPaths, ConfigView } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { renderFields } from '../screen/fields.ts';
import { homePath } from '../screen/home-path.ts';
import type { Screen } from '../screen/screen.ts';
import { padWidth, textWidth } from '../screen/text-width.ts';

/** `kebab config show`: every setting and where it comes from. */
export async function configShow(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  await context.show(await app.configView(), renderView);
  return EXIT.ok;
}

/** `kebab config path`: which files and folders are in use. */
export async function configPath(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp({ despiteConfig: true });
  await context.show(await app.configPaths(), renderPaths);
  return EXIT.ok;
}

/** Every setting as one line: key, value as TOML would have it, and its origin unless that is the default. */
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
    ['data', shown(paths.data_dir)],
    ['cache', shown(paths.cache_dir)],
    ['state', shown(paths.state_dir)],
    ['workspace', shown(paths.workspace_root)],
  ]);
  return `configuration\n${files.join('')}folders\n${folders}`;
}
