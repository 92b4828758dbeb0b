import { initPlace, runInit, tildePath, type InitPlace } from '../admin/run-init.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { InitReport } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

/** The ports of an `init`. */
type InitPorts = Pick<
  AppPorts,
  'documents' | 'resolution' | 'resolveAgain' | 'initAgain' | 'cwd' | 'env' | 'homeDir' | 'randomBytes'
>;

/** How an `init` is asked for. */
export interface InitOptions extends AbortOptions {
  /** Writes a configuration file that is there once more. */
  readonly force?: boolean | undefined;
  /** The user's knowledge base, or one of the working directory; by default what {@link initPlace} decides. */
  readonly place?: InitPlace['kind'] | undefined;
}

/** Makes the user's knowledge base, or that of a project. The database of a project is opened as the project is configured. */
export async function performInit(ports: InitPorts, options: InitOptions = {}): Promise<InitReport> {
  const { resolution, cwd, homeDir } = ports;
  const { force = false, place: asked } = options;
  const place = await initPlace({
    asked: resolution.isNamed ? 'user' : asked,
    cwd,
    homeDir,
    project: resolution.project,
  });
  return place.kind === 'user' ? initUser(ports, force) : initProject(ports, { folder: place.folder, force });
}

async function initUser(
  { documents, resolution, resolveAgain, homeDir }: InitPorts,
  force: boolean,
): Promise<InitReport> {
  const { userFile } = resolution;
  return runInit({
    resolution: force ? await resolveAgain({ replaced: { path: userFile, text: '' } }) : resolution,
    force,
    homeDir,
    openStore: () => openStore(documents),
  });
}

async function initProject(
  { documents, resolution, initAgain, env, homeDir, randomBytes }: InitPorts,
  { folder, force }: { readonly folder: string; readonly force: boolean },
): Promise<InitReport> {
  const { makeProject } = await import('../admin/make-project.ts');
  const { keys, folders, project, failure } = resolution;
  const made = await makeProject({ folder, force, keys, stateDir: folders.state, env, homeDir, randomBytes });
  if (project?.folder !== folder || force || failure !== undefined) {
    const report = await initAgain(folder);
    return { ...report, created: [...made.created], kept: [...made.kept] };
  }
  const { path: opened, schemaVersion } = await openStore(documents);
  return {
    schema_version: 'init_report.v1',
    created: [...made.created],
    kept: [...made.kept],
    opened,
    db_schema_version: schemaVersion,
    hint: `\`kebab ingest\`, then \`kebab search\` anywhere in ${tildePath(folder, homeDir)}`,
  };
}

/** Creates or migrates the database. */
async function openStore(documents: InitPorts['documents']): Promise<{ path: string; schemaVersion: number }> {
  const { location, schemaVersion } = await documents.write();
  return { path: location, schemaVersion };
}
