// Asks an agent's questions about repositories with kebab's tools and with `rg` and reading, and prints both transcripts side by side.
//   npm run bench:agents -- [--repo flask=FOLDER] [--repo ripgrep=FOLDER] [--repo kebab=FOLDER] [--questions FILE] [--model FOLDER]
//     [--keep FOLDER] [--show ID]
// `kebab` is this checkout unless another folder is named; any other repository that is not named is skipped. --show prints what the calls
// of one question answered. A token is four characters of a call and its answer. `rg` has patterns that are known to find the answer; kebab
// gets the question, or the name in it. Both read what they have found, and read on until
// the answer is there, at most three times. Without --model, searches are by words alone; --keep keeps the indexes for the next run.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { McpClient } from './lib/mcp-client.ts';

const OWN = fileURLToPath(new URL('..', import.meta.url));
/** The ripgrep that kebab itself runs. */
const { rgPath } = createRequire(new URL('../core/', import.meta.url))('@vscode/ripgrep') as {
  readonly rgPath: string;
};
/** The lines that are read at a place, and how often a reader goes on to the next one. */
const READ_LINES = 30;
const MAX_READS = 3;
const TOKENS_RATIO = 1.2;

interface Question {
  readonly repo: string;
  readonly id: string;
  readonly kind: 'definition' | 'references' | 'text' | 'regex' | 'idea' | 'outline';
  readonly question: string;
  readonly name?: string;
  readonly pattern?: string;
  readonly path?: string;
  /** The pattern that somebody who knows the code gives to `rg`. */
  readonly rg?: string;
  /** The lines that answer: path and text. */
  readonly on: readonly (readonly [file: string, text: string])[];
}

/** What an agent did, and what it was answered. */
class Transcript {
  readonly calls: { readonly call: string; readonly answer: string }[] = [];

  add(call: string, answer: string): string {
    this.calls.push({ call, answer });
    return answer;
  }

  get tokens(): number {
    return Math.ceil(this.calls.reduce((sum, { call, answer }) => sum + call.length + answer.length, 0) / 4);
  }

  /** The lines of an answer that no call has shown. */
  missing({ on }: Question): Question['on'] {
    return on.filter(([file, text]) => {
      const sought = flat(text);
      return !this.calls.some(
        ({ call, answer }) => `${call}\n${answer}`.includes(file) && flat(answer).includes(sought),
      );
    });
  }
}

/** Without line numbers at the beginning of lines, and with single spaces. */
function flat(text: string): string {
  return text.replaceAll(/^\d+:/gm, '').replaceAll(/\s+/g, ' ');
}

/** The places `path:line` in an answer, in order. */
function placesIn(answer: string): readonly { readonly file: string; readonly line: number }[] {
  const found = answer.matchAll(/^(?:\d+\. )?(?:[\w.-]+:)?([^\s:#]+)(?:#L|:)(\d+)/gm);
  return [...found].map(([, file = '', line]) => ({ file, line: Number(line) }));
}

async function byKebab(one: Question, client: McpClient): Promise<Transcript> {
  const transcript = new Transcript();
  const call = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    const { content } = (await client.call(tool, args)) as { readonly content: readonly { readonly text: string }[] };
    return transcript.add(`${tool} ${JSON.stringify(args)}`, content.map(({ text }) => text).join('\n'));
  };
  const read = ({ file, line }: { readonly file: string; readonly line: number }, to = line + READ_LINES - 1) =>
    call('fetch', { path: file, line_start: line, line_end: to });
  switch (one.kind) {
    case 'definition': {
      const answer = await call('symbol', { name: one.name });
      const [, end] = / \(\d+-(\d+)/.exec(answer) ?? [];
      const [first] = placesIn(answer);
      if (first !== undefined) await read(first, Math.min(Number(end ?? Infinity), first.line + READ_LINES - 1));
      break;
    }
    case 'references':
      await call('symbol', { name: one.name, find: 'references' });
      break;
    case 'text':
    case 'regex':
      await call('grep', { pattern: one.pattern, ...(one.kind === 'regex' ? { regex: true } : {}) });
      break;
    case 'idea': {
      const answer = await call('search', { query: one.question, k: 5, media: ['code'] });
      const uris = [...answer.matchAll(/^\d+\. (\S.*?)(?: \[\w+\])?$/gm)].map(([, uri = '']) => uri);
      await readUntilFound(one, transcript, uris, (uri) => call('fetch', { uri }));
      break;
    }
    case 'outline':
      await call('fetch', { path: one.path, kind: 'outline' });
  }
  return transcript;
}

async function byRipgrep(one: Question, root: string): Promise<Transcript> {
  const transcript = new Transcript();
  const rg = (...args: readonly string[]): string =>
    transcript.add(`rg ${args.join(' ')}`, ripgrep(root, [...args, ...(args.includes('--') ? [] : ['--', '.'])]));
  const read = async ({ file, line }: { readonly file: string; readonly line: number }): Promise<string> => {
    const lines = readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .slice(line - 1, line - 1 + READ_LINES);
    return transcript.add(`sed -n ${line},${line + READ_LINES - 1}p ${file}`, lines.join('\n'));
  };
  switch (one.kind) {
    case 'definition': {
      const [first] = placesIn(rg('-n', '-e', one.rg ?? ''));
      if (first !== undefined) await read(first);
      break;
    }
    case 'references':
      rg('-nw', '-e', one.name ?? '');
      break;
    case 'text':
      rg('-nF', '-e', one.pattern ?? '');
      break;
    case 'regex':
      rg('-n', '-e', one.pattern ?? '');
      break;
    case 'idea': {
      const answer = rg('-n', '-i', '-e', one.rg ?? '');
      // Who knows the code opens the file of the answer, at the matches nearest before it.
      const files = new Set(one.on.map(([file]) => file));
      const places = placesIn(answer).filter(({ file }) => files.has(file));
      const first = places.find(({ file, line }) => isAnswer(root, one, { file, line })) ?? places[0];
      await readUntilFound(one, transcript, first === undefined ? [] : [first, ...places], read);
      break;
    }
    case 'outline':
      rg('-n', '-e', one.rg ?? '', '--', one.path ?? '');
  }
  return transcript;
}

/** Reads place after place until the answer is there; the first one in any case, because a line alone answers no question. */
async function readUntilFound<P>(
  one: Question,
  transcript: Transcript,
  places: readonly P[],
  read: (place: P) => Promise<string>,
): Promise<void> {
  for (const place of places.slice(0, MAX_READS)) {
    await read(place);
    if (transcript.missing(one).length === 0) return;
  }
}

/** Whether a line is one of those that answer. */
function isAnswer(root: string, { on }: Question, { file, line }: ReturnType<typeof placesIn>[number]): boolean {
  const written = flat(readFileSync(path.join(root, file), 'utf8').split('\n')[line - 1] ?? '');
  return on.some(([name, text]) => name === file && written.includes(flat(text)));
}

/** What `rg` prints, with paths as the tools of kebab print them. The questions are not part of what is searched. */
function ripgrep(root: string, args: readonly string[]): string {
  try {
    const all = ['--no-config', '--sort=path', '--with-filename', '-g', '!bench/agents', ...args];
    return execFileSync(rgPath, all, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).replaceAll(/^\.\//gm, '');
  } catch (error) {
    if ((error as { readonly status?: number }).status === 1) return '';
    throw error;
  }
}

const { values } = parseArgs({
  options: {
    repo: { type: 'string', multiple: true },
    questions: { type: 'string' },
    keep: { type: 'string' },
    model: { type: 'string' },
    show: { type: 'string', multiple: true },
  },
});
const folders = new Map((values.repo ?? []).map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]));
if (!folders.has('kebab')) folders.set('kebab', OWN);
const file = values.questions ?? path.join(OWN, 'bench/agents/questions.jsonl');
const questions = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Question);
const kept = path.resolve(values.keep ?? mkdtempSync(path.join(tmpdir(), 'kebab-agents-')));

const totals = { asked: 0, missedByKebab: 0, missedByRipgrep: 0, kebab: 0, rg: 0, calls: 0, rgCalls: 0 };
const ratios = new Map<string, { kebab: number; rg: number }>();
console.log('question    kind        kebab: calls tokens lines   rg: calls tokens lines   ratio  missed by kebab');
for (const repo of new Set<string>(questions.map((one): string => one.repo))) {
  const folder = folders.get(repo);
  if (folder === undefined || !existsSync(folder)) {
    console.log(`${repo}: skipped, no repository: --repo ${repo}=FOLDER`);
    continue;
  }
  const root = path.resolve(folder);
  const data = path.join(kept, repo);
  mkdirSync(data, { recursive: true });
  const env = {
    HOME: data,
    PATH: process.env['PATH'] ?? '',
    KEBAB_WORKSPACE_ROOT: root,
    KEBAB_STORAGE_DATA_DIR: data,
    ...(values.model === undefined
      ? { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }
      : {
          KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers',
          KEBAB_MODELS_EMBEDDING_MODEL: path.resolve(values.model),
        }),
    KEBAB_WORKSPACE_EXCLUDE: JSON.stringify(['.git/**', 'node_modules/**', 'bench/agents/**']),
  };
  const program = path.join(OWN, 'host-cli/bin/kebab.cjs');
  execFileSync(process.execPath, [program, 'ingest', '--quiet'], { cwd: data, env, stdio: 'inherit' });
  const client = new McpClient([program, 'mcp'], { env, cwd: data });
  await client.initialize();
  for (const one of questions.filter((each) => each.repo === repo)) {
    const isOutdated = one.on.some(([name, text]) => {
      const place = path.join(root, name);
      return !existsSync(place) || !flat(readFileSync(place, 'utf8')).includes(flat(text));
    });
    if (isOutdated) {
      console.log(`${one.id}: skipped, its answer is not in this version of the repository`);
      continue;
    }
    report(one, await byKebab(one, client), await byRipgrep(one, root));
  }
  await client.close();
}
for (const [kind, { kebab, rg }] of ratios)
  console.log(`${kind.padEnd(12)} tokens ${kebab} beside ${rg}: ${(kebab / rg).toFixed(2)}`);
const ratio = totals.kebab / Math.max(1, totals.rg);
console.log(
  `all ${totals.asked}: kebab missed ${totals.missedByKebab}, ${totals.calls} calls, ${totals.kebab} tokens; ` +
    `rg missed ${totals.missedByRipgrep}, ${totals.rgCalls} calls, ${totals.rg} tokens; ` +
    `ratio ${ratio.toFixed(2)} (at most ${TOKENS_RATIO} is wanted), a token is four characters`,
);
if (values.keep === undefined) rmSync(kept, { recursive: true, force: true });
if (totals.missedByKebab > 0 || ratio > TOKENS_RATIO) process.exitCode = 1;

function report(one: Question, kebab: Transcript, rg: Transcript): void {
  const missed = kebab.missing(one);
  const missedByRipgrep = rg.missing(one);
  totals.asked++;
  totals.missedByKebab += missed.length > 0 ? 1 : 0;
  totals.missedByRipgrep += missedByRipgrep.length > 0 ? 1 : 0;
  totals.kebab += kebab.tokens;
  totals.rg += rg.tokens;
  totals.calls += kebab.calls.length;
  totals.rgCalls += rg.calls.length;
  const sum = ratios.get(one.kind) ?? { kebab: 0, rg: 0 };
  ratios.set(one.kind, { kebab: sum.kebab + kebab.tokens, rg: sum.rg + rg.tokens });
  const side = (transcript: Transcript, count: number): string =>
    `${String(transcript.calls.length).padStart(12)} ${String(transcript.tokens).padStart(6)} ${`${one.on.length - count}/${one.on.length}`.padStart(5)}`;
  console.log(
    `${one.id.padEnd(12)}${one.kind.padEnd(10)}${side(kebab, missed.length)}${side(rg, missedByRipgrep.length)}${(kebab.tokens / rg.tokens).toFixed(2).padStart(8)}  ${missed.map(([name]) => name).join(' ')}`,
  );
  if (values.show?.includes(one.id) === true)
    for (const { call, answer } of [...kebab.calls, ...rg.calls]) console.log(`> ${call}\n${answer}\n`);
}
