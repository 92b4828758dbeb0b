import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** For each scenario: whether the V8 flags were the initial ones, at one moment after another. */
interface Seen {
  readonly overlapping: readonly boolean[];
  readonly failing: readonly boolean[];
  readonly growing: readonly boolean[];
  readonly growingModerately: readonly boolean[];
  readonly holding: readonly boolean[];
  readonly few: Ingests;
  readonly long: Ingests;
  readonly wide: Ingests;
}

interface Ingests {
  readonly read: readonly boolean[];
  /** Whether inlining and heap growth were limited. */
  readonly limited: readonly boolean[];
  readonly walked: readonly boolean[];
  readonly after: readonly boolean[];
}

const REGISTER = new URL('../../../../scripts/register-ts.mjs', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('fixtures/watch-v8.ts', import.meta.url));
const OUTPUT = execFileSync(process.execPath, ['--import', REGISTER, PROGRAM], { encoding: 'utf8' });
const seen = JSON.parse(OUTPUT) as Seen;

describe('the V8 flags of an ingest', () => {
  it('are restored when the last of several overlapping unoptimised calls ends', () =>
    expect(seen.overlapping).toEqual([false, false, true]));

  it('are restored when an unoptimised call fails', () => expect(seen.failing).toEqual([true]));

  it('limit heap growth from growSlowly until growFreely', () => expect(seen.growing).toEqual([false, true]));

  it('limit heap growth moderately until growAsBefore, unless it is limited to less already', () =>
    expect(seen.growingModerately).toEqual([false, true, true, true]));

  it('stop a large young generation from growing, from holdYoung until growYoungAsUsual', () =>
    expect(seen.holding).toEqual([false, true]));

  it('are unchanged in the first ingest of a few files', () => {
    expect(seen.few.read).toEqual([true, true, true]);
    expect(seen.few.walked).toEqual([true, false]); // the second ingest is a pass with little work per file, so unoptimised
  });

  it('limit inlining and heap growth in an ingest of a thousand files, once the first files have been started', () => {
    expect(seen.long.read).toHaveLength(1000);
    expect(seen.long.read[0]).toBe(true);
    expect([seen.long.limited[0], seen.long.limited.at(-1)]).toEqual([false, true]);
  });

  it('limit heap growth in a walk of more than twenty thousand entries', () => expect(seen.wide.walked[0]).toBe(false));

  it.each(['few', 'long', 'wide'] as const)('are restored after the ingest of the scenario %s', (name) =>
    expect(seen[name].after).toEqual([true, true]),
  );
});
