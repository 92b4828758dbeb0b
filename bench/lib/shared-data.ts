import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../shared', import.meta.url));

/** A folder of the real corpora beside the repository, or null (with a message) if it is missing. */
export function sharedData(name: string): string | null {
  const folder = path.join(root, 'data', name);
  if (existsSync(folder)) return folder;
  console.log(`skipped: ../shared/data/${name} is not there`);
  return null;
}

/** A folder of the cases beside the repository, or null (with a message) if it is missing. */
export function sharedCases(name: string): string | null {
  const folder = path.join(root, 'cases', name);
  if (existsSync(folder)) return folder;
  console.log(`skipped: ../shared/cases/${name} is not there`);
  return null;
}
