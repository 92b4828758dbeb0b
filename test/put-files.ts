import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes files into a folder, each with its own folder, and returns that folder. */
export function putFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}
