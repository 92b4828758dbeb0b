import { platform } from 'node:process';
import { type PastSearches, serveUi } from '@kebab/web';
import type { CommandContext } from '../command/command-context.ts';
import { readHistory, savedRequest, unsavedName } from '../command/search-history.ts';
import { launchPlan, launchProgram, openInBrowser } from '../io/launch.ts';
import { searchCommand } from './search-notices.ts';

/** Minutes after which a server that no terminal shows ends when nobody looks at it. */
const IDLE_MINUTES = 30;
const MS_PER_MINUTE = 60_000;

/** `kebab ui`: serves pages to one browser on this machine until it is interrupted, or nobody has looked at them for long. */
export async function ui(context: CommandContext): Promise<void> {
  const { values, io } = context;
  const isSeen = io.stdin.isTerminal || io.stderr.isTerminal;
  const minutes = values.number('idle') ?? (isSeen ? 0 : IDLE_MINUTES);
  const idle = new AbortController();
  const signal = AbortSignal.any([context.signal, idle.signal]);
  const readonly = context.readonly || !values.has('write');
  const variable = (name: string): string | undefined => context.variable(name);
  const isRemote = variable('SSH_CONNECTION') !== undefined; // the browser is on another machine
  const server = await serveUi({
    open: () => context.openOwnApp({ isLasting: true, readonly }),
    port: values.number('port') ?? 0,
    mayWrite: !readonly,
    edit:
      readonly || isRemote
        ? undefined
        : (place) =>
            launchProgram(launchPlan(place, { platform, variable, hasTerminal: false }), place.path, {
              hasTerminal: false,
            }),
    pastSearches: () => pastSearches(context),
    idle: minutes === 0 ? undefined : { afterMs: minutes * MS_PER_MINUTE, onIdle: () => idle.abort() },
  });
  try {
    context.print(`${server.entrance}\n`);
    context.note('this address lets one browser in; Ctrl-C stops');
    if (!values.has('no-open') && !(await openInBrowser(server.entrance, platform)))
      context.note('no browser could be started: open the address yourself');
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    if (idle.signal.aborted)
      context.note(`nobody has looked at the pages for ${minutes} minutes: the server has ended`);
  } finally {
    await server.close();
  }
}

/** The searches of the terminal. */
function pastSearches(context: CommandContext): PastSearches {
  const { saved, searches } = readHistory(context);
  return {
    saved: Object.entries(saved).map(([name, request]) => ({ name, command: searchCommand(request) })),
    requestOf: (query) => savedRequest(context, { query }),
    unsavedIn: (query, response) => unsavedName(context, query, response),
    searches: searches.map(({ request, hits }) => {
      const isPlain = Object.keys(request).length === 1;
      return { query: isPlain ? request.query : null, command: searchCommand(request), hits };
    }),
  };
}
