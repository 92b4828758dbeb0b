import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { xdgFolders, xdgValue } from '../config/expand-path.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { makeFolder } from '../files/write-atomically.ts';

/** The environment that determines where services are found. */
export interface PlaceEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

/** The maximum length of a Unix socket address including its terminator: 104 bytes on macOS, 108 on Linux. */
const MAX_ADDRESS_BYTES = 103;
const EXTENSION = '.sock';
const NAME_DIGITS = 12;
const NAME = /^[0-9a-f]{12}\.sock$/;

/**
 * The folder for the sockets of a user's services: in the state folder, which is the same for a terminal, an agent and cron; if the address
 * would be too long there, in `XDG_RUNTIME_DIR`. Null when neither fits.
 */
export function serviceFolder({ env, homeDir }: PlaceEnvironment): string | null {
  const runtime = xdgValue(env, 'XDG_RUNTIME_DIR');
  const places = [
    `${xdgFolders(env, homeDir).state}/service`,
    ...(runtime === undefined ? [] : [`${runtime}/kebab/service`]),
  ];
  return places.find(hasRoom) ?? null;
}

function hasRoom(folder: string): boolean {
  const bytes = Buffer.byteLength(folder) + 1 + NAME_DIGITS + EXTENSION.length;
  return bytes <= MAX_ADDRESS_BYTES || process.platform === 'win32';
}

/** The address of a service, from the path of its socket. */
export function addressOf(file: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\kebab-${file.replaceAll(/[^\w.]/g, '-')}` : file;
}

/** The sockets of possible services; empty if another user might have put them there. */
export function socketsIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    if (names.length === 0 || !isPrivate(folder)) return [];
    return names.map((name) => `${folder}/${name}`).filter((file) => isOwn(lstatSync(file)));
  } catch {
    return []; // no folder, so no service
  }
}

/** The socket of the service of a database. Throws `io_error` when no address is short enough. */
export async function socketOf(environment: PlaceEnvironment, database: string): Promise<string> {
  const folder = serviceFolder(environment);
  if (folder === null) {
    const cause = 'the state folder has too long a name for the address of a service';
    throw new KebabError('io_error', cause, {
      details: { kind: 'ENAMETOOLONG', path: null, cause },
      hint: 'set XDG_RUNTIME_DIR, or do without a service: KEBAB_SERVICE=off',
    });
  }
  const { blake3Id } = await import('../domain/blake3.ts');
  return `${folder}/${blake3Id(realPath(database)).slice(0, NAME_DIGITS)}${EXTENSION}`;
}

function realPath(file: string): string {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return file; // a missing folder has no other name
  }
}

/** Creates the folder of a socket, accessible only to the user. Throws when others may write to it, or it is not a folder. */
export function makeServiceFolder(socket: string): void {
  const folder = path.dirname(socket);
  makeFolder(folder, { mode: 0o700 });
  if (isOwn(lstatSync(folder)) && process.platform !== 'win32') chmodSync(folder, 0o700);
  if (!isPrivate(folder)) throw new Error(`${folder} is not a folder of this user alone`);
}

function isPrivate(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOwn(stats) && (process.platform === 'win32' || (stats.mode & 0o077) === 0);
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** The variable that a service has which another command starts: it may listen only while its start is requested. */
export const AUTOSTART_VARIABLE = 'KEBAB_SERVICE_AUTOSTART';

/** Requests the start of a service. */
export function requestStart(socket: string): void {
  makeServiceFolder(socket);
  writeFileSync(requestOf(socket), '', { mode: 0o600 });
}

/** Withdraws the request: a service that is starting ends once it listens. Returns whether there was one. */
export function withdrawStart(socket: string): boolean {
  try {
    unlinkSync(requestOf(socket));
    return true;
  } catch {
    return false;
  }
}

function requestOf(socket: string): string {
  return `${socket}.start`;
}
