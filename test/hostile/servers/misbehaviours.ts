import { gzipSync } from 'node:zlib';
import type { Asked, Misbehaviour } from './hostile-proxy.ts';

const MIB = 2 ** 20;
const json: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** The answer of the sound server with other headers. */
const soundWith =
  (headers: Readonly<Record<string, string>>): Misbehaviour =>
  ({ response, sound }) =>
    void response.writeHead(sound.status, { ...sound.headers, ...headers }).end(sound.body);

/** A large body, created on request. */
const answeringLarge =
  (bodyOf: () => string | Uint8Array, headers = json): Misbehaviour =>
  (asked) =>
    answering(200, bodyOf(), headers)(asked);

/** A status with a body, with the content type of the sound server's answer unless another is given. */
export const answering =
  (status: number, body: string | Uint8Array, headers?: Readonly<Record<string, string>>): Misbehaviour =>
  ({ response, sound }) =>
    void response
      .writeHead(status, headers ?? { 'content-type': sound.headers['content-type'] ?? 'text/plain' })
      .end(body);

/** The answer of the sound server with changed content. */
export const changed =
  (change: (value: never, body: string) => unknown): Misbehaviour =>
  ({ response, sound, body }) => {
    const value = change(JSON.parse(sound.body.toString('utf8')) as never, body);
    response.writeHead(sound.status, json).end(JSON.stringify(value));
  };

/** 400 KB that decompress to 300 MiB: concatenated compressed parts form one answer. */
const bomb = (): Uint8Array => {
  const part = gzipSync(Buffer.alloc(30 * MIB, ' '));
  return Buffer.concat(Array.from({ length: 10 }, () => part));
};

/** Writes for as long as the client listens. */
export const endless =
  (part: string | Uint8Array, { everyMs = 0, type = 'application/json' } = {}): Misbehaviour =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': type });
    const more = (): void => {
      if (response.destroyed) return;
      if (everyMs > 0) setTimeout(() => response.write(part, more), everyMs);
      else response.write(part, () => setImmediate(more));
    };
    more();
  };

const redirected =
  (status: number): Misbehaviour =>
  ({ response, elsewhere }) =>
    void response.writeHead(status, { location: `${elsewhere}/stolen` }).end();

/** Writes to the connection itself. */
const raw =
  (bytes: string): Misbehaviour =>
  ({ response }) =>
    void response.socket?.end(bytes, 'latin1');

const half = ({ response, sound }: Asked): void => {
  response.writeHead(sound.status, { ...sound.headers, 'content-length': String(sound.body.length) });
  response.write(sound.body.subarray(0, sound.body.length / 2), () => response.socket?.destroy());
};

const errorOf = (text: string): string => JSON.stringify({ error: text, status: { error: text } });

/** Bad answers to any request for JSON. */
export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  'closes the connection': ({ response }) => void response.socket?.destroy(),
  'resets the connection': ({ response }) => void response.socket?.resetAndDestroy(),
  'closes the connection in the middle': half,
  'says nothing': () => undefined,
  'sends a header and nothing more': ({ response }) => response.writeHead(200, json).flushHeaders(),
  'sends nothing': answering(200, ''),
  'sends null': answering(200, 'null'),
  'sends a number': answering(200, '7'),
  'sends a text': answering(200, '"text"'),
  'sends a list': answering(200, '[]'),
  'sends an empty object': answering(200, '{}'),
  'sends an object of nothing but a prototype': answering(200, '{"__proto__":{"polluted":true},"result":{"__proto__":{}}}'),
  'sends broken JSON': answering(200, '{"result": {"points": ['),
  'sends two values': answering(200, '{}{}'),
  'sends nested lists': answering(200, '['.repeat(200_000)),
  'sends nested objects': answering(200, `${'{"result":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  'sends no UTF-8': answering(200, Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d, 0xc3)),
  'sends UTF-16': answering(200, Buffer.from('{"result":{}}', 'utf16le')),
  'sends HTML': answering(200, '<html><body>Sign in to the network</body></html>', { 'content-type': 'text/html' }),
  'sends its answer as HTML': soundWith({ 'content-type': 'text/html' }),
  'sends its answer as binary': soundWith({ 'content-type': 'application/octet-stream' }),
  'claims to have compressed what it did not': soundWith({ 'content-encoding': 'gzip' }),
  'sends a bomb': answeringLarge(bomb, { ...json, 'content-encoding': 'gzip' }),
  'sends 64 MiB of spaces': answeringLarge(() => Buffer.alloc(64 * MIB, ' ')),
  'never ends its answer': endless(Buffer.alloc(MIB, ' ')),
  'never ends a list': endless('1,'.repeat(MIB / 2)),
  'sends a byte now and then': endless(' ', { everyMs: 100 }),
  'is not HTTP': raw('SSH-2.0-OpenSSH_9.6\r\n'),
  'sends a header of a megabyte': raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(MIB)}\r\n\r\n{}`),
  'sends chunks of no length': raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
  'announces more than it sends': raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{}'),
  'sends a status of its own': raw('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}'),
  'sends 204': ({ response }) => void response.writeHead(204).end(),
  ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`sends elsewhere with ${status}`, redirected(status)])),
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 413, 422, 500, 503].map((status) => [`refuses with ${status}`, answering(status, errorOf('no'), json)]),
  ),
  'refuses and never ends to say why': ({ response }) => {
    response.writeHead(500, json);
    const more = (): void => void (response.destroyed || response.write(Buffer.alloc(MIB, 'x'), () => setImmediate(more)));
    more();
  },
  'refuses with escape sequences': answering(400, errorOf('\u001b[2J\u001b]0;PWNED\u0007'), json),
  'refuses with a text of a megabyte': answering(500, errorOf('x'.repeat(MIB)), json),
  'refuses with a stack trace': answering(500, errorOf('Error: no\n    at Object.<anonymous> (/srv/model.js:1:1)'), json),
  'is busy for a year': answering(429, errorOf('slow down'), { ...json, 'retry-after': '31536000' }),
  'is busy until a date that is none': answering(429, errorOf('slow down'), { ...json, 'retry-after': 'tomorrow' }),
  'is down for a year': answering(503, errorOf('later'), { ...json, 'retry-after': '31536000' }),
}; // prettier-ignore

/** One request that is answered badly. */
export interface BadAnswer {
  readonly name: string;
  readonly route: RegExp;
  readonly answer: Misbehaviour;
}

/** Bad answers to one request. */
export function badAnswers(route: RegExp, answers: Readonly<Record<string, Misbehaviour>>): readonly BadAnswer[] {
  const door = route.source.replaceAll(/[\\^$]/g, '');
  return Object.entries(answers).map(([name, answer]) => ({ name: `${door} ${name}`, route, answer }));
}
