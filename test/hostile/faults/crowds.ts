import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Area, Outcome } from '../harness/area.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { LEXICAL } from '../inputs/knowledge-base.ts';
import { FaultHome, type Files } from './fault-home.ts';

const FILES: Files = Object.fromEntries(
  Array.from({ length: 120 }, (_, i) => [
    `n${i}.md`,
    `# Note ${i}\n\n${`The wombat of note ${i} digs. `.repeat(40)}\n`,
  ]),
);
const ENV = { env: LEXICAL } as const;

/** Several processes over one knowledge base: one writes, other writers get an error, and readers are not blocked. */
const CROWDS: Area = {
  name: 'faults: several writers and readers',
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    const fault = await FaultHome.prepare(cli, { before: {}, after: FILES });
    try {
      for (const writers of pick([2, 3, 4, 5, 2, 3, 4, 5])) {
        fault.restore();
        const start = (line: readonly string[]) => watched(cli.start(line, { home: fault.home, ...ENV }));
        const runs = await Promise.all([
          ...Array.from({ length: writers }, () => start(['ingest', '--json', '--quiet'])),
          ...Array.from({ length: 3 }, () => start(['search', 'wombat', '--json'])),
          start(['reset', '--data-only', '--yes', '--json']),
        ]);
        const problem = runs.map(problemOfRun).find((each) => each !== null) ?? null;
        yield { name: `${writers} writers`, problem: problem ?? (await fault.recovered()) };
      }
    } finally {
      fault.remove();
    }
  },
};

/** A disk with a file size limit, enforced by the operating system. */
const SMALL_DISK: Area = {
  name: 'faults: a disk that is really full',
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    const fault = await FaultHome.prepare(cli, { before: {}, after: FILES });
    try {
      const sizes = Array.from({ length: 24 }, (_, i) => 8 + i * 27); // KiB; a whole database takes some 500
      for (const kib of pick(sizes)) {
        fault.restore();
        const command = `ulimit -f ${kib}; exec "$0" "$1" ingest --json --quiet`;
        const env = { PATH: '/usr/bin:/bin', ...LEXICAL, ...fault.home.env };
        const limited = spawn('bash', ['-c', command, process.execPath, cli.bin], { cwd: fault.home.folder, env });
        const problem = problemOfRun(await watched(limited));
        yield { name: `files of at most ${kib} KiB`, problem: problem ?? (await fault.recovered()) };
      }
    } finally {
      fault.remove();
    }
  },
};

/** The same limit inside the database, where SQLite itself reports that it is full. */
const FULL_DATABASE: Area = {
  name: 'faults: a database of so many pages',
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    const fault = await FaultHome.prepare(cli, { before: {}, after: FILES });
    try {
      for (const pages of pick(Array.from({ length: 20 }, (_, i) => 2 + i * 3)))
        yield {
          name: `${pages} pages`,
          problem: await fault.outcomeOf({ layer: 'sqlite', nth: pages, action: 'pages' }),
        };
    } finally {
      fault.remove();
    }
  },
};

/** Readers while another process creates the database. */
const CREATION: Area = {
  name: 'faults: readers while the database is created',
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    const fault = await FaultHome.prepare(cli, { before: FILES, after: FILES });
    try {
      for (const round of pick([1, 2, 3, 4, 5, 6])) {
        fault.restore();
        for (const end of ['', '-wal', '-shm']) rmSync(`${fault.database}${end}`, { force: true });
        const start = (line: readonly string[]) => watched(cli.start(line, { home: fault.home, ...ENV }));
        const runs = await Promise.all([
          start(['ingest', '--json', '--quiet']),
          ...Array.from({ length: round }, () => start(['search', 'wombat', '--json'])),
          start(['doctor']),
        ]);
        const problem = runs.map(problemOfRun).find((each) => each !== null) ?? null;
        yield { name: `${round} readers`, problem: problem ?? (await fault.recovered()) };
      }
    } finally {
      fault.remove();
    }
  },
};

/** Faults caused by other processes, and by the system itself. */
export const CROWD_AREAS: readonly Area[] = [CROWDS, SMALL_DISK, FULL_DATABASE, CREATION];
