import { platform } from 'node:process';
import type { Open } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { launchPlan, launchProgram } from '../io/launch.ts';
import { printable } from '../io/printable.ts';
import { citedQueryOf } from './snap.ts';

const NOTICES = {
  changed: 'the file changed since it was ingested: the place may have moved',
  deleted: 'the file no longer exists',
} as const;

/** `kebab open`: shows where the file of a cited place is, and with `--launch` opens it there. */
export async function open(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const app = await context.openApp();
  const place = await app.locate(await citedQueryOf(context, app), { signal });
  if (values.has('launch')) {
    const plan = launchPlan(place, { platform, variable: (name) => context.variable(name) });
    const hasTerminal = context.io.stdin.isTerminal && context.io.stdout.isTerminal;
    await launchProgram(plan, place.path, { hasTerminal });
  }
  await context.show(place, renderPlace);
  if (place.place !== undefined) context.note(`in the file: ${printable(place.place)}`);
  if (place.freshness !== 'fresh') context.note(`notice: ${NOTICES[place.freshness]}`);
  return EXIT.ok;
}

/** The place as terminals and editors follow it: `/notes/a.md:12`, `/papers/a.pdf#page=3`, `/photos/b.png`. */
function renderPlace({ path, line, page }: Open): string {
  const place = `${path}${line === null ? '' : `:${line}`}${page === null ? '' : `#page=${page}`}`;
  return `${printable(place)}\n`;
}
