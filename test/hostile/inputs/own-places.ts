import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import type { Area, Bench, Outcome } from '../harness/area.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { inKnowledgeBase, LEXICAL } from './knowledge-base.ts';

/** Paths of kebab's own files, relative to the home folder. */
const PLACES: readonly string[] = [
  'data/kebab/kebab.sqlite',
  'data/kebab/kebab.sqlite-wal',
  'data/kebab/kebab.lock.sqlite',
  'data/kebab/kebab.lock',
  'data/kebab/models',
  'data/kebab/models/multilingual-e5-small',
  'data/kebab/plugins',
  'data/kebab',
  'config/kebab/config.toml',
  'config/kebab/trust.json',
  'config/kebab',
  'state/kebab',
  'cache/kebab/embeddings.sqlite',
  'cache/kebab/code',
  'cache/kebab',
  'KnowledgeBase/kebab.json',
  'KnowledgeBase/.kebabignore',
];

/** Things that may be there instead. */
const THINGS: Readonly<Record<string, (place: string) => void>> = {
  'a pipe': (place) => void execFileSync('mkfifo', [place]),
  'a folder': (place) => mkdirSync(path.join(place, 'x'), { recursive: true }),
  'a socket': (place) => bound(place),
  'a link to a device': (place) => symlinkSync('/dev/zero', place),
  'a link to a pipe of the system': (place) => symlinkSync('/proc/self/fd/0', place),
  'a link to itself': (place) => symlinkSync(path.basename(place), place),
  'a link to nothing': (place) => symlinkSync('/nowhere/at/all', place),
  'an empty file': (place) => writeFileSync(place, ''),
  'a file of a terabyte': (place) => {
    writeFileSync(place, '');
    truncateSync(place, 2 ** 40);
  },
};

/** A socket path has at most 107 bytes, so the socket is bound by a short relative path. */
function bound(place: string): void {
  const short = mkdtempSync(path.join(tmpdir(), 's-'));
  try {
    symlinkSync(path.dirname(place), path.join(short, 's'));
    const listen = "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    spawnSync(process.execPath, ['-e', listen, path.join(short, 's', path.basename(place))]);
  } finally {
    rmSync(short, { recursive: true });
  }
}

const COMMANDS: readonly (readonly string[])[] = [
  ['search', 'wombat', '--json'],
  ['ingest', '--json', '--quiet'],
  ['doctor'],
  ['reset', '--data-only', '--yes', '--json'],
  ['config', 'set', 'search.default_k', '7', '--json'],
  ['trust', '.', '--json'],
];

interface Place {
  readonly place: string;
  readonly thing: string;
  readonly line: readonly string[];
}

/** Each place with one of the first three commands, and a third of them also with one of the others. */
const ALL: readonly Place[] = PLACES.flatMap((place, i) =>
  Object.keys(THINGS).flatMap((thing, j) =>
    COMMANDS.filter((_, at) => (at < 3 ? (i + j + at) % 3 === 0 : (i + j + at) % 9 === 0)).map((line) => ({
      place,
      thing,
      line,
    })),
  ),
);

/** Something else in place of one of kebab's own files or folders: the command fails or works without it, and never blocks. */
export const OWN_PLACES: Area = {
  name: 'things in the place of its own files',
  isLong: true,
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      const kept = `${home.folder}-kept`;
      cpSync(home.folder, kept, { recursive: true, preserveTimestamps: true });
      try {
        for (const each of bench.pick(ALL)) {
          const name = `${each.thing} as ${each.place}, ${each.line[0]}`;
          yield { name, problem: await withThing(bench, home, each) };
          rmSync(home.folder, { recursive: true, force: true });
          cpSync(kept, home.folder, { recursive: true, preserveTimestamps: true });
        }
      } finally {
        rmSync(kept, { recursive: true, force: true });
      }
    }),
};

async function withThing({ cli }: Bench, home: CliHome, { place, thing, line }: Place): Promise<string | null> {
  const full = path.join(home.folder, place);
  mkdirSync(path.dirname(full), { recursive: true });
  rmSync(full, { recursive: true, force: true });
  THINGS[thing]?.(full);
  const run = await watched(cli.start(line, { home, cwd: home.workspace, env: LEXICAL }), { deadlineMs: 20_000 });
  return problemOfRun(run);
}
