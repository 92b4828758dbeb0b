import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LookTurns, turnsFile } from '../../src/documents/look-turns.ts';

const BEGINNING = { from: '', total: 0 };
const TURN = { from: 'notes/k.md', total: 9000 };

let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-turns-'));
  database = path.join(folder, 'kebab.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function keep(from: string): void {
  const turns = new LookTurns(database);
  turns.of('default');
  turns.set('default', { from, total: TURN.total });
  turns.keep();
}

describe('LookTurns', () => {
  it('is read by the next process, even after a shorter record', () => {
    expect(new LookTurns(database).of('default')).toEqual(BEGINNING);
    keep(`notes/${'long/'.repeat(100)}`);
    keep(TURN.from);
    expect(new LookTurns(database).of('default')).toEqual(TURN);
  });

  it('starts over when the file was only partly written', () => {
    keep(TURN.from);
    writeFileSync(turnsFile(database), readFileSync(turnsFile(database)).subarray(0, 20));
    expect(new LookTurns(database).of('default')).toEqual(BEGINNING);
  });

  it.skipIf(process.platform === 'win32')('does not write through a link', () => {
    const other = path.join(folder, 'other');
    writeFileSync(other, 'mine');
    symlinkSync(other, turnsFile(database));
    keep(TURN.from);
    expect(readFileSync(other, 'utf8')).toBe('mine');
  });
});
