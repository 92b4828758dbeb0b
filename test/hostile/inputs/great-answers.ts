import { rmSync } from 'node:fs';
import type { Area, Outcome } from '../harness/area.ts';
import { McpServer } from '../harness/mcp-server.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { LEXICAL } from './knowledge-base.ts';

const DOCUMENTS = 4000;
const LINES = 400_000;
/** The one document of 20 MB; all others have one passage each. */
const LARGE = 'large.txt';
const PASSAGE = 'The wombat of this note digs a hole in the garden by the river.';

/** A command with a very large answer: its expected output, or the expected error code. */
interface Great {
  readonly name: string;
  readonly line: readonly string[];
  readonly stdin?: string;
  readonly holds: (stdout: string) => boolean;
  /** The expected error code. */
  readonly code?: string;
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;
const bulk = `${JSON.stringify({ query: 'wombat', mode: 'lexical', k: 100 })}\n`.repeat(100);

const GREAT: readonly Great[] = [
  { name: 'all documents, as JSON', line: ['list', 'docs', '--json'], holds: (out) => countOf(out, '\n') === DOCUMENTS + 1 },
  { name: 'all documents, for people', line: ['list', 'docs'], holds: (out) => out.includes(`${DOCUMENTS + 1} documents`) },
  { name: 'ten thousand hits of a hundred searches', line: ['search', '--bulk', '--json'], stdin: bulk, holds: (out) => countOf(out, '"search_hit.v1"') === 10_000 },
  { name: 'the last page of hits', line: ['search', 'wombat', '-k', '100', '--page', '10', '--json'], holds: (out) => out.includes('"rank":1000,') },
  { name: 'a page behind the last one', line: ['search', 'wombat', '-k', '100', '--page', '11', '--json'], holds: () => true, code: 'invalid_input' },
  { name: 'twenty-five thousand hits of one search', line: ['search', 'wombat', '-k', '25000', '--json'], holds: () => true, code: 'invalid_input' },
  { name: 'a document of 20 MB', line: ['get', LARGE, '--no-pager'], holds: (out) => countOf(out, '\n') >= LINES },
  { name: 'a document of 20 MB, as JSON', line: ['get', LARGE, '--json'], holds: (out) => out.length > 20 * LINES },
  { name: 'a line of a document of 20 MB', line: ['get', `${LARGE}:${LINES}`], holds: (out) => out.includes(`line ${LINES} `) },
  { name: 'as much of a document of 20 MB as was asked for', line: ['get', LARGE, '--max-tokens', '1000', '--json'], holds: (out) => out.length < 8000 },
  { name: 'every document, read', line: ['get', 'n/**', '--max-tokens', '100000000', '--json'], holds: (out) => countOf(out, PASSAGE) === DOCUMENTS },
]; // prettier-ignore

/** Far below the memory for a whole answer, and far above that for a part of it. */
const MAX_MEMORY_MB = 700;

/** Answers that are large because there are many documents: within bounded time and memory, complete or an error with a code. */
export const GREAT_ANSWERS: Area = {
  name: 'answers of great size',
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    const home = cli.newHome();
    const server = new McpServer(cli, home, LEXICAL);
    try {
      for (let i = 0; i < DOCUMENTS; i++) home.write(`n/${i % 50}/${i}.md`, `# Note ${i}\n\n${PASSAGE}\n`);
      home.write(
        LARGE,
        Array.from({ length: LINES }, (_, i) => `line ${i + 1} of a document that is very long\n`).join(''),
      );
      const ingest = await watched(cli.start(['ingest', '--quiet'], { home, env: LEXICAL }));
      if (ingest.code !== 0) throw new Error(`the documents could not be indexed: ${ingest.stderr}`);
      for (const { name, line, stdin, holds, code } of pick(GREAT)) {
        const bounds = { stdin, maxMemoryMb: MAX_MEMORY_MB, deadlineMs: 30_000 };
        const run = await watched(cli.start(line, { home, env: LEXICAL }), bounds);
        const isRight =
          code === undefined ? run.code === 0 && holds(run.stdout) : run.stderr.includes(`"code":"${code}"`);
        yield { name, problem: problemOfRun(run) ?? (isRight ? null : `not the answer: ${run.stdout.slice(0, 200)}`) };
      }
      for (const limit of pick([1000, 1001, 25_000, 1e9])) {
        const { problem, answer } = await server.call('list_docs', { limit });
        const isRefused = answer?.result?.isError === true;
        yield {
          name: `list_docs of ${limit}`,
          problem: problem ?? (isRefused === limit > 1000 ? null : 'not bounded'),
        };
      }
      const { problem, answer } = await server.call('fetch', { path: LARGE });
      const size = JSON.stringify(answer).length;
      yield { name: 'fetch of 20 MB', problem: problem ?? (size < 2 ** 20 ? null : `an answer of ${size} characters`) };
    } finally {
      server.close();
      rmSync(home.folder, { recursive: true, force: true });
    }
  },
};
