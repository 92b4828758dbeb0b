import type { PluginList } from '@kebab/core/app';

/** What a plugin declares that it touches, as on the wire. */
export type Permissions = PluginList['plugins'][number]['permissions'];

const FILES: Readonly<Record<string, string>> = {
  none: 'none but what it is given',
  'input-only': 'reads those it is to take in',
  'data-dir': 'reads and writes kebab’s data folder',
};

/** What a plugin says it touches, in words, a line each. */
export function permissionLines({ fs, net, spawn }: Permissions): readonly string[] {
  return [
    `files     ${FILES[fs] ?? fs}`,
    `network   ${net.length === 0 ? 'none' : net.join(', ')}`,
    `programs  ${spawn.length === 0 ? 'none' : spawn.join(', ')}`,
  ];
}

/** How far kebab keeps plugins to what they declare, and on which Node. */
export const ENFORCEMENT = [
  'Plugins run with your rights, and are held to what they declare in part.',
  'On every Node: context.fetch reaches declared hosts only, and extractors run in threads without your environment variables.',
  'On Node 22 and later: extractors write no files and start no programs without declaring it. Node 20 cannot keep them from it.',
  'Not on any Node: reading files, connections that are not made by fetch, and all that plugins of other kinds do.',
  'Enable plugins of people you trust.',
] as const;
