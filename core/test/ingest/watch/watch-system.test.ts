import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whyToWait } from '../../../src/ingest/watch/watch-system.ts';
import { TemporaryTree } from '../temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => (tree = new TemporaryTree()));
afterEach(() => tree.remove());

const AC = { 'AC/type': 'Mains\n', 'AC/online': '0\n' };
const battery = (status: string) => ({ 'BAT0/type': 'Battery\n', 'BAT0/status': `${status}\n` });

describe('whyToWait', () => {
  it.each([
    ['returns battery while the machine runs on battery', { ...AC, ...battery('Discharging') }, 0, 'battery'],
    ['ignores a charging battery', { ...AC, ...battery('Charging') }, 0, null],
    ['ignores the battery of a mouse', { ...battery('Discharging'), 'BAT0/scope': 'Device\n' }, 0, null],
    ['ignores an unknown supply', { 'odd/nothing': '' }, 0, null],
    ['ignores its own load', {}, 3, null],
    ['returns load while other processes need the processors', {}, 3.1, 'load'],
  ])('%s', (_title, supplies, load, why) => {
    tree.put(supplies);
    expect(whyToWait({ supplies: tree.root, load, processors: 2 })).toBe(why);
  });

  it('returns null when the system does not describe its power supplies', () => {
    expect(whyToWait({ supplies: tree.path('nowhere'), load: 0, processors: 2 })).toBeNull();
  });
});
