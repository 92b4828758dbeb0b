import { existsSync, mkdirSync, renameSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { annotatedConfig } from '../config/annotated-config.ts';
import { type TrustContext, writeConfigFile } from '../config/editing/edit-config-text.ts';
import { isFile, PROJECT_FOLDER, projectConfigFile, projectIdFile } from '../config/load-config.ts';
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
import { writeAtomically } from '../files/write-atomically.ts';
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
    if ((await gitWorkTreeAt(here)).kind === 'none') continue;
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
  const folders = [config.storage.dataDir, path.dirname(config.storage.sqlite), ...workspaceRoot(resolution)];
  const present = new Set([configFile, ...folders].filter((entry) => existsSync(entry)));
  const steps = planInit({ configFile, folders, present, force: force && !isUnedited(configFile, keys) });
  for (const step of steps) perform(step, keys);
  const store = await openStore();
  return {
    schema_version: 'init_report.v1',
    created: steps.flatMap((step) => (step.kind === 'keep' ? [] : [shown(step)])),
    kept: steps.flatMap((step) => (step.kind === 'keep' ? [shown(step)] : backupOf(step))),
    opened: store.path,
    db_schema_version: store.schemaVersion,
    hint: `edit ${tildePath(configFile, homeDir)} then \`kebab ingest\``,
  };
}

/** The folder of the source `default`, which is created if it was configured or is the only source. */
function workspaceRoot({ config, origins }: Pick<ConfigResolution, 'config' | 'origins'>): readonly string[] {
  const isNamed = (origins.get('workspace.root')?.origin ?? 'default') !== 'default';
  return isNamed || config.workspace.sources.length === 0 ? [config.workspace.root] : [];
}

function perform(step: InitStep, keys: KeyTable): void {
  switch (step.kind) {
    case 'write_config':
      return writeConfig(step.path, step.backup, keys);
    case 'make_folder':
      makeFolder(step.path);
      return;
    case 'keep':
      return;
    default:
      step satisfies never;
  }
}

function writeConfig(file: string, backup: string | null, keys: KeyTable): void {
  if (path.extname(file) !== '.toml')
    throw invalidInput(`init writes TOML, but the name of ${file} does not end in .toml`, {
      field: 'config',
      value: file,
    });
  if (backup !== null) renameSync(file, backup);
  writeAtomically(file, annotatedConfig(keys));
}

/** Whether a file is exactly what `init` writes: rewriting it would only overwrite the backup of an older text. */
function isUnedited(file: string, keys: KeyTable): boolean {
  const text = annotatedConfig(keys);
  try {
    return readRegularText(file, { maxBytes: 4 * text.length }) === text;
  } catch {
    return false;
  }
}

function shown(step: InitStep): string {
  const isFolder = step.kind === 'make_folder' || (step.kind === 'keep' && step.isFolder);
  return isFolder && !step.path.endsWith('/') ? `${step.path}/` : step.path;
}

function backupOf(step: InitStep): readonly string[] {
  return step.kind === 'write_config' && step.backup !== null ? [step.backup] : [];
}

/** The state before an `init`. All paths are absolute. */
interface InitScene {
  readonly configFile: string;
  /** Folders that kebab needs, in report order. */
  readonly folders: readonly string[];
  /** Those of the paths that already exist. */
  readonly present: ReadonlySet<string>;
  /** Whether an existing configuration is rewritten. */
  readonly force: boolean;
}

/** One step of an `init`. */
type InitStep =
  | { readonly kind: 'write_config'; readonly path: string; readonly backup: string | null }
  | { readonly kind: 'make_folder'; readonly path: string }
  | { readonly kind: 'keep'; readonly path: string; readonly isFolder: boolean };

/** Decides what an `init` creates: what is missing, and with `force` the configuration, whose old text is backed up. */
export function planInit({ configFile, folders, present, force }: InitScene): readonly InitStep[] {
  const hasConfig = present.has(configFile);
  const config: InitStep =
    hasConfig && !force
      ? { kind: 'keep', path: configFile, isFolder: false }
      : { kind: 'write_config', path: configFile, backup: hasConfig ? `${configFile}.bak` : null };
  const rest = [...new Set(folders)].map((folder): InitStep =>
    present.has(folder) ? { kind: 'keep', path: folder, isFolder: true } : { kind: 'make_folder', path: folder },
  );
  return [config, ...rest];
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
  ...world
}: ProjectRequest): Promise<MadeProject> {
  const kebabFolder = path.join(realpathSync(folder), PROJECT_FOLDER);
  const listFile = projectListIn(world.stateDir);
  const listed = readProjects(listFile);
  const created: string[] = [];
  const kept: string[] = [];
  const standing = standingOf(kebabFolder, listed);
  if (standing.kind === 'foreign') kept.push(setAside(kebabFolder));
  if (standing.kind === 'foreign' || standing.kind === 'missing') {
    mkdirSync(kebabFolder, { mode: 0o755 });
    created.push(`${kebabFolder}/`);
  } else kept.push(`${kebabFolder}/`);
  if (standing.kind === 'moved') moveTrust(standing.from, kebabFolder, world);
  if (standing.kind !== 'ours')
    rememberDatabase(
      world.stateDir,
      kebabFolder,
      standing.kind === 'moved' ? databaseOfProject(world.stateDir, standing.from) : null,
    );
  if (standing.kind === 'moved') rememberDatabase(world.stateDir, standing.from, null);
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
    if (isFile(config) && (!force || isUnedited(config, keys))) {
      kept.push(config);
      return;
    }
    if (isFile(config)) {
      renameSync(config, `${config}.bak`);
      kept.push(`${config}.bak`);
    }
    await writeConfigFile(config, { text: annotatedConfig(keys), isSecret: false }, world);
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
