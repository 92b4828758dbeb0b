import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { makeFolder } from '../files/make-folder.ts';
import { xdgFolders, xdgValue } from '../config/expand-path.ts';

/** The environment that determines where services are found. */
export interface PlaceWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

/** Where the service of a database listens: the folder, and a name in it. */
export interface ServicePlace {
  readonly folder: string;
  readonly name: string;
}

/**
 * The variable that tells a service when it was asked for, in nanoseconds of the system's monotonic clock, which all processes share. A
 * service that a user runs himself has no such variable.
 */
export const ASKED_VARIABLE = 'KEBAB_SERVICE_ASKED';

/** The maximum length of a Unix socket address including its terminator: 104 bytes on macOS, 108 on Linux. */
const MAX_ADDRESS_BYTES = 103;
const EXTENSION = '.sock';
const NAME_DIGITS = 12;
const NAME = /^[0-9a-f]{12}\.sock$/;

/**
 * The folder for the sockets of a user's services: in the state folder, which is the same for a terminal, an agent and cron; if the address
 * would be too long there, in `XDG_RUNTIME_DIR`. Null when neither fits.
 */
export function serviceFolder({ env, homeDir }: PlaceWorld): string | null {
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

/** The name of the service of a database, from its hash in hex digits. */
export function serviceNameOf(hash: string): string {
  return `${hash.slice(0, NAME_DIGITS)}${EXTENSION}`;
}

/** The address of the service with this name. */
export function addressOf(folder: string, name: string): string {
  const file = `${folder}/${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\kebab-${file.replaceAll(/[^\w.]/g, '-')}` : file;
}

/** The names of possible services; empty if another user might have put them there. */
export function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    return names.length === 0 || !isPrivate(folder)
      ? []
      : names.filter((name) => isOwn(lstatSync(`${folder}/${name}`)));
  } catch {
    return []; // no folder, so no service
  }
}

/** Creates the folder, accessible only to the user. Throws when others may write to it, or it is not a folder. */
export function makeServiceFolder(folder: string): void {
  makeFolder(folder, { mode: 0o700 });
  if (isOwn(lstatSync(folder)) && process.platform !== 'win32') chmodSync(folder, 0o700);
  if (!isPrivate(folder)) throw new Error(`${folder} is not a folder of this user alone`);
}

function isPrivate(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && isOwn(found) && (process.platform === 'win32' || (found.mode & 0o077) === 0);
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
