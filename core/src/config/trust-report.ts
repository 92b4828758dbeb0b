import type { TrustReport } from '../wire/index.ts';
import type { TrustedFile } from './trust-store.ts';

/** A file that was trusted at some time, and whether it still is. */
export interface TrustState extends TrustedFile {
  readonly trusted: boolean;
}

/** Puts the state of trusted files on the wire. */
export function trustReport(states: readonly TrustState[]): TrustReport {
  return {
    schema_version: 'trust_report.v1',
    entries: states.map(({ path, hash, trusted }) => ({ path, hash, trusted })),
  };
}
