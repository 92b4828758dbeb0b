import type { ConfigView } from '@kebab/core/app';
import { homePath } from './home-path.ts';
import type { Screen } from './screen.ts';
import { padWidth, textWidth } from './text-width.ts';

/** Every setting as one line: key, value as TOML would have it, and where it comes from unless that is the default. */
export function renderConfigView({ entries }: ConfigView, { colors, homeDir }: Screen): string {
  const width = Math.max(0, ...entries.map(({ key }) => textWidth(key)));
  return entries
    .map(({ key, value, origin, path }) => {
      const text = homePath(valueText(value), homeDir);
      const source = path === undefined ? origin : `${origin} ${homePath(path, homeDir)}`;
      const line = `${padWidth(key, width)}  ${origin === 'default' ? text : colors.bold(text)}`;
      return `${line}${origin === 'default' ? '' : `  ${colors.dim(`(${source})`)}`}\n`;
    })
    .join('');
}

function valueText(value: unknown): string {
  return value === undefined ? '-' : JSON.stringify(value);
}
