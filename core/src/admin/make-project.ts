import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync } from 'node:fs';
import path from 'node:path';
import { annotatedConfig } from '../config/annotated-config.ts';
import { type ConfigWorld, writeConfigFile } from '../config/editing/edit-config-text.ts';
import { isFile, PROJECT_FOLDER, projectConfigFile, projectIdFile } from '../config/find-project.ts';
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
import { readTrusted, trustStoreIn, withoutTrusted, withTrusted, writeTrusted } from '../config/trust-store.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** The project to make, and what its configuration may hold. */
interface ProjectRequest extends ConfigWorld {
  /** The folder whose documents it holds; must exist. */
  readonly folder: string;
  /** Whether a configuration that is there is written again. */
  readonly force: boolean;
  readonly keys: KeyTable;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** What was made, and what was there already. A folder ends in `/`. */
export interface MadeProject {
  readonly created: readonly string[];
  readonly kept: readonly string[];
}

const IGNORE_ALL = '# made by kebab: what is in this folder belongs to this machine\n*\n';

/**
 * Makes the `.kebab/` of a project with its configuration, keeps git from taking it in, and lists it as made here. One that was
 * moved with its project goes on; one that came with a checkout or a copy is set aside. Throws `io_error` where it cannot be.
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
    if (isFile(config) && !force) {
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

/** What lies at the place of a `.kebab/`. */
type Standing =
  | { readonly kind: 'missing' | 'ours' | 'foreign' }
  /** A project that lay elsewhere before, and does no more. */
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

/** Nothing of it is read or removed: its database may be made to mislead. */
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

/** The configuration of a project that moved is as trusted as it was: the hash still has to fit. */
function moveTrust(from: string, to: string, { stateDir }: ConfigWorld): void {
  const store = trustStoreIn(stateDir);
  const trusted = readTrusted(store);
  const entry = trusted.find((file) => file.path === projectConfigFile(from));
  if (entry === undefined) return;
  writeTrusted(store, withTrusted(withoutTrusted(trusted, entry.path), { ...entry, path: projectConfigFile(to) }));
}
