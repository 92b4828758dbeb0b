import { existsSync, mkdirSync, renameSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../files/write-atomically.ts';
import { annotatedConfig } from '../config/annotated-config.ts';
import { type TrustContext, writeConfigFile } from '../config/editing/edit-config-text.ts';
import { PROJECT_FOLDER, projectConfigFile, projectIdFile } from '../config/load-config.ts';
import type { KeyTable } from '../config/key-table.ts';
import {
  databaseOfProject,
  isListed,
  projectIdIn,
  type ProjectList,
  projectListIn,
  readProjects,
  rememberDatabase,
  writeProjects,
} from '../config/project-list.ts';
import { type Project, realFile } from '../config/read-config-files.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { readTrusted, trustStoreIn, withoutTrusted, withTrusted, writeTrusted } from '../config/trust-store.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { readRegularText } from '../files/read-regular-file.ts';
import { gitWorkTreeAt } from '../git/git-facts.ts';
import type { InitReport } from '../wire/index.ts';
import { tildePath } from './run-config.ts';

/** The inputs of an `init`. */
interface InitRequest {
  /** With `force`, resolved with `ignoreUserFile`: the folders of the configuration that is about to be written. */
  readonly resolution: Pick<ConfigResolution, 'config' | 'keys' | 'userFile' | 'origins'>;
  readonly force: boolean;
  /** Abbreviated to `~` in the hint. */
  readonly homeDir: string;
  /** Creates or migrates the database, and returns its path and schema version. */
  readonly openStore: () => Promise<{ readonly path: string; readonly schemaVersion: number }>;
}

/** The knowledge base that an `init` creates: the user's, or that of a project. */
export type InitPlace = { readonly kind: 'user' } | { readonly kind: 'project'; readonly folder: string };

/** The inputs for that decision. Paths are absolute. */
interface InitContext {
  readonly choice: InitPlace['kind'] | undefined;
  readonly cwd: string;
  readonly homeDir: string;
  /** The project that is already in use; null for none. */
  readonly project: Project | null;
}

/**
 * Decides where an `init` works: in the project that is in use, else at the top of the git work tree around the working directory, unless
 * that contains the home folder; else it creates the user's knowledge base. With an explicit request for a project, it is the working
 * directory.
 */
export async function initPlace({ choice, cwd, homeDir, project }: InitContext): Promise<InitPlace> {
  if (choice === 'user') return { kind: 'user' };
  if (choice === 'project') return { kind: 'project', folder: cwd };
  if (project !== null) return { kind: 'project', folder: project.folder };
  for (let here = cwd; here !== path.dirname(here); here = path.dirname(here)) {
    if (gitWorkTreeAt(here).kind === 'none') continue;
    const holdsHome = `${realFile(homeDir)}${path.sep}`.startsWith(`${realFile(here)}${path.sep}`);
    return holdsHome ? { kind: 'user' } : { kind: 'project', folder: here };
  }
  return { kind: 'user' };
}

/**
 * Creates the configuration file, the data directory, the workspace root and the database, and keeps existing ones. In the report a folder
 * ends in `/`. Throws `invalid_input` when the name of the file to write does not end in .toml.
 */
export async function runInit({ resolution, force, homeDir, openStore }: InitRequest): Promise<InitReport> {
  const { config, keys, userFile: configFile } = resolution;
  const created: string[] = [];
  const kept: string[] = [];
  const folders = [config.storage.dataDir, path.dirname(config.storage.sqlite), ...workspaceRoot(resolution)];
  const missing = new Set(folders.filter((folder) => !existsSync(folder)));
  writeConfig();
  for (const folder of new Set(folders)) {
    (missing.has(folder) ? created : kept).push(folder.endsWith('/') ? folder : `${folder}/`);
    if (missing.has(folder)) makeFolder(folder);
  }
  const store = await openStore();
  return {
    schema_version: 'init_report.v1',
    created,
    kept,
    opened: store.path,
    db_schema_version: store.schemaVersion,
    hint: `edit ${tildePath(configFile, homeDir)} then \`kebab ingest\``,
  };

  function writeConfig(): void {
    if (keepsConfig(configFile, force, keys)) return void kept.push(configFile);
    if (path.extname(configFile) !== '.toml')
      throw invalidInput(`init writes TOML, but the name of ${configFile} does not end in .toml`, {
        field: 'config',
        value: configFile,
      });
    kept.push(...backUp(configFile));
    writeAtomically(configFile, annotatedConfig(keys));
    created.push(configFile);
  }
}

/** The folder of the source `default`, which is created if it was configured or is the only source. */
function workspaceRoot({ config, origins }: Pick<ConfigResolution, 'config' | 'origins'>): readonly string[] {
  return origins.has('workspace.root') || config.workspace.sources.length === 0 ? [config.workspace.root] : [];
}

/**
 * Whether an existing configuration stays: without `force`, and where it is exactly what `init` writes, since rewriting that would only
 * overwrite the backup of an older text.
 */
function keepsConfig(file: string, force: boolean, keys: KeyTable): boolean {
  if (!existsSync(file)) return false;
  if (!force) return true;
  const text = annotatedConfig(keys);
  try {
    return readRegularText(file, { maxBytes: 4 * text.length }) === text;
  } catch {
    return false;
  }
}

/** Moves an existing file aside, and returns where it is now. */
function backUp(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  renameSync(file, `${file}.bak`);
  return [`${file}.bak`];
}

/** The project to create, and the context of its configuration. */
interface ProjectRequest extends TrustContext {
  /** The folder whose documents it contains; must exist. */
  readonly folder: string;
  /** Whether an existing configuration is rewritten. */
  readonly force: boolean;
  readonly keys: KeyTable;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** The files and folders that were created, and those that already existed. A folder ends in `/`. */
export interface MadeProject {
  readonly created: readonly string[];
  readonly kept: readonly string[];
}

const IGNORE_ALL = '# made by kebab: what is in this folder belongs to this machine\n*\n';

/**
 * Creates the `.kebab/` of a project with its configuration, excludes it from git, and lists it as created on this machine. One that was
 * moved with its project stays in use; one that came with a checkout or a copy is set aside. Throws `io_error` when that is not possible.
 */
export async function makeProject({
  folder,
  force,
  keys,
  randomBytes,
  ...trust
}: ProjectRequest): Promise<MadeProject> {
  const kebabFolder = path.join(realpathSync(folder), PROJECT_FOLDER);
  const listFile = projectListIn(trust.stateDir);
  const listed = readProjects(listFile);
  const created: string[] = [];
  const kept: string[] = [];
  const standing = standingOf(kebabFolder, listed);
  if (standing.kind === 'foreign') kept.push(setAside(kebabFolder));
  if (standing.kind === 'foreign' || standing.kind === 'missing') {
    mkdirSync(kebabFolder, { mode: 0o755 });
    created.push(`${kebabFolder}/`);
  } else kept.push(`${kebabFolder}/`);
  if (standing.kind === 'moved') moveTrust(standing.from, kebabFolder, trust);
  if (standing.kind !== 'ours')
    rememberDatabase(
      trust.stateDir,
      kebabFolder,
      standing.kind === 'moved' ? databaseOfProject(trust.stateDir, standing.from) : null,
    );
  if (standing.kind === 'moved') rememberDatabase(trust.stateDir, standing.from, null);
  await writeParts();
  return { created, kept };

  async function writeParts(): Promise<void> {
    const ignored = path.join(kebabFolder, '.gitignore');
    if (!existsSync(ignored)) writeAtomically(ignored, IGNORE_ALL, { within: kebabFolder });
    const id = projectIdIn(kebabFolder) ?? Buffer.from(randomBytes(16)).toString('hex');
    writeAtomically(projectIdFile(kebabFolder), `${id}\n`, { within: kebabFolder });
    const others = [...listed].filter(([place]) => standing.kind !== 'moved' || place !== standing.from);
    writeProjects(listFile, new Map([...others, [kebabFolder, id]]));
    const config = projectConfigFile(kebabFolder);
    if (keepsConfig(config, force, keys)) return void kept.push(config);
    kept.push(...backUp(config));
    await writeConfigFile(config, { text: annotatedConfig(keys), isSecret: false }, trust);
    created.push(config);
  }
}

/** The state of the path of a `.kebab/`. */
type Standing =
  | { readonly kind: 'missing' | 'ours' | 'foreign' }
  /** A project that was elsewhere before, and no longer is. */
  | { readonly kind: 'moved'; readonly from: string };

function standingOf(kebabFolder: string, listed: ProjectList): Standing {
  if (lstatSync(kebabFolder, { throwIfNoEntry: false }) === undefined) return { kind: 'missing' };
  if (isListed(listed, kebabFolder)) return { kind: 'ours' };
  const id = projectIdIn(kebabFolder);
  const from = [...listed].find(([place, known]) => known === id && projectIdIn(place) !== id)?.[0];
  return id === null || from === undefined || lstatSync(kebabFolder).isSymbolicLink()
    ? { kind: 'foreign' }
    : { kind: 'moved', from };
}

/** Nothing in it is read or removed: its database may be crafted to mislead. */
function setAside(kebabFolder: string): string {
  const aside = `${kebabFolder}.bak`;
  if (existsSync(aside))
    throw new KebabError(
      'io_error',
      `${kebabFolder} was not made here, and ${aside} is in the way of setting it aside`,
      {
        details: { kind: 'EEXIST', path: aside, cause: 'there is something of that name' },
        hint: `remove ${kebabFolder} or ${aside}, then run \`kebab init --project\` again`,
      },
    );
  renameSync(kebabFolder, aside);
  return `${aside}/`;
}

/** The configuration of a moved project keeps its trust: the hash still has to match. */
function moveTrust(from: string, to: string, { stateDir }: TrustContext): void {
  const store = trustStoreIn(stateDir);
  const trusted = readTrusted(store);
  const entry = trusted.find((file) => file.path === projectConfigFile(from));
  if (entry === undefined) return;
  writeTrusted(store, withTrusted(withoutTrusted(trusted, entry.path), { ...entry, path: projectConfigFile(to) }));
}
