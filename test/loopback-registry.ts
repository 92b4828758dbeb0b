import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };

/** A package in `package-lock.json`; `name` is set when it is installed under another name. */
interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
}

interface Release {
  readonly manifest: Manifest;
  readonly integrity: string;
  readonly tarball: () => Uint8Array;
}

/**
 * An npm registry on loopback: it serves what is published to it and, from npm's cache, the packages installed in this repository. It
 * contacts no other registry.
 */
export class LoopbackRegistry {
  readonly #releases = new Map<string, Map<string, Release>>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async open(): Promise<LoopbackRegistry> {
    const registry = new LoopbackRegistry(createServer());
    registry.#takeInstalled();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Publishes a tarball packed by npm. */
  publish(tarball: string): void {
    const bytes = readFileSync(tarball);
    const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
    this.#add(JSON.parse(text) as Manifest, integrityOf(bytes), () => bytes);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #add(manifest: Manifest, integrity: string, tarball: () => Uint8Array): void {
    const releases = this.#releases.get(manifest.name) ?? new Map<string, Release>();
    this.#releases.set(manifest.name, releases.set(manifest.version, { manifest, integrity, tarball }));
  }

  #takeInstalled(): void {
    const cache = path.join(execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(), '_cacache');
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, LockedPackage>>;
    };
    for (const [place, { name, version, integrity }] of Object.entries(packages)) {
      // A package locked under an alias may also be installed under its own name.
      const places = name === undefined ? [place] : [place, `node_modules/${name}`];
      const manifests = places.map((one) => path.join(root, one, 'package.json')).filter((file) => existsSync(file));
      const manifest = manifests
        .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest)
        .find((one) => one.version === version);
      if (integrity === undefined || manifest === undefined) continue;
      const hash = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      const content = path.join(cache, 'content-v2', 'sha512', hash.slice(0, 2), hash.slice(2, 4), hash.slice(4));
      if (!existsSync(content)) continue;
      this.#add(manifest, integrity, () => readFileSync(content));
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const [name = '', file] = decodeURIComponent(pathname.slice(1)).split('/-/');
    if (request.method === 'PUT') return send(response, 201, this.#receive(await bodyOf(request)));
    if (pathname === '/-/v1/search') return send(response, 200, this.#search(searchParams.get('text') ?? ''));
    const releases = this.#releases.get(name);
    if (releases === undefined) return send(response, 404, { error: 'Not found' });
    if (file === undefined) return send(response, 200, this.#packument(name, [...releases.values()]));
    const release = [...releases.values()].find(({ manifest }) => file === `${manifest.version}.tgz`);
    if (release === undefined) return send(response, 404, { error: 'Not found' });
    response.end(release.tarball());
  }

  #packument(name: string, releases: readonly Release[]): unknown {
    const versions = releases.map(({ manifest, integrity }) => {
      const tarball = `${this.url}${name}/-/${manifest.version}.tgz`;
      return [manifest.version, { ...manifest, dist: { integrity, tarball } }] as const;
    });
    return { name, 'dist-tags': { latest: versions.at(-1)?.[0] }, versions: Object.fromEntries(versions) };
  }

  #receive(body: string): unknown {
    const { versions, _attachments: attached } = JSON.parse(body) as {
      readonly versions: Readonly<Record<string, Manifest>>;
      readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
    };
    const [manifest, attachment] = [Object.values(versions)[0], Object.values(attached)[0]];
    if (manifest === undefined || attachment === undefined) return { ok: false };
    const bytes = Buffer.from(attachment.data, 'base64');
    this.#add(manifest, integrityOf(bytes), () => bytes);
    return { ok: true };
  }

  /** Supports `keywords:WORD`, and words of names and descriptions. */
  #search(text: string): unknown {
    const latest = [...this.#releases.values()].flatMap((releases) => [...releases.values()].at(-1)?.manifest ?? []);
    const found = latest.filter(({ name, description, keywords }) =>
      text.split(' ').every((word) => {
        const keyword = /^keywords:(.*)$/.exec(word)?.[1];
        return keyword === undefined ? `${name} ${String(description)}`.includes(word) : isIn(keywords, keyword);
      }),
    );
    return { objects: found.map((manifest) => ({ package: { ...manifest, maintainers: [] } })), total: found.length };
  }
}

function isIn(list: unknown, word: string): boolean {
  return Array.isArray(list) && list.includes(word);
}

function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
