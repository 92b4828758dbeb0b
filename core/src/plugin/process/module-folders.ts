import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The folders that a process must be able to read to load code from the given folders, and from those of the given files: these, every
 * `node_modules` that Node searches from there, and the packages elsewhere to which links in these lead, with the same for each. Folders
 * that do not exist are left out, and so are those within another.
 */
export function moduleFolders(places: readonly string[]): readonly string[] {
  const folders: string[] = [];
  const add = (folder: string): boolean => {
    if (!isFolder(folder) || folders.some((known) => isWithin(folder, known))) return false;
    folders.push(folder);
    return true;
  };
  const pending = places.flatMap((place) => [path.resolve(place), realPathOf(place)].map(folderAt));
  for (const folder of pending) {
    add(folder);
    for (const packages of searchedFrom(folder)) if (add(packages)) pending.push(...linkedFrom(packages));
  }
  return folders;
}

/** A folder itself, or that of a file. */
function folderAt(place: string): string {
  return isFolder(place) ? place : path.dirname(place);
}

/** The folder of the package to which a file belongs: the nearest one with a package.json, or else its own. */
export function packageFolderOf(file: string): string {
  const own = path.dirname(file);
  return ancestorsOf(own).find((folder) => existsSync(path.join(folder, 'package.json'))) ?? own;
}

/** The `node_modules` folders that Node searches for an import from a folder. */
function searchedFrom(folder: string): readonly string[] {
  return ancestorsOf(folder).map((parent) => path.join(parent, 'node_modules'));
}

/** A folder and all folders that contain it, nearest first. */
function ancestorsOf(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

/** The real paths of the packages that a `node_modules` links from elsewhere: workspaces, and packages installed by path. */
function linkedFrom(packages: string): readonly string[] {
  const entries = entriesOf(packages);
  const scopes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('@'));
  const inScopes = scopes.map(({ name }) => path.join(packages, name));
  return [packages, ...inScopes].flatMap((folder) =>
    entriesOf(folder).flatMap((entry) => (entry.isSymbolicLink() ? [realPathOf(path.join(folder, entry.name))] : [])),
  );
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file); // a link to nowhere
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);
}
