import path from 'node:path';
import { databaseFile } from '../config/resolved-config.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { projectIdFile } from '../config/load-config.ts';
import type { Project } from '../config/read-config-files.ts';
import { trustStoreIn } from '../config/trust-store.ts';
import { repositoriesFolder } from '../git/repository-source.ts';
import { externalRoot } from '../documents/source-roots.ts';
import { KEBAB_FILES, type KebabFiles } from './clear-folder.ts';

/** The scope of a reset. */
export type ResetScope = 'all' | 'data_only' | 'vector_only' | 'config_only' | 'orphans_only';

/** A folder from which to remove what kebab created. */
export interface FolderToClear extends KebabFiles {
  readonly path: string;
  /** Whether kebab created the folder itself, so that it is removed once empty. */
  readonly own: boolean;
  /** Whether the location alone proves that kebab filled it; any other folder must have the mark. */
  readonly known: boolean;
}

/** The steps of a reset. It removes only what matches the names of what kebab creates. */
export interface ResetPlan {
  readonly database: string | null;
  /** The lock file of the writer, which is removed with the database. */
  readonly lock: string | null;
  /** The folder of models, from which downloaded ones are removed. */
  readonly models: string | null;
  readonly files: readonly string[];
  readonly folders: readonly FolderToClear[];
  /** Folders to remove if they contain nothing but temporary files at the end, innermost first. */
  readonly emptyFolders: readonly string[];
  readonly vectors: boolean;
  /** Whether documents on a server are removed. */
  readonly serverTables: boolean;
  readonly orphans: boolean;
  /** Whether to remove the project from the list of projects on this machine. */
  readonly forgetsProject: boolean;
}

const NOTHING: ResetPlan = {
  database: null,
  lock: null,
  models: null,
  files: [],
  folders: [],
  emptyFolders: [],
  vectors: false,
  serverTables: false,
  orphans: false,
  forgetsProject: false,
};

type ResetPlace = Pick<ConfigResolution, 'config' | 'folders' | 'project'>;

/** Decides what a reset removes, from the effective configuration. */
export function planReset(scope: ResetScope, where: ResetPlace): ResetPlan {
  switch (scope) {
    case 'data_only':
      return dataPlan(where);
    case 'vector_only':
      return { ...NOTHING, vectors: true };
    case 'config_only':
      return { ...NOTHING, files: configFiles(where) };
    case 'orphans_only':
      return { ...NOTHING, orphans: true };
    case 'all':
      return everythingPlan(where);
    default:
      return scope satisfies never;
  }
}

/** The files in which the command line records the notices shown today, and the hits of the last search. */
const STATE_FILES = ['notices.json', 'search-history.json'];

function dataPlan(where: ResetPlace): ResetPlan {
  const { assetDir, runsDir } = where.config.storage;
  const database = databaseFile(where.config);
  return {
    ...NOTHING,
    database,
    serverTables: database === null,
    vectors: true,
    folders: [dataFolder(where, assetDir, 'assets'), dataFolder(where, runsDir, 'runs')],
  };
}

/** For a project, only what was created in its `.kebab/` is removed; models, cache and logs belong to the user. */
function projectPlan(where: ResetPlace, { kebabFolder }: Project): ResetPlan {
  const data = dataPlan(where);
  return {
    ...data,
    lock: path.join(path.dirname(where.config.storage.sqlite), 'kebab.lock'),
    files: [
      ...configFiles(where),
      ...secretFiles(where),
      path.join(kebabFolder, '.gitignore'),
      projectIdFile(kebabFolder),
    ],
    emptyFolders: [kebabFolder],
    folders: [...data.folders, dataFolder(where, externalRoot(where.config), 'external'), clonesFolder(where)],
    forgetsProject: true,
  };
}

function everythingPlan(where: ResetPlace): ResetPlan {
  if (where.project !== null) return projectPlan(where, where.project);
  const { config, folders } = where;
  const { dataDir, modelDir, sqlite } = config.storage;
  const data = dataPlan(where);
  return {
    ...data,
    lock: path.join(path.dirname(sqlite), 'kebab.lock'),
    models: modelDir,
    files: [...configFiles(where), ...secretFiles(where), ...STATE_FILES.map((name) => path.join(folders.state, name))],
    folders: [
      ...data.folders,
      dataFolder(where, externalRoot(config), 'external'),
      clonesFolder(where),
      { ...dataFolder(where, modelDir, 'models'), path: path.join(modelDir, '.pull'), own: true },
      { ...KEBAB_FILES.cache, path: folders.cache, own: true, known: true },
      { ...KEBAB_FILES.logs, path: path.join(folders.state, 'logs'), own: true, known: true },
    ],
    emptyFolders: [
      ...(modelDir === path.join(dataDir, 'models') ? [modelDir] : []),
      folders.config,
      folders.state,
      ...(dataDir === folders.data ? [dataDir] : []),
    ],
  };
}

function configFiles({ folders, project }: ResetPlace): readonly string[] {
  if (project !== null) return [project.configFile, `${project.configFile}.bak`];
  return [path.join(folders.config, 'config.toml'), trustStoreIn(folders.state)];
}

/** The hashes of tokens, and the key of the logins of browsers. */
function secretFiles({ config }: ResetPlace): readonly string[] {
  return ['tokens.json', 'login.key'].map((name) => path.join(config.storage.dataDir, name));
}

/** The clones of repositories; the folder has the mark, so that the location proves nothing. */
function clonesFolder({ config }: ResetPlace): FolderToClear {
  const clones = repositoriesFolder(config.storage.dataDir);
  return { ...KEBAB_FILES.repositories, path: clones, own: true, known: false };
}

/** A folder in a custom location is emptied, but kept. */
function dataFolder(where: ResetPlace, folder: string, kind: keyof typeof KEBAB_FILES): FolderToClear {
  const { dataDir } = where.config.storage;
  const own = folder === path.join(dataDir, kind);
  return { ...KEBAB_FILES[kind], path: folder, own, known: own && dataDir === where.folders.data };
}
