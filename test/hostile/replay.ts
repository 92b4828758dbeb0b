// `npm run test:hostile [-- AREA …]`: replays every hostile input and fault, and ends with what was tried, handled and failed.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { buildCli } from '../../host-cli/test/fakes/built-cli.ts';
import { AREAS } from './areas.ts';
import { replayArea, tallyTable, warmed, type Tally } from './harness/area.ts';

/** As many areas at once: most of them wait for one process at a time. */
const AT_ONCE = Math.min(2, availableParallelism());

const wanted = process.argv.slice(2);
const areas = AREAS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const cli = await warmed(await buildCli());
const started = performance.now();
const tallies: Tally[] = [];
const queue = [...areas];
try {
  await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
} finally {
  await cli.remove();
}
const order = areas.map(({ name }) => name);
tallies.sort((a, b) => order.indexOf(a.area) - order.indexOf(b.area));
process.stdout.write(`\n${tallyTable(tallies)}\n${secondsTaken()}\n`);
process.exit(tallies.every(({ failed }) => failed.length === 0) && tallies.length > 0 ? 0 : 1);

async function work(): Promise<void> {
  for (let area = queue.shift(); area !== undefined; area = queue.shift()) {
    const { name } = area;
    const tally = await replayArea(area, { cli, pick: (inputs) => inputs }, (outcome) => {
      if (outcome.problem !== null)
        process.stdout.write(`FAILED  ${name}: ${outcome.name}\n        ${outcome.problem}\n`);
    });
    tallies.push(tally);
    process.stdout.write(`${name}: ${tally.tried} in ${tally.seconds.toFixed(0)} s\n`);
  }
}

/** What the replay has taken, with the processor time of every process that it waited for where the system says so. */
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
