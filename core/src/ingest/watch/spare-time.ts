import { readdirSync, readFileSync } from 'node:fs';
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
