import { randomBytes } from 'node:crypto';

/** Makes the id of a run: ids of later runs sort behind those of earlier ones. */
export function mintRunId(at: Date): string {
  return `run_${at.getTime().toString(16).padStart(12, '0')}${randomBytes(5).toString('hex')}`;
}
