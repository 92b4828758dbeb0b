import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder of a test's own, and how it is removed. */
export interface TemporaryFolder {
  readonly path: string;
  /** A path in it. */
  file(name: string): string;
  remove(): void;
}

/** Makes an empty folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'kebab-store-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
