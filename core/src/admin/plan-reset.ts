import path from 'node:path';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { projectIdFile } from '../config/find-project.ts';
import type { Project } from '../config/read-config-files.ts';
import { trustStoreIn } from '../config/trust-store.ts';
import { turnsFile } from '../documents/look-turns.ts';
import { externalRoot } from '../documents/source-roots.ts';
import { KEBAB_FILES, type KebabFiles } from './clear-folder.ts';

/** What a reset removes. */
export type ResetScope = 'all' | 'data_only' | 'vector_only' | 'config_only' | 'orphans_only';

/** A folder to clear of what kebab made in it. */
export interface FolderToClear extends KebabFiles {
  readonly path: string;
  /** Whether kebab made the folder itself, so that it goes too once it is empty. */
  readonly own: boolean;
  /** Whether the place alone says that kebab filled it; any other folder must carry the mark. */
  readonly known: boolean;
}

/** What a reset will do. Nothing in it is removed that does not look as kebab made it. */
export interface ResetPlan {
  readonly database: string | null;
  /** The writer's lock, which goes with the database. */
  readonly lock: string | null;
  /** The folder of models: of what is in it, fetched ones go. */
  readonly models: string | null;
  readonly files: readonly string[];
  readonly folders: readonly FolderToClear[];
  /** Folders that go if they are empty in the end, inner before outer. */
  readonly emptyFolders: readonly string[];
  readonly vectors: boolean;
  readonly orphans: boolean;
  /** Whether the project leaves the list of those that were made here. */
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
  orphans: false,
  forgetsProject: false,
};

/** The effective configuration, and what is known of the data it names. */
export interface ResetPlace extends Pick<ConfigResolution, 'config' | 'folders' | 'project'> {
  /** Whether a database from before there were marks lies in the data folder: folders beside it have none either. */
  readonly isUnmarkedData: boolean;
}

/** Decides what a reset removes, from the effective configuration. */
export function planReset(scope: ResetScope, where: ResetPlace): ResetPlan {
  switch (scope) {
    case 'data_only':
      return dataPlan(where);
    case 'vector_only':
      return { ...NOTHING, vectors: true, folders: [vectorFolder(where)] };
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

/** Where earlier versions remembered which files were being read. */
const IN_FLIGHT_FILE = 'kebab.in-flight.json';
/** Where the command line remembers which notices it has shown today. */
const NOTICES_FILE = 'notices.json';

function dataPlan(where: ResetPlace): ResetPlan {
  const { dataDir, assetDir, artifactDir, runsDir, sqlite } = where.config.storage;
  return {
    ...NOTHING,
    database: sqlite,
    vectors: true,
    files: [path.join(dataDir, IN_FLIGHT_FILE), turnsFile(sqlite)],
    folders: [
      vectorFolder(where),
      dataFolder(where, assetDir, 'assets'),
      dataFolder(where, artifactDir, 'artifacts'),
      dataFolder(where, runsDir, 'runs'),
    ],
  };
}

/** Of a project goes what was made in its `.kebab/`; models, cache and logs are the user's. */
function projectPlan(where: ResetPlace, { kebabFolder }: Project): ResetPlan {
  const data = dataPlan(where);
  return {
    ...data,
    lock: path.join(path.dirname(where.config.storage.sqlite), 'kebab.lock'),
    files: [...data.files, ...configFiles(where), path.join(kebabFolder, '.gitignore'), projectIdFile(kebabFolder)],
    emptyFolders: [kebabFolder],
    folders: [...data.folders, dataFolder(where, externalRoot(where.config), 'external')],
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
    files: [...data.files, ...configFiles(where), path.join(folders.state, NOTICES_FILE)],
    folders: [
      ...data.folders,
      dataFolder(where, externalRoot(config), 'external'),
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

function vectorFolder(where: ResetPlace): FolderToClear {
  return dataFolder(where, where.config.storage.vectorDir, 'vectors');
}

/** A folder that was placed elsewhere is emptied, but stays. */
function dataFolder(where: ResetPlace, folder: string, kind: keyof typeof KEBAB_FILES): FolderToClear {
  const { config, folders, isUnmarkedData } = where;
  const { dataDir } = config.storage;
  const own = folder === path.join(dataDir, kind);
  return { ...KEBAB_FILES[kind], path: folder, own, known: own && (dataDir === folders.data || isUnmarkedData) };
}
