import path from 'node:path';
import { ruleGlobProblem } from '../domain/read-rule.ts';
import { repositoriesFolder } from '../git/repository-source.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import { defaultOf, type Field } from '../schema/field.ts';
import { CORE_KEYS } from './keys.ts';
import { expandPath, isWrittenPath, type PathScope } from './expand-path.ts';
import type { KeyTable } from './key-table.ts';
import { invalidConfig, type Origin } from './invalid-config.ts';
import type { ResolvedConfig, ResolvedRule, ResolvedSource } from './resolved-config.ts';

const DATA_DIR = 'storage.data_dir';
const ROOT = 'workspace.root';

/** A validated `[[workspace.sources]]` table: null for omitted fields. */
interface WrittenSource extends Pick<ResolvedSource, 'id' | 'root' | 'connector'> {
  /** Empty for none. */
  readonly git: string;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
  readonly trust_level: ResolvedSource['trustLevel'];
  readonly source_type: ResolvedSource['sourceType'];
}

/** The context for resolving a value. */
interface FileContext {
  /** Makes a path of this key absolute. */
  readonly place: (text: string) => string;
  /** Rejects a member of a source or rule. */
  readonly reject: (index: number, member: string, cause: string) => Error;
  readonly dataDir: string;
  /** The lists of a source that has none of its own. */
  readonly workspace: Pick<ResolvedSource, 'include' | 'exclude'>;
}

/**
 * Builds the configuration from merged settings: absolute paths, camelCase names. Throws `config_invalid` for a path that cannot be
 * expanded.
 */
export function buildConfig(
  { keys }: KeyTable,
  settings: Settings,
  variables: Pick<PathScope, 'env' | 'homeDir'>,
): ResolvedConfig {
  const place = (name: string, dataDir: string | null, text: string): string => {
    const { base, origin } = settingOf(settings, name);
    const expanded = expandPath(text, { ...variables, base, dataDir });
    if (expanded.kind === 'problem') throw invalidConfig({ origin, key: name }, expanded.cause);
    return expanded.path;
  };
  const workspace = {
    include: settingOf(settings, 'workspace.include').value as readonly string[],
    exclude: settingOf(settings, 'workspace.exclude').value as readonly string[],
  };
  const dataDir = place(DATA_DIR, null, settingOf(settings, DATA_DIR).value as string);
  const config: Record<string, unknown> = {};
  for (const { name, key, steps } of keys) {
    const context: FileContext = {
      place: (text) => place(name, dataDir, text),
      reject: (index, member, cause) =>
        invalidConfig({ origin: settingOf(settings, name).origin, key: `${name}[${index}].${member}` }, cause),
      dataDir,
      workspace,
    };
    const value = name === DATA_DIR ? dataDir : resolveValue(key, settingOf(settings, name).value, context);
    put(config, steps, value);
  }
  const root = settingOf(settings, ROOT);
  // A configuration that spells out the default, as `init` once wrote it, does not count as set.
  const isDefault = root.origin.origin === 'default' || root.value === defaultOf(CORE_KEYS.workspace.members.root);
  put(config, ['workspace', 'isRootSet'], !isDefault);
  return config as unknown as ResolvedConfig;
}

function put(config: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  let table = config;
  for (const step of steps.slice(0, -1)) table = (table[step] ??= {}) as Record<string, unknown>;
  table[steps.at(-1) ?? ''] = value;
}

function resolveValue(key: Field, value: unknown, context: FileContext): unknown {
  const { place } = context;
  switch (key.kind) {
    case 'path':
      return place(value as string);
    case 'paths':
      return (value as readonly string[]).map(place);
    case 'tables':
      if (key.of === 'rules')
        return (value as readonly ResolvedRule[]).map((rule, index) => checkedRule(rule, index, context));
      return key.of === 'sources'
        ? (value as readonly WrittenSource[]).map((source, index) => resolveSource(source, index, context))
        : (value as readonly PluginEntry[]).map((entry) => ({ ...entry, name: placed(entry.name, place) }));
    default:
      return value;
  }
}

const READER = /^(?:everyone|(?:user|group|token):\S.*)$/u;

/** A name without its kind would match nobody, and hide everything that the rule concerns. */
function checkedRule(rule: ResolvedRule, index: number, { reject }: FileContext): ResolvedRule {
  const glob = ruleGlobProblem(rule.path);
  if (glob !== undefined) throw reject(index, 'path', `${JSON.stringify(rule.path)} is no such glob: ${glob}`);
  const unknown = rule.readers.find((reader) => !READER.test(reader));
  if (unknown === undefined) return rule;
  throw reject(index, 'readers', `has ${JSON.stringify(unknown)}: write user:NAME, group:NAME, token:NAME or everyone`);
}

function resolveSource(written: WrittenSource, index: number, context: FileContext): ResolvedSource {
  const { id, connector, git } = written;
  const { workspace } = context;
  return {
    id,
    root: rootOf(written, index, context),
    ...(git === '' ? {} : { git }),
    connector,
    include: written.include ?? workspace.include,
    exclude: written.exclude ?? workspace.exclude,
    trustLevel: written.trust_level,
    sourceType: written.source_type,
  };
}

/** A clone is in a folder of kebab, which no configuration chooses: it is replaced and removed. */
function rootOf(
  { id, root, git, connector }: WrittenSource,
  index: number,
  { place, reject, dataDir }: FileContext,
): string {
  if (git === '' && root === '') throw reject(index, 'root', 'is missing');
  if (git === '') return connector === 'fs' ? place(root) : placed(root, place);
  if (root !== '') throw reject(index, 'root', 'does not go with git: the clone is in a folder of kebab');
  if (connector !== 'fs') throw reject(index, 'connector', 'must be fs, since git is set');
  if (id.startsWith('.')) throw reject(index, 'id', 'must not begin with a dot, since it names the folder of a clone');
  return path.join(repositoriesFolder(dataDir), id);
}

/** Leaves package names and URLs unchanged. */
function placed(text: string, place: (text: string) => string): string {
  return isWrittenPath(text) ? place(text) : text;
}

/** A validated value, and the base of relative paths in it. */
export interface Setting {
  readonly value: unknown;
  readonly origin: Origin;
  /** Absolute folder. */
  readonly base: string;
}

/** Validated values by dotted name: one layer of the configuration, or all of them merged. */
export type Settings = ReadonlyMap<string, Setting>;

/** Merges layers, lowest precedence first, over the defaults; the result has every key. */
export function mergeSettings({ keys }: Pick<KeyTable, 'keys'>, layers: readonly Settings[], base: string): Settings {
  const merged = new Map<string, Setting>();
  for (const { name, key } of keys) merged.set(name, { value: defaultOf(key), origin: { origin: 'default' }, base });
  for (const layer of layers) for (const [name, setting] of layer) merged.set(name, setting);
  return merged;
}

/** The setting of a key in merged settings, which contain every key. */
export function settingOf(settings: Settings, name: string): Setting {
  const setting = settings.get(name);
  if (setting === undefined) throw new TypeError(`there is no key ${name}`);
  return setting;
}
