import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whyToWait } from '../../../src/ingest/watch/surroundings.ts';
import { TemporaryTree } from '../temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => (tree = new TemporaryTree()));
afterEach(() => tree.remove());

const AC = { 'AC/type': 'Mains\n', 'AC/online': '0\n' };
const battery = (status: string) => ({ 'BAT0/type': 'Battery\n', 'BAT0/status': `${status}\n` });

describe('whyToWait', () => {
  it.each([
    ['waits while the machine runs on its battery', { ...AC, ...battery('Discharging') }, 0, 'battery'],
    ['goes on while the battery is charged', { ...AC, ...battery('Charging') }, 0, null],
    ['goes on where a mouse runs on its battery', { ...battery('Discharging'), 'BAT0/scope': 'Device\n' }, 0, null],
    ['goes on where nothing is known of a supply', { 'odd/nothing': '' }, 0, null],
    ['goes on while it is the only load', {}, 3, null],
    ['waits while others need the processors', {}, 3.1, 'load'],
  ])('%s', (_title, supplies, load, why) => {
    tree.put(supplies);
    expect(whyToWait({ supplies: tree.root, load, processors: 2 })).toBe(why);
  });

  it('returns null when the system does not describe its power supplies', () => {
    expect(whyToWait({ supplies: tree.path('nowhere'), load: 0, processors: 2 })).toBeNull();
  });
});
