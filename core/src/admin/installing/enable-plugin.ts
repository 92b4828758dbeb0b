import { existsSync } from 'node:fs';
import { loadConfigFile } from '../../config/load-config-file.ts';
import { isTable } from '../../config/read-value.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { changeFile, type ConfigTools } from '../run-config.ts';

const KEY = ['plugins'] as const;

/** How a plugin stands in the configuration after it was enabled. */
interface Enabled {
  /** The file that was changed; null when it named the plugin before. */
  readonly file: string | null;
  /** Why it does not run yet, and what to do; null when it does. */
  readonly hint: string | null;
}

/**
 * Names a plugin in the user's own configuration, unless it is there already: a project cannot enable plugins for its user. One
 * that is switched off there stays so.
 */
export async function enablePlugin(name: string, tools: ConfigTools): Promise<Enabled> {
  const file = tools.resolution.userFile;
  const list = await writtenIn(file);
  const at = list.findIndex((entry) => nameOf(entry) === name);
  if (at === -1) {
    const edit = list.some((entry) => typeof entry !== 'string')
      ? ({ kind: 'append', path: KEY, table: { name } } as const)
      : ({ kind: 'set', path: KEY, value: [...list, name] } as const);
    await changeFile(file, edit, tools);
  }
  const changed = at === -1 ? file : null;
  const entry = list[at];
  if (isTable(entry) && entry['enabled'] === false)
    return { file: changed, hint: `it is switched off in ${file}: set enabled = true there` };
  return { file: changed, hint: await whyNotInEffect(name, tools) };
}

/** Takes a plugin out of the user's own configuration, and returns the file that was changed; null when it did not name it. */
export async function disablePlugin(name: string, tools: ConfigTools): Promise<string | null> {
  const file = tools.resolution.userFile;
  const list = await writtenIn(file);
  const index = list.findIndex((entry) => nameOf(entry) === name);
  if (index === -1) return null;
  const rest = list.filter((_, at) => at !== index);
  const isPlain = list.every((entry) => typeof entry === 'string');
  const edit = !isPlain
    ? ({ kind: 'remove', path: KEY, index } as const)
    : rest.length === 0
      ? ({ kind: 'unset', path: KEY } as const)
      : ({ kind: 'set', path: KEY, value: rest } as const);
  return (await changeFile(file, edit, tools)) ? file : null;
}

async function writtenIn(file: string): Promise<readonly unknown[]> {
  if (!existsSync(file)) return [];
  const { table } = await loadConfigFile(file);
  const list: unknown = isTable(table) ? table['plugins'] : undefined;
  return Array.isArray(list) ? list : [];
}

function nameOf(entry: unknown): unknown {
  return isTable(entry) ? entry['name'] : entry;
}

async function whyNotInEffect(name: string, { resolveAgain }: ConfigTools): Promise<string | null> {
  try {
    const { config, origins } = await resolveAgain({ whole: true });
    if (config.plugins.some((plugin) => plugin.name === name)) return null;
    const origin = origins.get('plugins');
    const winner = origin?.origin === 'file' ? origin.path : origin?.origin === 'env' ? origin.variable : null;
    return winner === null ? null : `plugins comes from ${winner}, which wins here: name ${name} there as well`;
  } catch (error) {
    if (isKebabError(error, 'config_invalid')) return error.message;
    throw error;
  }
}
