import { createHash, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidInput } from '../errors/invalid-input.ts';

/** The address on which kebab serves HTTP unless `access.listen` names another: other machines cannot reach it. */
export const LOOPBACK_ADDRESS = '127.0.0.1';

const MAX_PORT = 65_535;

/** Where a server listens: a port of an address, and what else to do where that is not possible. */
interface ListenOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** The loopback address by default. */
  readonly address?: string | undefined;
  readonly hint: string;
}

/**
 * Makes a server listen, and resolves with its port. Rejects with `invalid_input`, with the hint, when the port is out of range, taken, or
 * not for this user, and when this machine does not have the address.
 */
export async function listenAt(
  server: Server,
  { port, address = LOOPBACK_ADDRESS, hint }: ListenOptions,
): Promise<number> {
  const refusal = (reason: string): Error =>
    invalidInput(`port ${port} ${reason}`, { field: 'port', value: String(port), hint });
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw refusal(`does not exist: ports go from 0 to ${MAX_PORT}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(refusal('is in use: another program listens there'));
      else if (error.code === 'EACCES') reject(refusal('is reserved for the administrator of this machine'));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(invalidInput(`this machine has no address ${address}`, { field: 'access.listen', value: address }));
      else reject(error);
    });
    server.listen(port, address, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Host names that always mean this machine. */
const LOOPBACK_NAMES = new Set([LOOPBACK_ADDRESS, 'localhost', '[::1]']);

/** Whether a `Host` header names this machine at this port. A page of another name that resolves here (DNS rebinding) sends its own name. */
export function isLoopbackHost(host: string | undefined, port: number): boolean {
  const [, name, number = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host ?? '') ?? [];
  return name !== undefined && LOOPBACK_NAMES.has(name.toLowerCase()) && Number(number) === port;
}

/** Whether a secret that was sent is the server's own. Digests are compared, so that the duration does not reveal where two strings differ. */
export function equalsSecret(sent: string, own: string): boolean {
  return timingSafeEqual(digest(sent), digest(own));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
