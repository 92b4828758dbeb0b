import { statfsSync, watch, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

/** What is looked at to find out whether a machine has time to spare. */
interface MachineState {
  /** The folder in which Linux describes what the machine is fed by. */
  readonly supplies: string;
  /** Processes that ran or waited during the last minute, and processors for them. */
  readonly load: number;
  readonly processors: number;
}

function thisMachine(): MachineState {
  const [load = 0] = os.loadavg();
  return { supplies: '/sys/class/power_supply', load, processors: os.availableParallelism() };
}

/** Why work that can wait should: the machine runs on its battery, or others need it. Null when nothing speaks against it. */
export function whyToWait(machine: MachineState = thisMachine()): 'battery' | 'load' | null {
  if (isOnBattery(machine.supplies)) return 'battery';
  return machine.load > machine.processors + 1 ? 'load' : null; // this process is part of the load
}

/** Known on Linux alone. */
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

/** What a watcher learns from the system, and how patient it is. */
export interface Surroundings {
  readonly watch: typeof watch;
  /** Whether a folder lies on another machine, which reports no changes. */
  readonly isRemote: (folder: string) => boolean;
  /** Why work that can wait should. */
  readonly whyToWait: () => 'battery' | 'load' | null;
  /** How long nothing need happen before the clocks are looked at, and whether embedding may go on. */
  readonly idleMs: number;
  /** The shortest time between two looks where no changes are reported. */
  readonly minPollMs: number;
  /** How soon something is tried again that failed, as on a full disk. */
  readonly retryMs: number;
  /** Vectors are made when nothing has changed for so long. */
  readonly quietMs: number;
}

/** The machine that this process runs on. */
export const THIS_MACHINE: Surroundings = {
  watch,
  isRemote,
  whyToWait,
  idleMs: 30_000,
  minPollMs: 2000,
  retryMs: 5000,
  quietMs: 2000,
};

/** File systems of other machines, by the numbers that Linux gives them: NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS, CEPH. */
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
