import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsePluginName, TEMPLATES, type TemplateKind } from './templates.ts';

/** Where the files that projects begin with may lie: beside the bundle of a command line, else in this package. */
const FOLDERS = ['./templates/', '../templates/'].map((folder) => new URL(folder, import.meta.url));

/** Files that must not have their own names among the templates: npm would read them. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'package.template.json': 'package.json' };

/** The table of settings of a kind, which goes into the README of the project. */
const SETTINGS = 'settings.md';

/** The plugin to begin. */
export interface GenerateRequest {
  /** As typed: `epub`, `kebab-plugin-epub`, `@acme/kebab-plugin-epub`. */
  readonly name: string;
  readonly kind: TemplateKind;
  /** The absolute folder in which the folder of the project is made. */
  readonly parent: string;
}

/** A project that was written. */
export interface GeneratedPlugin {
  readonly packageName: string;
  readonly kind: TemplateKind;
  /** The absolute folder of the project. */
  readonly folder: string;
  /** Paths of the files, relative to the parent, sorted. */
  readonly created: readonly string[];
}

/**
 * Writes a project with a small contribution that works, its contract suite, a README and a CI file. Throws a `NameError` for
 * a name that cannot be one, and a plain error when the folder holds something already; nothing is overwritten.
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

/** Texts of files by their paths in the project, with marks like `{{name}}` to be filled in. */
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

/** An object in a JSON file, indented as the line it stands on. */
function withPermissions(text: string, permissions: object): string {
  return text.replace(/^( *)(.*)"\{\{permissions\}\}"/m, (_match, indent: string, before: string) => {
    const json = JSON.stringify(permissions, null, 2).replaceAll('\n', `\n${indent}`);
    return `${indent}${before}${json}`;
  });
}
