import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Whether V8 was as in the beginning, moment by moment. */
interface Seen {
  readonly overlapping: readonly boolean[];
  readonly failing: readonly boolean[];
  readonly growing: readonly boolean[];
  readonly holding: readonly boolean[];
  readonly few: Ingests;
  readonly long: Ingests;
  readonly wide: Ingests;
}

interface Ingests {
  readonly read: readonly boolean[];
  readonly walked: readonly boolean[];
  readonly after: readonly boolean[];
}

const REGISTER = new URL('../../../../scripts/register-ts.mjs', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('fixtures/watch-v8.ts', import.meta.url));
const OUTPUT = execFileSync(process.execPath, ['--import', REGISTER, PROGRAM], { encoding: 'utf8' });
const seen = JSON.parse(OUTPUT) as Seen;

describe('what V8 is told while an ingest goes over all files', () => {
  it('is taken back when all stretches of work are done that asked for it', () =>
    expect(seen.overlapping).toEqual([false, false, true]));

  it('is taken back when the work fails', () => expect(seen.failing).toEqual([true]));

  it('lets the heap grow slowly until that is taken back', () => expect(seen.growing).toEqual([false, true]));

  it('holds the space for new objects once it is large, until that is taken back', () =>
    expect(seen.holding).toEqual([false, true]));

  it('is nothing in the first ingest of a few files', () => {
    expect(seen.few.read).toEqual([true, true, true]);
    expect(seen.few.walked).toEqual([true, false]); // in the second, little is to be done with each
  });

  it('has it copy fewer functions among a thousand files, when the first are under way', () => {
    expect(seen.long.read).toHaveLength(1000);
    expect([seen.long.read[0], seen.long.read.at(-1)]).toEqual([true, false]);
  });

  it('lets the heap grow slowly among more than twenty thousand entries', () =>
    expect(seen.wide.walked[0]).toBe(false));

  it.each(['few', 'long', 'wide'] as const)('is nothing after an ingest: of %s files', (name) =>
    expect(seen[name].after).toEqual([true, true]),
  );
});
