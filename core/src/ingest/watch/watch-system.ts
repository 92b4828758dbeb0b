import { statfsSync, watch, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

/** Facts that determine whether a machine has spare capacity. */
interface MachineState {
  /** The folder in which Linux describes its power supplies. */
  readonly supplies: string;
  /** Average number of running or waiting processes during the last minute, and the number of processors. */
  readonly load: number;
  readonly processors: number;
}

function thisMachine(): MachineState {
  const [load = 0] = os.loadavg();
  return { supplies: '/sys/class/power_supply', load, processors: os.availableParallelism() };
}

/** Why background work should wait: the machine runs on battery, or is busy. Null when there is no reason. */
export function whyToWait(machine: MachineState = thisMachine()): 'battery' | 'load' | null {
  if (isOnBattery(machine.supplies)) return 'battery';
  return machine.load > machine.processors + 1 ? 'load' : null; // this process is part of the load
}

/** Only known on Linux. */
function isOnBattery(supplies: string): boolean {
  return namesIn(supplies).some((name) => {
    const says = (file: string): string => textOf(`${supplies}/${name}/${file}`);
    // A mouse has a battery, too.
    return says('type') === 'Battery' && says('scope') !== 'Device' && says('status') === 'Discharging';
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The system as a watcher sees it, and the watcher's time limits. */
export interface WatchSystem {
  readonly watch: typeof watch;
  /** Whether a folder is on a network drive, which reports no changes. */
  readonly isRemote: (folder: string) => boolean;
  /** Why background work should wait. */
  readonly whyToWait: () => 'battery' | 'load' | null;
  /** How long to wait without events before checking the clocks, and whether embedding can continue. */
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
  whyToWait,
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
