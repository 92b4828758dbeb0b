import { platform } from 'node:process';
import { serveUi } from '@kebab/web';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openInBrowser } from '../io/launch.ts';

/** `kebab ui`: serves pages to one browser on this machine until it is interrupted. */
export async function ui(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const readonly = context.readonly || !values.has('write');
  const server = await serveUi({
    open: () => context.openOwnApp({ isLasting: true, readonly }),
    port: values.number('port') ?? 0,
  });
  try {
    context.print(`${server.entrance}\n`);
    context.note('this address lets one browser in; Ctrl-C stops');
    if (!values.has('no-open') && !(await openInBrowser(server.entrance, platform)))
      context.note('no browser could be started: open the address yourself');
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  } finally {
    await server.close();
  }
  return EXIT.ok;
}
