import type { WireObjects } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

type PluginExplain = WireObjects['plugin_explain'];

/** The extractor and chunker of a file with why, and the others with why not. */
export function renderPluginExplain(explained: PluginExplain, { colors }: Screen): string {
  const { path, media, code_lang, extractor, chunker, reason, others } = explained;
  const medium = code_lang === null ? media : `${media} ${code_lang}`;
  return `${[
    `${printable(path)}  ${colors.dim(printable(medium))}`,
    `  extractor  ${extractor === null ? 'none' : named(extractor)}`,
    ...(extractor === null ? [] : [`  chunker    ${chunker === null ? 'missing' : named(chunker)}`]),
    `  because    ${printable(reason)}`,
    ...others.map((other) => `  not        ${named(other)}: ${printable(other.reason)}`),
  ].join('\n')}\n`;
}

function named({ id, plugin, version }: NonNullable<PluginExplain['extractor']>): string {
  return printable(`${id} (${plugin} ${version})`);
}
