// `npm run test:hostile [-- AREA …]`: replays every hostile input and fault, and ends with what was tried, handled and failed.
import { buildCli } from '../../host-cli/test/fakes/built-cli.ts';
import { AREAS } from './areas.ts';
import { replayArea, tallyTable, type Tally } from './harness/area.ts';

/** As many areas at once: most of them wait for one process at a time. */
const AT_ONCE = 2;

const wanted = process.argv.slice(2);
const areas = AREAS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const cli = await buildCli();
const tallies: Tally[] = [];
const queue = [...areas];
try {
  await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
} finally {
  await cli.remove();
}
const order = areas.map(({ name }) => name);
tallies.sort((a, b) => order.indexOf(a.area) - order.indexOf(b.area));
process.stdout.write(`\n${tallyTable(tallies)}\n`);
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
