import path from 'node:path';
import { unreadableConfig } from '../invalid-config.ts';
import { syntaxError } from '../syntax-error.ts';
import { edited, type ConfigEdit } from './config-edit.ts';

/** A configuration file and the text in it. */
interface FileText {
  readonly path: string;
  readonly text: string;
}

/**
 * Changes one thing in the text of a configuration file, TOML, JSON or YAML by its name, and leaves comments and order as they are.
 * `asFloat` writes a whole number as TOML writes other numbers. Throws `config_invalid` for a text that is not what its name says,
 * and for one that has no place for the change.
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
      const { editYaml } = await import('./edit-yaml.ts');
      return changed(file, () => editYaml(file.text, edit));
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

/** Indented as it was found. */
function editJson(text: string, edit: ConfigEdit): string {
  const table: unknown = text.trim() === '' ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes('\n') || text.trim() === '' ? '  ' : undefined);
  const ending = text.endsWith('\n') || text.trim() === '' ? '\n' : '';
  return `${JSON.stringify(edited(table, edit), null, indent)}${ending}`;
}
