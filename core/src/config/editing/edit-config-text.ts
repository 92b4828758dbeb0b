import path from 'node:path';
import { existsSync, realpathSync, statSync } from 'node:fs';
import type * as Yaml from 'yaml';
import { unreadableConfig, syntaxError } from '../invalid-config.ts';
import { edited, type ConfigEdit } from './config-edit.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { isProjectFile, loadConfigFile } from '../load-config.ts';
import { bondOf, isUnchanged, type PathVariables } from '../project-trust.ts';
import { pluginsIn } from '../read-config-files.ts';
import { readTrusted, type TrustedFile, trustStoreIn, withTrusted, writeTrusted } from '../trust-store.ts';

/** A configuration file and its text. */
interface FileText {
  readonly path: string;
  readonly text: string;
}

/**
 * Applies one change to the text of a configuration file, TOML, JSON or YAML by its extension, and keeps comments and order. `asFloat`
 * writes a whole number as a TOML float. Throws `config_invalid` for a text that is not in the format of its extension, and for one that
 * has no place for the change.
 */
export async function editConfigText(file: FileText, edit: ConfigEdit, asFloat = false): Promise<string> {
  switch (path.extname(file.path).toLowerCase()) {
    case '.toml': {
      const { editToml } = await import('./edit-toml.ts');
      return changed(file, () => editToml(file.text, edit, asFloat));
    }
    case '.json':
      return changed(file, () => editJson(file.text, edit));
    case '.yaml':
    case '.yml': {
      const yaml = await import('yaml');
      return changed(file, () => editYaml(yaml, file.text, edit));
    }
    default:
      throw unreadableConfig(file.path, 'the name of a configuration file ends in .toml, .json, .yaml or .yml');
  }
}

function changed(file: FileText, change: () => string | undefined): string {
  let text: string | undefined;
  try {
    text = change();
  } catch (error) {
    throw syntaxError(file.path, file.text, error);
  }
  if (text === undefined)
    throw unreadableConfig(file.path, 'is written in a way that kebab cannot edit; change it by hand');
  return text;
}

/** Keeps the existing indentation. */
function editJson(text: string, edit: ConfigEdit): string {
  const table: unknown = text.trim() === '' ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes('\n') || text.trim() === '' ? '  ' : undefined);
  const ending = text.endsWith('\n') || text.trim() === '' ? '\n' : '';
  return `${JSON.stringify(edited(table, edit), null, indent)}${ending}`;
}

/** Keeps comments. Throws the parser's error for invalid YAML. */
function editYaml({ isCollection, parseDocument }: typeof Yaml, text: string, edit: ConfigEdit): string {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw problem;
  const { path: steps } = edit;
  const value = steps.reduce<unknown>(
    (table, step) => (table as Readonly<Record<string, unknown>> | undefined)?.[step],
    edited(document.toJS(), edit),
  );
  if (edit.kind === 'append' && isCollection(document.getIn(steps)))
    document.addIn(steps, document.createNode(edit.table));
  else if (edit.kind === 'remove' && value !== undefined) document.deleteIn([...steps, edit.index]);
  else if (value === undefined) document.deleteIn(steps);
  else document.setIn(steps, typeof value === 'object' ? document.createNode(value) : value);
  return document.toString({ lineWidth: 0 });
}

/** The list of trusted files, and the context for expanding paths. */
export interface TrustContext extends PathVariables {
  readonly stateDir: string;
}

/**
 * Writes a configuration file atomically; a link to it remains a link. A project file that is new, or was trusted before the change, is
 * trusted afterwards; one that was edited since it was trusted stays untrusted. `isSecret` makes the file readable only by its owner.
 */
export async function writeConfigFile(
  file: string,
  { text, isSecret }: { readonly text: string; readonly isSecret: boolean },
  trust: TrustContext,
): Promise<void> {
  const isPresent = existsSync(file);
  const keepsTrust = isProjectFile(file) && (!isPresent || (await isTrusted(file, trust)));
  const target = isPresent && !isProjectFile(file) ? realpathSync(file) : file;
  writeAtomically(target, text, {
    mode: isPresent ? statSync(target).mode & (isSecret ? 0o700 : 0o777) : isSecret ? 0o600 : undefined,
    within: isProjectFile(file) ? path.dirname(file) : undefined,
  });
  if (keepsTrust) await trustNow(file, trust);
}

async function isTrusted(file: string, { stateDir, env, homeDir }: TrustContext): Promise<boolean> {
  const real = realpathSync(file);
  const entry = readTrusted(trustStoreIn(stateDir)).find((trusted) => trusted.path === real);
  return entry !== undefined && isUnchanged(entry, await bond(file, { env, homeDir }));
}

async function trustNow(file: string, { stateDir, env, homeDir }: TrustContext): Promise<void> {
  const store = trustStoreIn(stateDir);
  writeTrusted(store, withTrusted(readTrusted(store), await bond(file, { env, homeDir })));
}

async function bond(file: string, variables: PathVariables): Promise<TrustedFile> {
  const loaded = await loadConfigFile(file);
  return bondOf({ path: file, text: loaded.text, plugins: pluginsIn(file, loaded) }, variables);
}
