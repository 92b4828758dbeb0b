import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Creates folders that are removed after the tests of the file. */
export function tempFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-onnx-'));
    folders.push(folder);
    return folder;
  };
}
