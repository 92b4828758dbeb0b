import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../../files/write-atomically.ts';
import { isProjectFile } from '../find-project.ts';
import { loadConfigFile } from '../load-config-file.ts';
import { bondOf, isUnchanged, type PathWorld } from '../project-trust.ts';
import { pluginsIn } from '../read-config-files.ts';
import { readTrusted, type TrustedFile, trustStoreIn, withTrusted, writeTrusted } from '../trust-store.ts';

/** Where the list of trusted files lies, and what paths in a file stand for. */
export interface ConfigWorld extends PathWorld {
  readonly stateDir: string;
}

/**
 * Writes a configuration file in one step; a link to it stays a link. A project file that is new, or was trusted as it was, is
 * trusted as it is now; one that somebody edited since stays untrusted. `isSecret` keeps a new file to its owner.
 */
export async function writeConfigFile(
  file: string,
  { text, isSecret }: { readonly text: string; readonly isSecret: boolean },
  world: ConfigWorld,
): Promise<void> {
  const isPresent = existsSync(file);
  const keepsTrust = isProjectFile(file) && (!isPresent || (await isTrusted(file, world)));
  const target = isPresent && !isProjectFile(file) ? realpathSync(file) : file;
  writeAtomically(target, text, {
    mode: isPresent ? statSync(target).mode & 0o777 : isSecret ? 0o600 : undefined,
    within: isProjectFile(file) ? path.dirname(file) : undefined,
  });
  if (keepsTrust) await trust(file, world);
}

async function isTrusted(file: string, { stateDir, ...world }: ConfigWorld): Promise<boolean> {
  const real = realpathSync(file);
  const entry = readTrusted(trustStoreIn(stateDir)).find((trusted) => trusted.path === real);
  return entry !== undefined && isUnchanged(entry, await bond(file, world));
}

async function trust(file: string, { stateDir, ...world }: ConfigWorld): Promise<void> {
  const store = trustStoreIn(stateDir);
  writeTrusted(store, withTrusted(readTrusted(store), await bond(file, world)));
}

async function bond(file: string, world: PathWorld): Promise<TrustedFile> {
  const loaded = await loadConfigFile(file);
  return bondOf({ path: file, text: loaded.text, plugins: pluginsIn(file, loaded) }, world);
}
