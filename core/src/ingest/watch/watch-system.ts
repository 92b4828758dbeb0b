import { statfsSync, watch } from 'node:fs';

/** The system as a watcher sees it, and the watcher's time limits. */
export interface WatchSystem {
  readonly watch: typeof watch;
  /** Whether a folder is on a network drive, which reports no changes. */
  readonly isRemote: (folder: string) => boolean;
  /** How long to wait without events before checking the clocks. */
  readonly idleMs: number;
  /** The minimum time between two checks where changes are not reported. */
  readonly minPollMs: number;
  /** How soon to retry something that failed, such as writing to a full disk. */
  readonly retryMs: number;
  /** Vectors are computed when nothing has changed for this long. */
  readonly quietMs: number;
}

/** The machine that this process runs on. */
export const THIS_MACHINE: WatchSystem = {
  watch,
  isRemote,
  idleMs: 30_000,
  minPollMs: 2000,
  retryMs: 5000,
  quietMs: 2000,
};

/** Network file systems, by their magic numbers on Linux: NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS, CEPH. */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x5346414f, 0x00c36400,
]);

function isRemote(folder: string): boolean {
  try {
    return REMOTE.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}
