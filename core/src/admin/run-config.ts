import { existsSync } from 'node:fs';
import path from 'node:path';
import { annotatedConfig, shown } from '../config/annotated-config.ts';
import type { ConfigEdit } from '../config/editing/config-edit.ts';
import { editConfigText, writeConfigFile } from '../config/editing/edit-config-text.ts';
import { isWrittenPath } from '../config/expand-path.ts';
import { describeOrigin, invalidConfig, type Location } from '../config/invalid-config.ts';
import type { FlatKey, KeyTable } from '../config/key-table.ts';
import { loadConfigFile } from '../config/load-config.ts';
import type { PathVariables } from '../config/project-trust.ts';
import { MASK, maskSecrets } from '../schema/mask-secrets.ts';
import type { ReplacedFile } from '../config/read-config-files.ts';
import { readText } from '../config/read-environment.ts';
import { readValue } from '../config/read-value.ts';
import { isTable } from '../schema/value.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { oneAtATime } from '../files/one-at-a-time.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ConfigEntry } from '../wire/index.ts';

/** A request to read or change one key. Values are in the format of environment variables; several values are the items of a list. */
export type ConfigRequest =
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'set'; readonly key: string; readonly values: readonly string[] }
  | { readonly kind: 'unset'; readonly key: string };

/** The dependencies of a configuration change. */
export interface ConfigTools extends PathVariables {
  /** Absolute. */
  readonly cwd: string;
  readonly resolution: ConfigResolution;
  /** Resolves the configuration again, as if a file contained another text; with `whole` even when a project was excluded. */
  readonly resolveAgain: (how: {
    readonly replaced?: ReplacedFile;
    readonly whole?: boolean;
  }) => Promise<ConfigResolution>;
}

/**
 * Shows one setting, or changes it in the file in effect: that of the project, else the user's, or the named one. Comments and order of the
 * file are kept; a missing file is created. Throws `invalid_input` for an unknown key, and `config_invalid`, without writing anything, for
 * an invalid value or file.
 */
export async function runConfig(tools: ConfigTools, request: ConfigRequest): Promise<ConfigEntry> {
  const flat = keyNamed(request.key, tools.resolution.keys);
  const file = targetFile(tools.resolution);
  if (request.kind === 'get') return entryOf(flat, { file, resolution: tools.resolution });
  const asFloat = flat.key.kind === 'number';
  const change = { ...tools, asFloat, isSecret: isSecret(flat) };
  const changed = await changeFile(file, editOf(request, flat, tools), change).catch((error: unknown) => {
    throw refusedChange(error, { kind: request.kind, key: flat.name });
  });
  return { ...(await entryOf(flat, { file, ...(await settled(tools)) })), changed };
}

/** A conflict with another value is blamed on the typed value, not on the file, which was not changed. */
function refusedChange(error: unknown, { kind, key }: Pick<ConfigRequest, 'kind' | 'key'>): unknown {
  const isOfKey = isKebabError(error, 'config_invalid') && error.details.key !== null;
  if (!isOfKey) return error;
  return invalidConfig({ origin: { origin: 'flag', flag: `config ${kind}` }, key }, error.details.cause);
}

/** The file that commands write: the project's, else the user's or the named one. */
export function targetFile({ project, userFile }: Pick<ConfigResolution, 'project' | 'userFile'>): string {
  return project?.configFile ?? userFile;
}

/** The context of a change to a file. */
interface FileChange extends ConfigTools {
  readonly asFloat?: boolean;
  readonly isSecret?: boolean;
}

/**
 * Applies one change to a configuration file, unless the file already contains it. A change that would make the configuration invalid is
 * rejected, unless the configuration is already invalid: then it can be repaired step by step. Concurrent changes by two processes are both
 * applied.
 */
export function changeFile(file: string, edit: ConfigEdit, tools: FileChange): Promise<boolean> {
  return oneAtATime(`${file}.lock`, () => changeAlone(file, edit, tools));
}

async function changeAlone(file: string, edit: ConfigEdit, tools: FileChange): Promise<boolean> {
  const { resolution, resolveAgain, asFloat = false, isSecret: secret = false } = tools;
  const isPresent = existsSync(file);
  const before = isPresent ? (await loadConfigFile(file)).text : newFile(file, resolution.keys);
  const text = await editConfigText({ path: file, text: before }, edit, asFloat);
  if (text === before) return false;
  try {
    await resolveAgain({ replaced: { path: file, text } });
  } catch (error) {
    if (resolution.failure === undefined || !isKebabError(error, 'config_invalid')) throw error;
  }
  if (isPresent && (await loadConfigFile(file)).text !== before) return changeAlone(file, edit, tools); // an editor saved the file
  await writeConfigFile(file, { text, isSecret: secret }, { ...tools, stateDir: resolution.folders.state });
  return true;
}

function newFile(file: string, keys: KeyTable): string {
  return path.extname(file).toLowerCase() === '.toml' ? annotatedConfig(keys) : '';
}

function keyNamed(name: string, keys: KeyTable): FlatKey {
  const flat = keys.keys.find((key) => key.name === name);
  if (flat !== undefined) return flat;
  const names = keys.keys.map((key) => key.name);
  const inside = names.filter((other) => other.startsWith(`${name}.`));
  if (inside.length > 0)
    throw invalidInput(`${name} is a table; name one of its keys: ${inside.join(', ')}`, {
      field: 'KEY',
      value: name,
      allowed: inside,
    });
  const suggestion = names.find((other) => other.endsWith(`.${name}`)) ?? nearestName(name, names);
  throw invalidInput(`there is no key ${name}`, {
    field: 'KEY',
    value: name,
    suggestion,
    hint: 'see every key with `kebab config show`',
  });
}

function editOf(
  request: ConfigRequest & { readonly kind: 'set' | 'unset' },
  flat: FlatKey,
  tools: ConfigTools,
): ConfigEdit {
  const at = flat.name.split('.');
  return request.kind === 'unset'
    ? { kind: 'unset', path: at }
    : { kind: 'set', path: at, value: valueOf(request.values, flat, tools) };
}

/** Validates typed values; keys that the file does not set remain unset. */
function valueOf(typed: readonly string[], { name, key }: FlatKey, { cwd, homeDir }: ConfigTools): unknown {
  const at: Location = { origin: { origin: 'flag', flag: 'config set' }, key: name };
  const isJson = key.kind === 'tables' && /^[[{]/.test(typed[0] ?? '');
  const isList = ['texts', 'paths', 'tables'].includes(key.kind) && !isJson;
  const raw = isList && typed.length > 1 ? typed : readText(key, typed.join(' '), at);
  readValue(key, raw, at);
  if (key.kind === 'path') return placed(String(raw), { cwd, homeDir });
  if (key.kind === 'paths') return (raw as readonly string[]).map((item) => placed(item, { cwd, homeDir }));
  return raw;
}

/** A typed path is relative to the working directory; in the file it must be absolute. */
function placed(text: string, { cwd, homeDir }: { readonly cwd: string; readonly homeDir: string }): string {
  const isRelative = !isWrittenPath(text) || /^\.{1,2}(?:\/|$)/.test(text);
  return isRelative ? tildePath(path.resolve(cwd, text), homeDir) : text;
}

/** An absolute path as users and configuration files write it: with `~` for the home folder. */
export function tildePath(place: string, homeDir: string): string {
  if (place === homeDir) return '~';
  return place.startsWith(`${homeDir}${path.sep}`) ? `~${place.slice(homeDir.length)}` : place;
}

/** The configuration after a change, and why it is invalid, if it is. */
async function settled({ resolution, resolveAgain }: ConfigTools): Promise<Omit<EntryPlace, 'file'>> {
  try {
    return { resolution: await resolveAgain({ whole: true }) };
  } catch (error) {
    if (!isKebabError(error, 'config_invalid')) throw error;
    return { resolution, problem: error.message };
  }
}

interface EntryPlace {
  readonly file: string;
  readonly resolution: ConfigResolution;
  readonly problem?: string;
}

async function entryOf(flat: FlatKey, { file, resolution, problem }: EntryPlace): Promise<ConfigEntry> {
  const origin = resolution.origins.get(flat.name);
  const written = existsSync(file) ? writtenIn((await loadConfigFile(file)).table, flat.name) : undefined;
  const needsTrust = resolution.files.some(({ path: read, ignored }) => read === file && ignored.includes(flat.name));
  const isOwn = origin?.origin === 'file' && origin.path === file;
  const isOverridden = written !== undefined && !isOwn && !needsTrust && problem === undefined;
  return {
    schema_version: 'config_entry.v1',
    key: flat.name,
    value: shown(flat, resolution.config) ?? null,
    origin: origin?.origin ?? 'default',
    ...(origin?.origin === 'file' ? { path: origin.path } : {}),
    file,
    ...(written === undefined ? {} : { written: isSecret(flat) && written !== '' ? MASK : maskSecrets(written) }),
    overridden_by: isOverridden && origin !== undefined ? describeOrigin(origin) : null,
    needs_trust: needsTrust,
    ...(problem === undefined ? {} : { problem }),
  };
}

function isSecret({ key }: FlatKey): boolean {
  return key.kind === 'text' && key.secret === true;
}

function writtenIn(table: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, step) => (isTable(value) ? value[step] : undefined), table);
}
