import { cpSync, existsSync, readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isKebabError } from '@kebab/core';
import { afterEach, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const CASES = fileURLToPath(new URL('../../shared/cases/asking', import.meta.url));
const arePresent = existsSync(path.join(CASES, 'servers.jsonl')) && existsSync(path.join(CASES, 'double.mjs'));

/** What must be true of an answer; one of several outcomes is enough. */
interface Outcome {
  readonly grounded?: boolean;
  /** Exit codes. */
  readonly code?: readonly number[];
  readonly says?: readonly string[];
  readonly not?: readonly string[];
  readonly proxied?: boolean;
  readonly auth?: string;
}

/** A server, and what becomes of a question to it. */
interface ServerCase {
  readonly id: string;
  readonly title: string;
  readonly provider: string;
  readonly endpoint: string;
  readonly key?: string;
  readonly session?: boolean;
  readonly proxy?: { readonly vars: readonly string[] };
  readonly script: object;
  readonly expect: readonly Outcome[];
}

/** A started double. */
interface Double {
  readonly url: string;
  readonly port: number;
  chats(): readonly { readonly auth: string | null }[];
  close(): void;
}

const cases: readonly ServerCase[] = arePresent
  ? readFileSync(path.join(CASES, 'servers.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ServerCase)
  : [];

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A proxy that leads every request to one port, and counts them. */
async function startProxy(port: number): Promise<{ readonly url: string; readonly count: () => number }> {
  let count = 0;
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    count++;
    const { pathname, search } = new URL(asked.url ?? '/', 'http://unknown');
    const { method, headers } = asked;
    const onward = request({ host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    asked.pipe(onward);
  });
  server.on('connect', (_, socket: Socket) => {
    count++;
    const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

/** The outcome of a question over the notes of a corpus. */
async function outcomeOf(
  one: ServerCase,
): Promise<Required<Omit<Outcome, 'not' | 'says'>> & { readonly said: string }> {
  const { startDouble } = (await import(pathToFileURL(path.join(CASES, 'double.mjs')).href)) as {
    readonly startDouble: (script: object) => Promise<Double>;
  };
  const double = await startDouble(one.script);
  closers.push(() => double.close());
  const proxy = one.proxy === undefined ? null : await startProxy(double.port);
  const home = new UserHome();
  closers.push(() => home.remove());
  cpSync(path.join(CASES, 'corpus', 'larkfield'), home.notes, { recursive: true });
  const app = await home.open({
    KEBAB_MODELS_LLM_PROVIDER: one.provider,
    KEBAB_MODELS_LLM_MODEL: 'tiny:latest',
    KEBAB_MODELS_LLM_ENDPOINT: one.endpoint.startsWith('http') ? one.endpoint : `${double.url}${one.endpoint}`,
    KEBAB_MODELS_LLM_API_KEY: one.key ?? '',
    KEBAB_RAG_SCORE_GATE: '0',
    ...Object.fromEntries((one.proxy?.vars ?? []).map((name) => [name, proxy?.url ?? ''])),
  });
  await app.ingest();
  const question = 'When was the pump station commissioned?';
  const session = one.session === true ? { session: 's' } : {};
  try {
    if (one.session === true) await app.ask({ question, ...session });
    const answer = await app.ask({ question, ...session });
    const { grounded, failure = '' } = answer;
    return {
      grounded,
      code: [grounded ? 0 : 1],
      said: `${answer.answer} ${failure}`,
      proxied: (proxy?.count() ?? 0) > 0,
      auth: double.chats().at(-1)?.auth ?? '',
    };
  } catch (error) {
    if (!isKebabError(error)) throw error;
    return { grounded: false, code: [2], said: `${error.message} ${error.hint}`, proxied: false, auth: '' };
  }
}

describe('the shared cases of model servers', () => {
  it.skipIf(arePresent)('are not beside this checkout (../shared/cases/asking), so they are skipped', () => {
    expect(cases).toEqual([]);
  });

  it.each(cases)('$id: $title', { timeout: 60_000 }, async (one) => {
    const { said, ...real } = await outcomeOf(one);
    const isMet = (wanted: Outcome): boolean =>
      (wanted.grounded === undefined || wanted.grounded === real.grounded) &&
      (wanted.proxied === undefined || wanted.proxied === real.proxied) &&
      (wanted.auth === undefined || wanted.auth === real.auth) &&
      (wanted.code?.includes(real.code[0] ?? -1) ?? true) &&
      (wanted.says ?? []).every((words) => new RegExp(words, 'i').test(said)) &&
      !(wanted.not ?? []).some((words) => new RegExp(words, 'i').test(said));
    expect(one.expect.some(isMet), JSON.stringify({ ...real, said })).toBe(true);
  });
});
