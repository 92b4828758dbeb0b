import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a file so that a reader sees the old content or the new, never half of it; makes its folder (0755, file 0644). */
export function writeFileAtomically(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, content, { mode: 0o644, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
