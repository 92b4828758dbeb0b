import { platform } from 'node:process';
import { serveUi } from '@kebab/web';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openInBrowser } from '../io/launch.ts';

/** Minutes after which a server that no terminal shows ends when nobody looks at it. */
const IDLE_MINUTES = 30;
const MS_PER_MINUTE = 60_000;

/** `kebab ui`: serves pages to one browser on this machine until it is interrupted, or nobody has looked at them for long. */
export async function ui(context: CommandContext): Promise<ExitCode> {
  const { values, io } = context;
  const isSeen = io.stdin.isTerminal || io.stderr.isTerminal;
  const minutes = values.number('idle') ?? (isSeen ? 0 : IDLE_MINUTES);
  const idle = new AbortController();
  const signal = AbortSignal.any([context.signal, idle.signal]);
  const readonly = context.readonly || !values.has('write');
  const server = await serveUi({
    open: () => context.openOwnApp({ isLasting: true, readonly }),
    port: values.number('port') ?? 0,
    mayWrite: !readonly,
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
  return EXIT.ok;
}
