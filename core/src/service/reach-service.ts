import type { App } from '../app/app.ts';
import type { OpenAppOptions } from '../composition/open-app.ts';
import type { Caller } from './messages.ts';
import { remoteApp } from './remote-app.ts';
import { ServiceClient } from './service-client.ts';
import {
  addressOf,
  AUTOSTART_VARIABLE,
  requestStart,
  serviceFolder,
  socketOf,
  socketsIn,
  withdrawStart,
} from './service-place.ts';

/** A service that takes longer to answer hello is too busy to be useful; a long-lived process has more to gain, and waits longer. */
const HELLO_MS = 500;
const LASTING_HELLO_MS = 5000;
/** Far more services than anyone has knowledge bases in use. */
const MAX_TRIED = 8;
/** How long a long-lived process waits for the service that it started. */
const START_MS = 3000;
const START_POLL_MS = 25;

/** A service that accepted; and, when there is none, whether a newly started one would. */
export interface Reached {
  readonly client: ServiceClient | null;
  readonly mayStart: boolean;
}

/** Contacts the services of the user, one after another; only the one of the caller's database with the caller's settings accepts. */
export async function reach(caller: Caller, { environment, isLasting }: OpenAppOptions): Promise<Reached> {
  const folder = serviceFolder(environment);
  if (folder === null) return { client: null, mayStart: false };
  for (const socket of socketsIn(folder).slice(0, MAX_TRIED)) {
    const client = await ServiceClient.connect(addressOf(socket));
    const answer = (await client?.hello(caller, isLasting === true ? LASTING_HELLO_MS : HELLO_MS)) ?? null;
    if (answer?.kind === 'welcome') return { client, mayStart: true };
    client?.close();
    if (answer?.kind === 'refused' && answer.why === 'settings') return { client: null, mayStart: false };
  }
  return { client: null, mayStart: true };
}

/** The App of a service that accepted; what the service does not do, and everything once it has ended, is done here. */
export function overService(client: ServiceClient, caller: Caller, options: OpenAppOptions): App {
  const { openedFiles: files } = client;
  if (files === null) throw new TypeError('the service has not accepted');
  return remoteApp({
    client,
    files,
    readonly: caller.readonly,
    openHere: async () => (await (await import('../composition/open-app.ts')).openEngine(options)).app,
  });
}

/** Starts the service of a database, and waits until it answers; null when it does not in time. */
export async function startAndReach(
  caller: Caller,
  options: OpenAppOptions,
  database: string,
): Promise<ServiceClient | null> {
  await startService(options, database);
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, START_POLL_MS));
    const { client, mayStart } = await reach(caller, options);
    if (client !== null || !mayStart) return client;
  }
  return null;
}

/** Starts the service of a database, which outlives this process. A failure to start it is ignored. */
export async function startService(
  { serviceCommand = [], environment, flags = {} }: OpenAppOptions,
  database: string,
): Promise<void> {
  const [program, ...args] = serviceCommand;
  if (program === undefined) return;
  const config = flags.config === undefined ? [] : ['--config', flags.config];
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const socket = await socketOf(environment, database);
    requestStart(socket);
    const child = spawn(program, [...args, ...config, ...(flags.user === true ? ['--user'] : [])], {
      cwd: environment.cwd,
      env: { ...environment.env, [AUTOSTART_VARIABLE]: '1' },
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => withdrawStart(socket));
    child.unref();
  } catch {
    // nothing can listen in a folder that cannot be written to
  }
}
