import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jsonLines, type CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import type { Area, Bench, Outcome } from '../harness/area.ts';
import { problemOfCode, problemOfRun, watched } from '../harness/watched-process.ts';
import { BINARY_FILES } from './binary-content.ts';
import { TEXT_FILES } from './file-content.ts';
import { IGNORE_FILES } from './ignore-files.ts';
import { NAMES, SPECIAL_FILES } from './names.ts';

/** Something hostile planted in a folder. */
export interface Plant {
  readonly name: string;
  readonly plant: (folder: string) => void;
}

/** Plants per ingest; the cause of a failure is found by bisection. */
const GROUP = 24;
const ENVIRONMENT = { KEBAB_INDEXING_EXTRACT_TIMEOUT_S: '5', KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };
const DEADLINE_MS = 20_000;
const DEADLINE_MS_EACH = 2000;

const PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  ...Object.fromEntries(
    Object.entries({ ...TEXT_FILES, ...BINARY_FILES }).map(([area, files]) => [
      area,
      files.map(({ name, file, content }) => ({
        name,
        plant: (folder: string) => writeFileSync(path.join(folder, file), content()),
      })),
    ]),
  ),
  'names of files and folders': NAMES,
  'links and special files': SPECIAL_FILES,
  'ignore files': IGNORE_FILES,
};

/** Folders with hostile content, each between two documents that must be found afterwards. */
export const FOLDER_AREAS: readonly Area[] = Object.entries(PLANTS).map(([name, plants]) => ({
  name,
  async *replay(bench) {
    const picked = bench.pick(plants);
    for (let from = 0; from < picked.length; from += GROUP) yield* replayGroup(bench, picked.slice(from, from + GROUP));
  },
}));

async function* replayGroup(bench: Bench, plants: readonly Plant[]): AsyncGenerator<Outcome> {
  const { run, items } = await ingest(bench, plants);
  const [only] = plants;
  if (run === null) yield* plants.map(({ name }, i) => ({ name, problem: items[i] ?? null }));
  else if (plants.length === 1 && only !== undefined) yield { name: only.name, problem: run };
  else {
    const half = Math.ceil(plants.length / 2);
    yield* replayGroup(bench, plants.slice(0, half));
    yield* replayGroup(bench, plants.slice(half));
  }
}

/** The problem of the whole run, or else that of each plant. */
interface Judged {
  readonly run: string | null;
  readonly items: readonly (string | null)[];
}

async function ingest({ cli }: Bench, plants: readonly Plant[]): Promise<Judged> {
  const home = cli.newHome();
  try {
    const folders = plants.map((each, i) => plantBetween(home, each, i));
    const line = ['ingest', '--json', '--quiet'];
    const deadlineMs = DEADLINE_MS + plants.length * DEADLINE_MS_EACH;
    const run = await watched(cli.start(line, { home, env: ENVIRONMENT }), { deadlineMs });
    const problem = problemOfRun(run);
    if (problem !== null) return { run: problem, items: [] };
    const report = jsonLines(run.stdout).at(-1) as { items?: readonly ReportItem[] } | undefined;
    if (report?.items === undefined) return { run: `no report: ${run.stderr.slice(0, 300)}`, items: [] };
    const { items } = report;
    const lost = await lostControls({ cli }, home, plants.length);
    return { run: lost, items: folders.map((folder) => problemIn(items, folder)) };
  } finally {
    rmSync(home.folder, { recursive: true, force: true });
  }
}

interface ReportItem {
  readonly doc_path: string;
  readonly error_code: string | null;
  readonly error: string | null;
}

/** Only errors have a code; skipped and ingested files have none. */
function problemIn(items: readonly ReportItem[], folder: string): string | null {
  for (const { doc_path, error_code, error } of items) {
    if (error_code === null || !doc_path.startsWith(`${folder}/`)) continue;
    const problem = problemOfCode(error_code);
    if (problem !== null) return `${problem}: ${String(error)}`;
  }
  return null;
}

/** A word that occurs in one control document and nowhere else. */
function mark(index: number): string {
  const letters = String(index)
    .padStart(4, '0')
    .replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');
  return `wombat${letters}`;
}

function plantBetween(home: CliHome, { plant }: Plant, i: number): string {
  const folder = `f${String(i).padStart(3, '0')}`;
  home.write(`${folder}/aaa.md`, `# Control\n\nabout ${mark(2 * i)}\n`);
  home.write(`${folder}/zzz.md`, `# Control\n\nabout ${mark(2 * i + 1)}\n`);
  const hostile = path.join(home.workspace, folder, 'hostile');
  mkdirSync(hostile);
  plant(hostile);
  return folder;
}

async function lostControls({ cli }: Pick<Bench, 'cli'>, home: CliHome, count: number): Promise<string | null> {
  const marks = Array.from({ length: 2 * count }, (_, i) => mark(i));
  const stdin = marks.map((query) => `${JSON.stringify({ query, mode: 'lexical', k: 1 })}\n`).join('');
  const line = ['search', '--bulk', '--json', '--quiet'];
  const run = await watched(cli.start(line, { home, env: ENVIRONMENT }), { stdin });
  const problem = problemOfRun(run);
  if (problem !== null) return problem;
  const found = jsonLines(run.stdout) as readonly { response: { hits: readonly unknown[] } | null }[];
  const lost = marks.filter((_, i) => found[i]?.response?.hits.length !== 1);
  return lost.length === 0 ? null : `${lost.length} of ${marks.length} documents beside it are not found`;
}
