import { existsSync } from 'node:fs';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { databaseOfProject, rememberDatabase } from '../config/project-list.ts';
import { KebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';

/**
 * Returns the database of a project only if it is the one that was created on this machine. Git overwrites ignored files silently, so a
 * branch that contains a `.kebab/kebab.sqlite` would replace it. The database created here is remembered, or else the first one opened for
 * writing. Throws `not_indexed` for any other.
 */
export function projectDatabase(
  documents: Ports['documents'],
  { project, folders, config }: Pick<ConfigResolution, 'project' | 'folders' | 'config'>,
): Ports['documents'] {
  const { sqlite } = config.storage;
  if (project === null || !sqlite.startsWith(`${project.kebabFolder}/`)) return documents;
  const { kebabFolder } = project;
  const checked = async (open: 'read' | 'write') => {
    const isMadeNow = open === 'write' && !existsSync(sqlite); // also when its owner has removed the previous one
    const store = await documents[open]();
    const known = isMadeNow ? null : databaseOfProject(folders.state, kebabFolder);
    const id = await store.knowledgeBase();
    if (known === null && open === 'write') rememberDatabase(folders.state, kebabFolder, id);
    if (known !== null && known !== id) throw replaced(sqlite);
    return store;
  };
  return { read: () => checked('read'), write: () => checked('write') };
}

function replaced(file: string): KebabError<'not_indexed'> {
  return new KebabError('not_indexed', `${file} is not the database that kebab made for this project: it is not used`, {
    details: { expected: 'the database of this project', found: 'another one' },
    hint: 'it may have come with a checkout; remove it with `kebab reset --data-only`, then run `kebab ingest`',
  });
}
