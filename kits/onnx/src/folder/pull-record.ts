/** The file that a finished download leaves beside the files it fetched. */
export const PULL_RECORD = 'kebab-pull.json';

/** What was fetched from where, and what the bytes were. */
export interface PullRecord {
  readonly repository: string;
  /** The commit of the repository if the hub told it, else the revision asked for. */
  readonly revision: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** The record as it was written, or null for JSON that is none. */
export function parsePullRecord(json: unknown): PullRecord | null {
  const record = json as Partial<PullRecord> | null;
  const isRecord =
    typeof record === 'object' &&
    record !== null &&
    typeof record.revision === 'string' &&
    Array.isArray(record.files) &&
    record.files.every(({ path, bytes }) => typeof path === 'string' && typeof bytes === 'number');
  return isRecord ? (record as PullRecord) : null;
}
