import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsePluginName, TEMPLATES, type TemplateKind } from './templates.ts';

/** Where the template files may be: next to the bundle of the command line, else in this package. */
const FOLDERS = ['./templates/', '../templates/'].map((folder) => new URL(folder, import.meta.url));

/** Template files stored under another name, because npm would act on the real one. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'package.template.json': 'package.json' };

/** The settings table of a kind, which is inserted into the README of the project. */
const SETTINGS = 'settings.md';

/** The plugin to generate. */
export interface GenerateRequest {
  /** As typed: `epub`, `kebab-plugin-epub`, `@acme/kebab-plugin-epub`. */
  readonly name: string;
  readonly kind: TemplateKind;
  /** The absolute folder in which the project folder is created. */
  readonly parent: string;
}

/** A generated project. */
export interface GeneratedPlugin {
  readonly packageName: string;
  readonly kind: TemplateKind;
  /** The absolute project folder. */
  readonly folder: string;
  /** Paths of the files, relative to the parent, sorted. */
  readonly created: readonly string[];
}

/**
 * Writes a project with a small working contribution, its contract suite, a README and a CI file. Throws a `NameError` for an invalid name,
 * and a plain error when the folder is not empty; nothing is overwritten.
 */
export function generatePlugin({ name, kind, parent }: GenerateRequest): GeneratedPlugin {
  const { packageName, folder: folderName, id } = parsePluginName(name);
  const folder = path.join(parent, folderName);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is there already, and not empty`);
  const { summary, use, file, permissions } = TEMPLATES[kind];
  const { [SETTINGS]: settings = '', ...files } = { ...filesIn('common'), ...filesIn(kind) };
  const plain = { name: packageName, id, kind, file };
  const values = {
    ...plain,
    summary: fill(summary, plain),
    use: fill(use, plain),
    settings: settings.trimEnd(),
  };
  const created = Object.entries(files).map(([template, text]) => {
    const target = RENAMED[template] ?? template;
    const full = path.join(folder, target);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, fill(withPermissions(text, permissions), values), { flag: 'wx' });
    return path.posix.join(folderName, target);
  });
  return { packageName, kind, folder, created: created.toSorted() };
}

/** File texts by their paths in the project, with placeholders such as `{{name}}`. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const templates = FOLDERS.find((each) => existsSync(each));
  if (templates === undefined) throw new Error(`the templates are missing: no folder ${FOLDERS.join(' and no ')}`);
  const root = fileURLToPath(new URL(`${folder}/`, templates));
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return Object.fromEntries(
    files.map((file) => [path.relative(root, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
  );
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{([a-z]+)\}\}/g, (mark, name: string) => values[name] ?? mark);
}

/** Inserts an object into a JSON file, indented like its line. */
function withPermissions(text: string, permissions: object): string {
  return text.replace(/^( *)(.*)"\{\{permissions\}\}"/m, (_match, indent: string, before: string) => {
    const json = JSON.stringify(permissions, null, 2).replaceAll('\n', `\n${indent}`);
    return `${indent}${before}${json}`;
  });
}
