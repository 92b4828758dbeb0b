/** The id of a run, from when it began and five random bytes: ids of later runs sort behind those of earlier ones. */
export function mintRunId(at: Date, random: Buffer): string {
  return `run_${at.getTime().toString(16).padStart(12, '0')}${random.toString('hex')}`;
}
