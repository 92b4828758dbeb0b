import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

const SUPPLIES = '/sys/class/power_supply';

/** Why work that can wait should: the machine runs on its battery, or others need it. Null when nothing speaks against it. */
export function whyToWait(): 'battery' | 'load' | null {
  if (isOnBattery()) return 'battery';
  const [load = 0] = os.loadavg();
  return load > os.availableParallelism() + 1 ? 'load' : null; // this process is part of the load
}

/** Known on Linux alone. */
function isOnBattery(): boolean {
  try {
    return readdirSync(SUPPLIES).some((name) => {
      const text = (file: string): string => readFileSync(`${SUPPLIES}/${name}/${file}`, 'utf8').trim();
      return text('type') === 'Battery' && text('status') === 'Discharging';
    });
  } catch {
    return false;
  }
}
