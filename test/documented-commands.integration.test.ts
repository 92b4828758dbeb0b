import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeOllama, type FakeOllama } from '@kebab/ollama-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandBlocks, differenceFrom, runCommands } from './run-documented-commands.ts';

const checkout = fileURLToPath(new URL('../', import.meta.url));
const CLI = path.join(checkout, 'host-cli/bin/kebab.cjs');
const TIMEOUT_MS = 120_000;

/** The model's answers to the questions in the pages; it knows nothing else. */
const ANSWERS: readonly (readonly [asked: RegExp, answer: string])[] = [
  [/Is green tea bitter\?/, 'Boiling water makes it bitter [1].'],
  [/budget of the offsite\?/, 'The budget is 4,200 euros [1].'],
  [/the plan in/, 'Ship the importer in April [1].'],
  [/does the dough ferment\?/, 'Let the dough ferment for four to five hours at 24 degrees [1].'],
];

/** Answers from the passages, as a good model does. */
function answerTo(prompt: string): string {
  const degrees = /steeped at (\d+) degrees/.exec(prompt)?.[1];
  const known = ANSWERS.find(([asked]) => asked.test(prompt))?.[1];
  if (known !== undefined) return known;
  return degrees === undefined ? 'I do not know.' : `Green tea is steeped at ${degrees} degrees for three minutes [1].`;
}

let model: FakeOllama;
beforeAll(async () => {
  model = await startFakeOllama({
    models: {
      'qwen2.5:14b-instruct': { contextTokens: 32_768, capabilities: ['completion'] },
      'qwen3:8b': { contextTokens: 32_768, capabilities: ['completion'] },
    },
    reply: ({ messages = [] }) => answerTo(messages.map(({ content }) => content).join('\n')),
  });
});
afterAll(() => model.close());

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** A fresh home of a user with kebab on the PATH. `npm ci` and `npm test` do nothing here, since this test is part of what they run. */
function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'kebab-docs-'));
  homes.push(home);
  const bin = path.join(home, '.bin');
  mkdirSync(bin);
  program(path.join(bin, 'kebab'), `exec "${process.execPath}" "${CLI}" "$@"`);
  program(path.join(bin, 'npx'), '[ "$1" = kebab ] || exit 9; shift; exec kebab "$@"');
  program(path.join(bin, 'npm'), 'case "$1" in ci | test) ;; *) exit 9 ;; esac');
  return home;
}

/** Creates what the other pages assume: notes, and two more folders. */
function fillHome(home: string): void {
  cpSync(path.join(checkout, 'examples/notes'), path.join(home, 'notes'), { recursive: true });
  for (const folder of ['team/notes', 'papers']) {
    mkdirSync(path.join(home, folder), { recursive: true });
    writeFileSync(path.join(home, folder, 'a.md'), `# ${folder}\n`);
  }
}

function program(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

function environmentOf(home: string): Readonly<Record<string, string>> {
  const env = {
    HOME: home,
    PATH: `${home}/.bin:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
    KEBAB_MODELS_LLM_ENDPOINT: model.url,
  };
  return env;
}

/** Pages about programming and developing kebab, whose commands users do not type. */
const LEFT_OUT = new Set(['docs/writing-a-plugin.md']);
const pages = [
  'README.md',
  ...readdirSync(path.join(checkout, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe.skipIf(!existsSync('/bin/bash'))('the commands in a documentation page (skipped without bash)', () => {
  it.each(pages.filter((page) => !LEFT_OUT.has(page)))(
    'of %s run in order in a fresh home, and print the documented output',
    async (page) => {
      const content = readFileSync(path.join(checkout, page), 'utf8');
      const blocks = commandBlocks(content);
      const run = blocks.filter(({ skipped }) => skipped === null);
      const commands = run.flatMap((block) => block.commands.map((command) => ({ ...command, line: block.line })));
      if (commands.length === 0) return;
      const home = newHome();
      // The README starts in the checkout; most other pages assume that the reader has followed it.
      const inCheckout = page === 'README.md' || content.includes('\n<!-- run in the checkout -->\n');
      if (!inCheckout) fillHome(home);
      const before = inCheckout ? [] : ['kebab add ~/notes && kebab ingest --quiet', 'cd ~/notes'];
      const texts = [...before, ...commands.map(({ text }) => text)];
      const cwd = inCheckout ? checkout : home;
      const results = (await runCommands(texts, { cwd, env: environmentOf(home) })).slice(before.length);
      const problems = results.flatMap(({ text: typed, code, output }, at) => {
        const { output: printed, line } = commands[at] ?? { output: null, line: 0 };
        const where = `${page}:${line}: $ ${typed}`;
        // A command with a placeholder in it finds nothing.
        const isWell = code === 0 || (code === 1 && typed.includes('…'));
        if (printed === null) return isWell ? [] : [`${where}\nended with ${code}:\n${output}`];
        const difference = code > 1 && code !== 3 ? `ended with ${code}:\n${output}` : differenceFrom(printed, output);
        return difference === null ? [] : [`${where}\n${difference}`];
      });
      expect(problems.join('\n\n')).toBe('');
    },
    TIMEOUT_MS,
  );

  it('are skipped only with a reason', () => {
    const skipped = pages.flatMap((page) =>
      commandBlocks(readFileSync(path.join(checkout, page), 'utf8')).flatMap((block) => block.skipped ?? []),
    );
    for (const reason of skipped) expect(reason.length).toBeGreaterThan(10);
  });
});
