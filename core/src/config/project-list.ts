import { lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { isFile, projectIdFile } from './load-config.ts';
import { readOwnList } from './trust-store.ts';

/** The project knowledge bases created on this machine: the content of the `id` file, by the real path of the `.kebab/`. */
export type ProjectList = ReadonlyMap<string, string>;

/** The path of the project list. */
export function projectListIn(stateDir: string): string {
  return path.join(stateDir, 'projects.json');
}

/** Reads the list; a missing one is empty. Throws `io_error` for one that other users could have written. */
export function readProjects(listFile: string): ProjectList {
  return readOwnList<ProjectList>(listFile, {
    what: 'projects',
    hint: `remove ${listFile}, then run \`kebab init --project\` in each of your projects again`,
    empty: new Map<string, string>(),
    parse: entriesOf,
  });
}

/** Replaces the list atomically; an empty list removes the file. */
export function writeProjects(listFile: string, projects: ProjectList): void {
  if (projects.size === 0) return rmSync(listFile, { force: true });
  const entries = Object.fromEntries([...projects].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeAtomically(listFile, `${JSON.stringify({ schema_version: 1, projects: entries }, null, 2)}\n`, { mode: 0o600 });
}

/**
 * Whether `kebab init` created a `.kebab/` on this machine, as opposed to a checkout or a copy, and it contains no link to a folder, which
 * a later checkout may have added.
 */
export function isListed(projects: ProjectList, kebabFolder: string): boolean {
  const id = projectIdIn(kebabFolder);
  if (id === null || lstatSync(kebabFolder).isSymbolicLink()) return false;
  return projects.get(realpathSync(kebabFolder)) === id && linkedFolderIn(kebabFolder) === null;
}

/**
 * The path of a link in a `.kebab/` whose target is not a regular file; null if there is none. kebab creates no such link: it would
 * redirect kebab's reads, writes and removals to another folder.
 */
export function linkedFolderIn(kebabFolder: string): string | null {
  const links = readdirSync(kebabFolder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return links.map(({ name }) => path.join(kebabFolder, name)).find((link) => !isFile(link)) ?? null;
}

/** The id of the database created for a project on this machine; null before the first one. */
export function databaseOfProject(stateDir: string, kebabFolder: string): string | null {
  return readDatabases(databaseListIn(stateDir)).get(kebabFolder) ?? null;
}

/** Records the database of a project; null removes the record. */
export function rememberDatabase(stateDir: string, kebabFolder: string, id: string | null): void {
  const file = databaseListIn(stateDir);
  const databases = new Map(readDatabases(file));
  if (id === null ? !databases.delete(kebabFolder) : databases.get(kebabFolder) === id) return;
  if (id !== null) databases.set(kebabFolder, id);
  writeProjects(file, databases);
}

function databaseListIn(stateDir: string): string {
  return path.join(stateDir, 'project-databases.json');
}

function readDatabases(file: string): ProjectList {
  return readOwnList<ProjectList>(file, {
    what: 'databases of projects',
    hint: `remove ${file}`,
    empty: new Map<string, string>(),
    parse: entriesOf,
  });
}

/** The content of the `id` file of a `.kebab/`; null when there is none. */
export function projectIdIn(kebabFolder: string): string | null {
  const file = projectIdFile(kebabFolder);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_ID_BYTES) return null;
  const id = readRegularText(file, { maxBytes: MAX_ID_BYTES, followLink: false }).trim();
  return ID.test(id) ? id : null;
}

const ID = /^[0-9a-f]{32}$/;
const MAX_ID_BYTES = 64;

function entriesOf(parsed: unknown): ProjectList {
  const projects = (parsed as { readonly projects?: unknown } | null)?.projects;
  if (typeof projects !== 'object' || projects === null) throw new TypeError('it has no "projects"');
  return new Map(
    Object.entries(projects).map(([folder, id]: [string, unknown]) => {
      if (typeof id !== 'string' || !ID.test(id)) throw new TypeError(`${folder} has no id`);
      return [folder, id];
    }),
  );
}
