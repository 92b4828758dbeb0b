import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLoopbackServer, type LoopbackServer } from '@kebab/testing';

/** Faults of a hub. */
export interface HubFaults {
  /** Closes a connection after this many bytes of a body; every one of them, or the first `times`. */
  readonly cut?: { readonly afterBytes: number; readonly times?: number };
  /** Sends wrong bytes the first this many times. */
  readonly wrongBytes?: number;
  /** Sends the whole file when a range is requested. */
  readonly ignoresRanges?: boolean;
  /** Answers every request with this status, or the first `times`. */
  readonly status?: { readonly code: number; readonly times?: number };
  /** Reports no checksums and lengths. */
  readonly isSilent?: boolean;
}

/** A request received by the hub. */
export interface HubRequest {
  readonly method: string;
  readonly path: string;
  readonly range: string | null;
}

/** A model hub on loopback with the files of one repository, and optional faults. */
export class LoopbackHub {
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #faults: HubFaults;
  readonly #counts = { cut: 0, wrong: 0, status: 0 };
  #server: LoopbackServer | undefined;
  readonly requests: HubRequest[] = [];

  constructor(files: Readonly<Record<string, string | Uint8Array>>, faults: HubFaults = {}) {
    this.#files = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
    this.#faults = faults;
  }

  /** The commit of every revision of the repository. */
  static readonly COMMIT = '0123456789abcdef0123456789abcdef01234567';

  /** Listens, and returns the address. */
  async start(): Promise<string> {
    this.#server = await startLoopbackServer((request, response) => this.#answer(request, response));
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    this.requests.push({ method, path: url, range: request.headers.range ?? null });
    const { status } = this.#faults;
    if (status !== undefined && this.#counts.status++ < (status.times ?? Infinity))
      return void response.writeHead(status.code).end();
    const content = this.#files.get(decodeURIComponent(/\/resolve\/[^/]+\/(.+)$/.exec(url)?.[1] ?? ''));
    const large = this.#files.get(/^\/large\/(.+)$/.exec(url)?.[1] ?? '');
    if (large !== undefined) return this.#send(request, response, large);
    if (content === undefined) return void response.writeHead(404).end();
    for (const [name, value] of Object.entries(this.#faults.isSilent === true ? {} : headersOf(content)))
      response.setHeader(name, value);
    // Like the real hub: large files are elsewhere, and only the redirect has their checksum.
    if (content.length > LARGE_BYTES)
      return void response.writeHead(302, { location: `/large/${/\/resolve\/[^/]+\/(.+)$/.exec(url)?.[1]}` }).end();
    this.#send(request, response, content);
  }

  #send({ method, headers }: IncomingMessage, response: ServerResponse, content: Buffer): void {
    const { ignoresRanges, cut, wrongBytes = 0, isSilent } = this.#faults;
    const from = ignoresRanges === true ? 0 : Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    if (from > 0 && from >= content.length) return void response.writeHead(416).end();
    const isWrong = method === 'GET' && this.#counts.wrong < wrongBytes;
    if (isWrong) this.#counts.wrong++;
    const body = isWrong ? Buffer.alloc(content.length - from, 1) : content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, isSilent === true ? {} : { 'content-length': body.length });
    if (method === 'HEAD') return void response.end();
    if (cut === undefined || body.length <= cut.afterBytes || this.#counts.cut++ >= (cut.times ?? Infinity))
      return void response.end(body);
    response.write(body.subarray(0, cut.afterBytes), () => setTimeout(() => response.socket?.end(), CUT_DELAY_MS));
  }
}

/** The delay before a connection is cut, because a client drops unread data when a connection breaks. */
const CUT_DELAY_MS = 30;
/** Files above this size are served like large files of the hub. */
const LARGE_BYTES = 1000;

function headersOf(content: Buffer): Readonly<Record<string, string>> {
  const commit = { 'x-repo-commit': LoopbackHub.COMMIT };
  if (content.length <= LARGE_BYTES) {
    const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    return { ...commit, etag: `"${id}"` };
  }
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { ...commit, 'x-linked-etag': `"${sha256}"`, 'x-linked-size': String(content.length) };
}
