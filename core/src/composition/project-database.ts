import { existsSync } from 'node:fs';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { databaseOfProject, rememberDatabase } from '../config/project-list.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { KebabError } from '../errors/kebab-error.ts';
import type { StorePort } from '../ports.ts';

/**
 * Returns the database of a project only if it is the one that was created on this machine. Git overwrites ignored files silently, so a
 * branch that contains a `.kebab/kebab.sqlite` would replace it. The database created here is remembered, or else the first one opened for
 * writing. Throws `not_indexed` for any other.
 */
export class ProjectDatabase implements StorePort<DocumentStore> {
  readonly #documents: StorePort<DocumentStore>;
  readonly #resolution: Pick<ConfigResolution, 'project' | 'folders' | 'config'>;

  constructor(
    documents: StorePort<DocumentStore>,
    resolution: Pick<ConfigResolution, 'project' | 'folders' | 'config'>,
  ) {
    this.#documents = documents;
    this.#resolution = resolution;
  }

  read(): Promise<DocumentStore> {
    return this.#open('read');
  }

  write(): Promise<DocumentStore> {
    return this.#open('write');
  }

  async #open(access: 'read' | 'write'): Promise<DocumentStore> {
    const { project, folders, config } = this.#resolution;
    const { sqlite } = config.storage;
    if (project === null || !sqlite.startsWith(`${project.kebabFolder}/`)) return this.#documents[access]();
    const { kebabFolder } = project;
    const isMadeNow = access === 'write' && !existsSync(sqlite); // also when its owner has removed the previous one
    const store = await this.#documents[access]();
    const known = isMadeNow ? null : databaseOfProject(folders.state, kebabFolder);
    const id = await store.knowledgeBase();
    if (known === null && access === 'write') rememberDatabase(folders.state, kebabFolder, id);
    if (known !== null && known !== id) throw replaced(sqlite);
    return store;
  }
}

function replaced(file: string): KebabError<'not_indexed'> {
  return new KebabError('not_indexed', `${file} is not the database that kebab made for this project: it is not used`, {
    details: { expected: 'the database of this project', found: 'another one' },
    hint: 'it may have come with a checkout; remove it with `kebab reset --data-only`, then run `kebab ingest`',
  });
}
