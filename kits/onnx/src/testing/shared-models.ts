import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of a model beside the repository, or null where it is not there. Tests that need it are skipped then. */
export function sharedModel(name: string): string | null {
  const folder = fileURLToPath(new URL(`../../../../../shared/models/${name}`, import.meta.url));
  return existsSync(folder) ? folder : null;
}
