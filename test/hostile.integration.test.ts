import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli } from '../host-cli/test/fakes/built-cli.ts';
import { AREAS } from './hostile/areas.ts';
import { replayArea, sampleOf, warmed } from './hostile/harness/area.ts';

/** Inputs sampled per area, unless listed below; `npm run test:hostile` replays them all. */
const SAMPLE = 3;
/** Areas in which an input needs at least one process. */
const FEWER: Readonly<Record<string, number>> = {
  'files: code, YAML, JSON, XML, TOML': 4,
  'faults: kill -9': 2,
  'faults: I/O errors and full disks': 2,
  'faults: while vectors are written': 2,
  'faults: files that cannot be read': 2,
  'faults: files that change while they are read': 1,
  'faults: clocks that jump': 2,
  'faults: several writers and readers': 1,
  'faults: a disk that is really full': 2,
  'faults: a database of so many pages': 2,
  'faults: readers while the database is created': 1,
  'bytes for a terminal': 1,
  'command lines and flags': 3,
  'hostile plugins': 2,
  'lines on standard input': 3,
  'things in the place of its own files': 4,
  'project files of an untrusted folder': 2,
  'servers: vectors of documents': 4,
  'servers: ingests into Qdrant': 3,
  'damaged databases': 1,
  'something else in the place of an indexed file': 1,
  'servers: Qdrant that confirms what it does not keep': 1,
};

/** Not sampled here: one has a test of its own, the other a knowledge base that takes long to build. */
const WHOLE_ONLY: ReadonlySet<string> = new Set(['fuzzing', 'answers of great size']);

let cli: BuiltCli;

beforeAll(async () => {
  cli = await warmed(await buildCli());
}, 60_000);

afterAll(() => cli.remove());

describe('a sample of hostile inputs and faults', { timeout: 120_000 }, () => {
  it.concurrent.each(AREAS.filter(({ name }) => !WHOLE_ONLY.has(name)))(
    '$name: is handled, and affects nothing else',
    async (area) => {
      const count = FEWER[area.name] ?? SAMPLE;
      const { tried, failed } = await replayArea(area, { cli, pick: (inputs) => sampleOf(inputs, count) });
      expect(failed).toEqual([]);
      expect(tried).toBeGreaterThanOrEqual(count);
    },
  );
});
