import type { DeclaredPlugin } from '../plugin/find-plugins.ts';
import type { TrustReport } from '../wire/index.ts';
import type { RestrictedSetting } from './trust-rules.ts';
import type { TrustedFile } from './trust-store.ts';

/** A file that was trusted at some time, and whether it still is. */
export interface TrustState extends TrustedFile {
  readonly trusted: boolean;
  /** What it says that takes trust: nothing of a file that is not trusted. */
  readonly asks: readonly RestrictedSetting[];
  /** The plugins that it enables: none of a file that is not trusted. */
  readonly enabled: readonly DeclaredPlugin[];
}

/** Puts the state of trusted files on the wire. */
export function trustReport(states: readonly TrustState[]): TrustReport {
  return {
    schema_version: 'trust_report.v1',
    entries: states.map(({ path, hash, trusted, asks, enabled }) => ({
      path,
      hash,
      trusted,
      asks: asks.map(({ key, value, remote }) => ({ key, value, remote })),
      plugins: enabled.map(({ name, version, kinds, permissions, reason }) => ({
        name,
        version,
        kinds: [...kinds],
        reason,
        permissions:
          permissions === null
            ? null
            : { fs: permissions.fs, net: [...permissions.net], spawn: [...permissions.spawn] },
      })),
    })),
  };
}
