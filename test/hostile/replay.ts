// `npm run test:hostile [-- AREA …]`: replays every hostile input and fault, and ends with the numbers tried, handled and failed.
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { buildCli } from '../../host-cli/test/fakes/built-cli.ts';
import { AREAS } from './areas.ts';
import { replayArea, tallyTable, warmed, type Area, type Outcome, type Tally } from './harness/area.ts';
import { endDescendants } from './harness/watched-process.ts';

/** Areas run at once: each waits for one process at a time, which itself is mostly waiting. */
const AT_ONCE = 2 * Math.min(2, availableParallelism());
/** Time limit of the replay: an area that has not finished by then has failed. */
const MAX_MINUTES = 10;
/** Minimum numbers in a full replay; faults are those of the areas with that word in their name. */
const LEAST = { inputs: 1000, faults: 500 };

const wanted = process.argv.slice(2);
const areas = AREAS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const started = performance.now();
const begun = new Map<string, Outcome[]>();
const tallies = new Map<string, Tally>();
const bound = setTimeout(cutOff, MAX_MINUTES * 60_000);
process.once('exit', endDescendants);
const cli = await warmed(await buildCli());
await Promise.all(Array.from({ length: AT_ONCE }, work));
clearTimeout(bound);
await cli.remove();
process.exit(report());

/** Works through the queue, which starts with the longest areas, so that none of them is left to run alone. */
async function work(): Promise<void> {
  for (let area = nextArea(); area !== undefined; area = nextArea()) {
    const { name } = area;
    const outcomes: Outcome[] = [];
    begun.set(name, outcomes);
    const tally = await replayArea(area, { cli, pick: (inputs) => inputs }, (outcome) => {
      outcomes.push(outcome);
      if (outcome.problem !== null)
        process.stdout.write(`FAILED  ${name}: ${outcome.name}\n        ${outcome.problem}\n`);
    });
    tallies.set(name, tally);
    process.stdout.write(`${name}: ${tally.tried} in ${tally.seconds.toFixed(0)} s\n`);
  }
}

function nextArea(): Area | undefined {
  return areas
    .filter(({ name }) => !begun.has(name))
    .toSorted((a, b) => Number(b.isLong ?? false) - Number(a.isLong ?? false))[0];
}

/** Prints the results and returns the exit code: 0 when every area has finished, no input failed, and there were enough inputs. */
function report(): 0 | 1 {
  const all = areas.map(({ name }) => tallies.get(name) ?? unendedTally(name));
  const tried = (isFault: boolean): number =>
    all.filter(({ area }) => area.startsWith('faults:') === isFault).reduce((sum, each) => sum + each.tried, 0);
  const inputs = tried(false);
  const faults = tried(true);
  const isEnough = wanted.length > 0 || (inputs >= LEAST.inputs && faults >= LEAST.faults);
  process.stdout.write(`\n${tallyTable(all)}\n${inputs} inputs and ${faults} faults; ${secondsTaken()}\n`);
  if (!isEnough)
    process.stdout.write(`too few: a whole replay has ${LEAST.inputs} inputs and ${LEAST.faults} faults\n`);
  return isEnough && all.length > 0 && all.every(({ failed }) => failed.length === 0) ? 0 : 1;
}

/** The tally of an unfinished area; being unfinished counts as a failure. */
function unendedTally(area: string): Tally {
  const outcomes = begun.get(area) ?? [];
  const problem = begun.has(area) ? 'has not ended' : 'was not begun';
  process.stdout.write(`FAILED  ${area}: ${problem} after ${MAX_MINUTES} minutes\n`);
  const failed = [...outcomes.filter((each) => each.problem !== null), { name: 'the replay itself', problem }];
  return { area, tried: outcomes.length + 1, failed, seconds: NaN };
}

/** Synchronous, so that no area starts another process meanwhile. */
function cutOff(): never {
  report();
  endDescendants();
  rmSync(path.resolve(cli.bin, '../../..'), { recursive: true, force: true });
  process.exit(1);
}

/** The duration of the replay, with the CPU time of every process it waited for where the system reports it. */
function secondsTaken(): string {
  const wall = `${((performance.now() - started) / 1000).toFixed(0)} s, ${AT_ONCE} at once`;
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15); // utime, stime, cutime, cstime
    const cpu = ticks.reduce((sum, each) => sum + Number(each), 0) / 100;
    return `${wall}; ${cpu.toFixed(0)} s of processor time`;
  } catch {
    return wall;
  }
}
