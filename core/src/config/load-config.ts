import { closeSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import * as cosmiconfig from 'cosmiconfig/dist/Explorer.js';
import { isKebabError } from '../errors/kebab-error.ts';
import { openRegularFile } from '../files/read-regular-file.ts';
import { syntaxError, unreadableConfig } from './invalid-config.ts';
import { isTable } from '../schema/value.ts';

/** The names of a project file; in one folder the first one wins. */
export const PROJECT_FILE_NAMES = ['kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml'] as const;

/** The folder with the knowledge base of a project, in the project's top folder. */
export const PROJECT_FOLDER = '.kebab';

/** The configuration file of the knowledge base in a `.kebab/`. */
export function projectConfigFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'config.toml');
}

/** The file that identifies the knowledge base in a `.kebab/`. */
export function projectIdFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'id');
}

/** The files of which at least one is in every `.kebab/` of kebab; another program may use a folder of the same name. */
export function knowledgeBaseFiles(kebabFolder: string): readonly string[] {
  return [projectIdFile(kebabFolder), projectConfigFile(kebabFolder)];
}

/** Whether a file name is one of those that can come with a folder: `kebab.toml` and its variants, or `.kebab/config.toml`. */
export function isProjectFile(file: string): boolean {
  const folder = path.dirname(file);
  if ((PROJECT_FILE_NAMES as readonly string[]).includes(path.basename(file))) return true;
  return path.basename(folder) === PROJECT_FOLDER && file === projectConfigFile(folder);
}

/** A folder and all folders above it. */
export function foldersFrom(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** Whether a path is known to lead to a regular file. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // e.g. an unreadable folder or a link loop
  }
}

/** A configuration file as parsed, not yet validated. */
export interface LoadedFile {
  readonly table: unknown;
  /** The text that was parsed, over which a hash of the file must be computed. */
  readonly text: string;
}

/** A folder that is a project because of a settings file or a knowledge base of its own. */
export interface FoundProject {
  /** Absolute. */
  readonly folder: string;
  /** The project file, and the ones in the same folder that it shadows. */
  readonly file: { readonly path: string; readonly shadowed: readonly string[] } | null;
  /** Its `.kebab/`, which may have come with a checkout. */
  readonly kebabFolder: string | null;
}

/** Finds the nearest project at or above a folder, by file names only; undefined when there is none. */
export async function findProject(folder: string): Promise<FoundProject | undefined> {
  const found = await finder.search(folder);
  if (found === null) return undefined;
  const within = path.dirname(found.filepath);
  const isOwnFile = (PROJECT_FILE_NAMES as readonly string[]).includes(path.basename(found.filepath));
  const project = isOwnFile ? within : path.dirname(within);
  const [first, ...shadowed] = PROJECT_FILE_NAMES.map((name) => path.join(project, name)).filter(isFile);
  const kebabFolder = path.join(project, PROJECT_FOLDER);
  return {
    folder: project,
    file: first === undefined ? null : { path: first, shadowed },
    kebabFolder: knowledgeBaseFiles(kebabFolder).some(isFile) ? kebabFolder : null,
  };
}

/**
 * Reads and parses a configuration file by its extension: .toml, .json, .yaml, .yml; a given text replaces the content of the file. Parsers
 * are loaded on demand. Throws `config_invalid`, for a syntax error with line and column.
 */
export async function loadConfigFile(file: string, text?: string): Promise<LoadedFile> {
  const parse = PARSERS[path.extname(file).toLowerCase()];
  if (parse === undefined)
    throw unreadableConfig(file, 'the name of a configuration file ends in .toml, .json, .yaml or .yml');
  if (text !== undefined) return parse(file, text);
  refuseUnreadable(file);
  const loaded = await loader.load(file);
  return loaded?.config ?? { table: {}, text: '' };
}

type Parser = (file: string, text: string) => Promise<LoadedFile>;

const PARSERS: Readonly<Record<string, Parser>> = {
  '.toml': parserOf(parseToml),
  '.json': parserOf((text) => JSON.parse(text)),
  '.yaml': parserOf(parseYaml),
  '.yml': parserOf(parseYaml),
};

function parserOf(parse: (text: string) => unknown): Parser {
  return async (file, text) => {
    const content = text.replace(/^\uFEFF/, '');
    if (content.trim() === '') return { table: {}, text };
    let table: unknown;
    try {
      table = (await parse(content)) ?? {};
    } catch (error) {
      throw syntaxError(file, content, error);
    }
    if (valuesIn(table, 0) > MAX_VALUES) throw unreadableConfig(file, 'is too large or too deep for a configuration');
    return { table, text };
  };
}

/**
 * Blanks comment lines while preserving positions: the parser is slow on comments, and the file that `init` writes has nothing else.
 * Lines inside a multi-line string are text and are kept.
 */
async function parseToml(text: string): Promise<unknown> {
  const settings = /"""|'''/.test(text) ? text : text.replace(/^[ \t]*#[^\n]*/gm, '');
  return settings.trim() === '' ? {} : (await import('smol-toml')).parse(settings);
}

/** Parses YAML 1.2 into plain values. Throws for a tag of another kind of value; null for a text of comments. */
export async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  return document.toJS({ maxAliasCount: -1 }); // shared, not copied
}

/** More values than any real configuration, and far fewer than nested aliases can expand a small file to. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 32;

/** Counts values, including repetitions through aliases, and stops at the limits. */
function valuesIn(value: unknown, depth: number): number {
  if (!isTable(value) && !Array.isArray(value)) return 1;
  if (depth > MAX_DEPTH) return MAX_VALUES + 1;
  let count = 1;
  for (const member of Object.values(value)) {
    count += valuesIn(member, depth + 1);
    if (count > MAX_VALUES) break;
  }
  return count;
}

/** Far larger than any real configuration. */
const MAX_BYTES = 1_048_576;

/** Refuses, without reading it, a file that is not regular, is too large, or cannot be opened. */
function refuseUnreadable(file: string): void {
  try {
    closeSync(openRegularFile(file, { maxBytes: MAX_BYTES }));
  } catch (error) {
    if (isKebabError(error, 'io_error')) throw unreadableConfig(file, error.details.cause);
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const isDenied = code === 'EACCES' || code === 'EPERM';
    const hint = isDenied ? `chmod u+r ${file}, or name another file with --config` : undefined;
    throw unreadableConfig(file, `cannot be read (${code})`, { hint });
  }
}

function isReadable(file: string): boolean {
  try {
    refuseUnreadable(file);
    return true;
  } catch {
    return false;
  }
}

/** A file that cosmiconfig has found, with what the loader of its extension made of it; undefined for an empty file. */
interface Found<T> {
  readonly filepath: string;
  readonly config?: T | undefined;
}

interface Folder {
  readonly path: string;
  readonly isGlobalConfig: boolean;
}

interface Loaders<T> {
  readonly [extension: string]: (file: string, text: string) => T | Promise<T>;
}

/**
 * The class behind `cosmiconfig()`. That function itself first looks for a configuration of cosmiconfig in the working directory and runs
 * it if it is a script (`.config/config.js`): in a folder of unknown origin that must not happen.
 */
const { Explorer } = cosmiconfig as unknown as {
  readonly Explorer: new <T>(options: Readonly<Record<string, unknown>> & { readonly loaders: Loaders<T> }) => {
    search(folder: string): Promise<Found<T> | null>;
    load(file: string): Promise<Found<T> | null>;
    getGlobalDirs(folder: string): AsyncGenerator<Folder>;
    getSearchPlacesForDir(folder: Folder): readonly string[];
  };
};

/** Looks in a folder and all above it, and nowhere else. */
class ConfigExplorer<T> extends Explorer<T> {
  constructor(loaders: Loaders<T>) {
    super({
      moduleName: 'kebab',
      searchPlaces: [],
      searchStrategy: 'global',
      ignoreEmptySearchPlaces: false,
      cache: false,
      transform: (found: Found<T> | null) => found,
      loaders,
    });
  }

  override async *getGlobalDirs(folder: string): AsyncGenerator<Folder> {
    for (const one of foldersFrom(path.resolve(folder)).filter(existsSync)) yield { path: one, isGlobalConfig: false };
  }

  /** Left to itself, cosmiconfig would wait for a pipe, read a file of any size, and pass over one that it may not read. */
  override getSearchPlacesForDir({ path: folder }: Folder): readonly string[] {
    const file = PROJECT_FILE_NAMES.map((name) => path.join(folder, name)).find(isFile);
    if (file === undefined)
      return knowledgeBaseFiles(path.join(folder, PROJECT_FOLDER)).filter((one) => isFile(one) && isReadable(one));
    refuseUnreadable(file);
    return [file];
  }
}

/** Finding a project runs no parser: what came with a checkout may have to be left alone. */
const finder = new ConfigExplorer({ default: () => true });

const loader = new ConfigExplorer(PARSERS);
