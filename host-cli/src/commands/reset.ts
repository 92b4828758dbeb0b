import { invalidInput, type ResetScope } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

const SCOPES: Readonly<Record<string, ResetScope>> = {
  all: 'all',
  'data-only': 'data_only',
  'vector-only': 'vector_only',
  'config-only': 'config_only',
  'orphans-only': 'orphans_only',
};

/** What each scope removes, as asked before it is done. */
const QUESTIONS: Readonly<Record<ResetScope, string>> = {
  all: 'Remove the database, vectors, assets, models, configuration, cache and logs of kebab?',
  data_only: 'Remove the database, vectors and assets of kebab?',
  vector_only: 'Remove all vectors?',
  config_only: 'Remove the configuration file and the list of trusted files?',
  orphans_only: 'Remove the documents whose file is ignored now, or gone?',
};

/** `kebab reset`: removes what kebab made; asks before it does. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const scope = scopeOf(context);
  // Read-only mode refuses anyway, with its own code: nobody needs to be asked.
  if (!values.has('yes') && !context.readonly && !(await confirm(QUESTIONS[scope], context))) {
    context.tell('nothing was removed');
    return EXIT.ok;
  }
  const app = await context.openApp();
  const report = await app.reset(scope, { signal });
  await context.show(report, async () => (await import('../render/reset.ts')).renderReset);
  return EXIT.ok;
}

function scopeOf({ values }: CommandContext): ResetScope {
  const given = Object.keys(SCOPES).filter((flag) => values.has(flag));
  const [flag = 'data-only'] = given;
  if (given.length > 1) {
    const flags = given.map((name) => `--${name}`).join(' and ');
    throw invalidInput(`reset takes one of its scopes, not ${flags}`, { field: 'scope', value: flags });
  }
  return SCOPES[flag] ?? 'data_only';
}

async function confirm(question: string, { io, signal, json }: CommandContext): Promise<boolean> {
  if (json || !io.stdin.isTerminal || !io.stderr.isTerminal)
    throw invalidInput('reset needs --yes where nobody can be asked', {
      field: '--yes',
      hint: 'run `kebab reset --yes` if you mean it',
    });
  io.stderr.print(`${question} [y/N] `);
  for await (const typed of io.stdin.read(signal)) return /^\s*y(?:es)?\s*$/i.test(typed);
  return false;
}
