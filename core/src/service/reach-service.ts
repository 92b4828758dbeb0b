import type { App } from '../app/app.ts';
import type { OpenAppOptions } from '../composition/open-app.ts';
import type { Asker } from './messages.ts';
import { remoteApp } from './remote-app.ts';
import { ServiceClient } from './service-client.ts';
import { addressOf, ASKED_VARIABLE, namesIn, serviceFolder } from './service-place.ts';
import { askedNow } from './stopped-mark.ts';

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

/** Contacts the services of the user, one after another: a service for another knowledge base names the right one. */
export async function reach(asker: Asker, { environment, isLasting }: OpenAppOptions): Promise<Reached> {
  const folder = serviceFolder(environment);
  if (folder === null) return { client: null, mayStart: false };
  const names = namesIn(folder);
  const queue = [...names];
  for (let tried = 0; tried < MAX_TRIED; tried++) {
    const name = queue.shift();
    if (name === undefined) break;
    const client = await ServiceClient.connect(addressOf(folder, name));
    const answer = (await client?.hello(asker, isLasting === true ? LASTING_HELLO_MS : HELLO_MS)) ?? null;
    if (answer?.kind === 'welcome') return { client, mayStart: true };
    client?.close();
    if (answer?.kind !== 'refused') continue;
    if (answer.why === 'elsewhere') {
      if (!queue.includes(answer.name)) return { client: null, mayStart: !names.includes(answer.name) };
      queue.splice(0, queue.length, answer.name);
    } else if (answer.why !== 'version') return { client: null, mayStart: false };
  }
  return { client: null, mayStart: true };
}

/** The App of a service that accepted. When the service ends, a long-lived process searches for another one, and starts it if it may. */
export function overService(client: ServiceClient, asker: Asker, options: OpenAppOptions): App {
  return remoteApp({
    client,
    readonly: asker.readonly,
    openHere: async () => (await (await import('../composition/open-app.ts')).openEngine(options)).app,
    reachAgain: async () => {
      if (options.isLasting !== true) return null;
      const again = await reach(asker, options);
      if (again.client !== null || !again.mayStart || asker.readonly) return again.client;
      return options.serviceCommand === undefined ? null : startAndReach(asker, options);
    },
  });
}

/** Starts a service, and waits until it answers; null when it does not in time. */
export async function startAndReach(asker: Asker, options: OpenAppOptions): Promise<ServiceClient | null> {
  startService(options);
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, START_POLL_MS));
    const { client, mayStart } = await reach(asker, options);
    if (client !== null || !mayStart) return client;
  }
  return null;
}

/** Starts a service that outlives this process. A failure to start it is ignored. */
export function startService({ serviceCommand = [], environment, flags = {} }: OpenAppOptions): void {
  const [program, ...args] = serviceCommand;
  if (program === undefined) return;
  const config = flags.config === undefined ? [] : ['--config', flags.config];
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, [...args, ...config, ...(flags.user === true ? ['--user'] : [])], {
    cwd: environment.cwd,
    env: { ...environment.env, [ASKED_VARIABLE]: askedNow() },
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
}
