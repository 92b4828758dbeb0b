import path from 'node:path';
import { builtinsOf, type OpenAppOptions } from '../composition/open-app.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { databaseFile, type ResolvedConfig } from '../config/resolved-config.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { maskAddresses } from '../schema/mask-secrets.ts';
import type { ServiceStatus } from '../wire/index.ts';
import { BUILD, type ServiceState } from './messages.ts';
import { ServiceClient } from './service-client.ts';
import { addressOf, socketOf, socketsIn, withdrawStart } from './service-place.ts';

/** Longer than a service is busy at a stretch, even while it loads a model on a busy machine. */
const ANSWER_MS = 10_000;
/** A service that is asked to end first finishes the calls in progress. */
const STOP_MS = 10_000;

/**
 * Queries the state of the service of the configured knowledge base, whatever its version. Throws `io_error` if the service does not
 * answer, and any error of resolving the configuration.
 */
export async function serviceStatus(options: OpenAppOptions, answerMs = ANSWER_MS): Promise<ServiceStatus> {
  return askService(await ownPlace(options), { answerMs, stops: false });
}

/** Asks the service to end, waits until it has, and returns its last state. A service that is about to start ends before it listens. */
export async function stopService(options: OpenAppOptions, answerMs = ANSWER_MS): Promise<ServiceStatus> {
  const place = await ownPlace(options);
  withdrawStart(place.socket);
  return askService(place, { answerMs, stops: true });
}

async function askService(
  place: OwnPlace,
  { answerMs, stops }: { readonly answerMs: number; readonly stops: boolean },
): Promise<ServiceStatus> {
  const isThere = socketsIn(path.dirname(place.socket)).includes(place.socket);
  const client = isThere ? await ServiceClient.connect(place.address) : null;
  try {
    const state = (await client?.status(answerMs)) ?? null;
    if (state === null && client?.isOpen === true) throw silent(place.address, answerMs);
    const status = statusOf(place, state);
    if (client === null || state === null || !stops) return status;
    await client.stop(answerMs);
    return { ...status, is_running: !(await client.closed(STOP_MS)) };
  } finally {
    client?.close();
  }
}

function silent(address: string, answerMs: number): KebabError<'io_error'> {
  const cause = `it has not answered for ${answerMs / 1000} s`;
  return new KebabError('io_error', `the kebab service at ${address} hangs: ${cause}`, {
    details: { kind: 'ETIMEDOUT', path: address, cause },
    hint: 'try again, or end the process `kebab serve` yourself; until then commands work without it',
  });
}

interface OwnPlace {
  readonly socket: string;
  readonly address: string;
  readonly database: string;
}

async function ownPlace(options: OpenAppOptions): Promise<OwnPlace> {
  const { environment, flags = {} } = options;
  const builtins = await builtinsOf(options);
  const { config } = await resolveConfig({
    ...environment,
    flags: { config: flags.config, user: flags.user },
    builtins,
  });
  const socket = await socketOf(environment, config.storage.sqlite);
  return { socket, address: addressOf(socket), database: databaseFile(config) ?? serverOf(config) };
}

/** The server with the documents, without user and password. */
function serverOf({ storage }: ResolvedConfig): string {
  const section = (storage as Readonly<Record<string, unknown>>)[storage.documentStore];
  const url = (section as { readonly url?: unknown } | undefined)?.url;
  return typeof url === 'string' && url !== '' ? maskAddresses(url) : storage.documentStore;
}

function statusOf({ address, database }: OwnPlace, state: ServiceState | null): ServiceStatus {
  const status = { schema_version: 'service_status.v1', is_running: state !== null, address, database } as const;
  if (state === null) return { ...status, service: null };
  const { build, pid, kebab_version: version, ...others } = state;
  const isUsable = version === KEBAB_VERSION && build === BUILD;
  return { ...status, service: { pid, kebab_version: version, is_usable: isUsable, ...others } };
}
