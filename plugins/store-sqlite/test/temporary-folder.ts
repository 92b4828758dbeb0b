import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty temporary folder for one test. */
export interface TemporaryFolder {
  readonly path: string;
  /** Returns a path within the folder. */
  file(name: string): string;
  remove(): void;
}

/** Creates an empty temporary folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'kebab-store-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
