import path from 'node:path';
import type { Origin } from './invalid-config.ts';
import type { FlatKey, KeyTable } from './key-table.ts';
import type { Project } from './read-config-files.ts';
import { defaultOf } from '../schema/field.ts';
import type { Setting, Settings } from './build-config.ts';

const DATA_DIR = 'storage.data_dir';
const MODEL_DIR = 'storage.model_dir';

/** The layers of the user and of the environment: they determine the model folder, even in a project. */
interface AroundProject {
  readonly user: Settings;
  readonly environment: Settings;
  /** The base of a relative path in a default. */
  readonly cwd: string;
}

/**
 * The layers below the project file: the user's file without sources and paths, then the project folder as the only source and `.kebab/` as
 * the location of everything but models, which all projects of a user share.
 */
export function projectSettings(
  { keys }: Pick<KeyTable, 'keys'>,
  { folder, kebabFolder, configFile }: Project,
  { user, environment, cwd }: AroundProject,
): readonly Settings[] {
  const origin: Origin = { origin: 'file', path: configFile };
  const implied = new Map<string, Setting>([
    ['workspace.root', { value: folder, origin, base: folder }],
    [DATA_DIR, { value: kebabFolder, origin, base: kebabFolder }],
    [MODEL_DIR, modelDir(keys, { user, environment, cwd })],
  ]);
  const kept = new Map([...user].filter(([name]) => !isPlace(name, keys)));
  return [kept, implied];
}

/** Whether a key determines where documents or data are stored. */
function isPlace(name: string, keys: readonly FlatKey[]): boolean {
  if (name === 'workspace.root' || name === 'workspace.sources') return true;
  return name.startsWith('storage.') && keys.find((flat) => flat.name === name)?.key.kind === 'path';
}

/** The user's model folder, with `{data_dir}` expanded because that differs in a project. */
function modelDir(keys: readonly FlatKey[], { user, environment, cwd }: AroundProject): Setting {
  const settingOf = (name: string, layers: readonly Settings[]): Setting => {
    const key = keys.find((flat) => flat.name === name)?.key;
    const byDefault: Setting = {
      value: key === undefined ? '' : defaultOf(key),
      origin: { origin: 'default' },
      base: cwd,
    };
    return layers.findLast((layer) => layer.has(name))?.get(name) ?? byDefault;
  };
  const written = settingOf(MODEL_DIR, [user]);
  const data = settingOf(DATA_DIR, [user, environment]);
  const text = String(written.value);
  if (!text.includes('{data_dir}')) return written;
  const place = /^[~$/]/.test(String(data.value)) ? String(data.value) : path.resolve(data.base, String(data.value));
  return { ...written, value: text.replaceAll('{data_dir}', () => place) };
}
