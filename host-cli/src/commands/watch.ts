import type { App, WatchEvent } from '@kebab/core/app';
import { setPriority } from 'node:os';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import { counted, durationText } from '../screen/quantities.ts';

/** How nice it is to other processes: what they do goes first. */
const NICENESS = 5;

/** `kebab watch`: takes in what changes in the folders, until Ctrl-C. */
export async function watch(context: CommandContext): Promise<ExitCode> {
  const { signal } = context;
  beNice();
  context.note('following the folders; Ctrl-C stops');
  for (let ingestsFirst = !context.values.has('no-ingest'); !signal.aborted; ingestsFirst = false) {
    const app = await context.openOwnApp();
    try {
      await follow(app, { ingestsFirst }, context);
    } finally {
      await app.close();
    }
  }
  return EXIT.ok;
}

/** Shows events until the signal fires, the database is another one (a reset, a copy put in its place), or the service has ended that told of them. */
async function follow(app: App, options: { readonly ingestsFirst: boolean }, context: CommandContext): Promise<void> {
  for await (const event of app.watch({ ...options, signal: context.signal })) {
    if (context.json) context.printJson(event);
    else {
      const line = lineOf(event);
      if (line !== null && !context.quiet) context.print(`${printable(`${timeOf(event)}  ${line}`)}\n`);
    }
    if (context.io.stdout.closed) return;
  }
}

function beNice(): void {
  try {
    setPriority(NICENESS);
  } catch {
    // where that is not allowed it goes on as it is
  }
}

function timeOf({ ts }: WatchEvent): string {
  return new Date(ts).toLocaleTimeString('en-GB');
}

/** What people see of an event; null for what does not concern them. */
function lineOf(event: WatchEvent): string | null {
  switch (event.kind) {
    case 'watching':
      return event.how === 'events'
        ? `watching ${counted(event.directories, 'folder')}`
        : `looking at ${counted(event.directories, 'folder')} from time to time: ${event.reason}; remedy: ${event.hint}`;
    case 'ingested':
      return ingestedLine(event);
    case 'embedded':
      return event.pending === 0
        ? 'all documents have their vectors'
        : `${counted(event.pending, 'document')} to embed`;
    case 'waiting':
      return `waiting (${event.reason}): ${event.hint}`;
    case 'degraded':
      return `without vectors for now (${event.reason}): ${event.hint}`;
    case 'replaced':
      return `the database is another one: opening ${event.database} again`;
    case 'error':
      return `error ${event.error.code}: ${event.error.message}`;
    default:
      return event satisfies never;
  }
}

const MAX_NAMED = 3;

function ingestedLine(event: Extract<WatchEvent, { kind: 'ingested' }>): string | null {
  const { new: added, updated, purged, errors, left, ms, paths } = event;
  const counts = [
    [added, 'new'],
    [updated, 'updated'],
    [purged, 'removed'],
    [errors, 'failed'],
    [left, 'gone at once and kept'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (parts.length === 0) return null;
  const named = paths.slice(0, MAX_NAMED).map(({ doc_path }) => doc_path);
  const more = added + updated + purged + errors - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${parts.join(', ')} in ${durationText(ms)}${names === '' ? '' : `: ${names}`}`;
}
