import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/protocol/surface.ts';
import { serveStdio } from '../src/transport/serve-stdio.ts';
import { kebabSurface } from '../src/kebab-surface.ts';
import { call, initialize, type Called } from './fakes/call.ts';
import type { Connection } from './fakes/connection.ts';
import { ingest, newHome, type TestHome } from './fakes/test-home.ts';

const CASES = new URL('../../../shared/cases/agents/', import.meta.url);
const KINDS = [
  'arguments-coercion',
  'params-null',
  'old-clients',
  'list-cost',
  'text-equals-structure',
  'long-line-paging',
  'agent-tasks',
];
const hasCases = existsSync(new URL('list-cost/cases.json', CASES));

/** A file of a project; the README of the cases describes each member. */
interface ProjectFile {
  readonly path: string;
  readonly count?: number;
  readonly text?: string;
  readonly join?: string;
  readonly lines?: readonly string[];
  readonly head?: readonly string[];
  readonly repeat?: { readonly count: number; readonly lines: readonly string[] };
  readonly tail?: readonly string[];
}

interface AgentCase extends JsonObject {
  readonly id: string;
  readonly check: string;
  readonly kind: string;
}

interface FilePlace {
  readonly path: string;
  readonly on: string;
}

interface GrepFile {
  readonly path: string;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

interface Kind {
  readonly projects?: Readonly<Record<string, { readonly from?: string; readonly files?: readonly ProjectFile[] }>>;
  readonly cases: readonly AgentCase[];
}

function kindNamed(name: string): Kind {
  return JSON.parse(readFileSync(new URL(`${name}/cases.json`, CASES), 'utf8')) as Kind;
}

/** The call that does the job of a role. */
const AGENT_CALLS: Readonly<Record<string, (each: AgentCase) => readonly [string, JsonObject]>> = {
  definition: ({ name }) => ['symbol', { name }],
  references: ({ name }) => ['symbol', { name, find: 'references' }],
  outline: ({ path: place }) => ['fetch', { path: place, kind: 'outline' }],
  read: ({ path: place }) => ['fetch', { path: place }],
};
const cases = hasCases
  ? KINDS.flatMap((kind) => kindNamed(kind).cases.map((each): AgentCase => ({ ...each, kind }))).filter(
      ({ check, role }) => check !== 'agent' || role === 'grep' || Object.hasOwn(AGENT_CALLS, role as string),
    )
  : [];
const TOOLS: Readonly<Record<string, string>> = {
  search: 'search',
  read: 'fetch',
  list: 'list_docs',
  bulk: 'bulk_search',
  grep: 'grep',
};

/** `{n}` is the number of a repetition, `{nn}` padded, `{n/50}` divided, `{60000 x}` so many letters. */
function filled(line: string, at: number): string {
  return line
    .replaceAll(/\{n\/(\d+)\}/g, (_match, by: string) => String(Math.floor(at / Number(by))))
    .replaceAll(/\{(n+)\}/g, (_match, letters: string) => String(at).padStart(letters.length, '0'))
    .replaceAll(/\{(\d+) (.)\}/g, (_match, times: string, letter: string) => letter.repeat(Number(times)));
}

function contentOf({ text, join = '\n', lines = [], head = [], repeat, tail = [] }: ProjectFile, at: number): string {
  if (text !== undefined) return filled(text, at);
  const repeated = Array.from(
    { length: repeat?.count ?? 0 },
    (_, n) => repeat?.lines.map((line) => filled(line, n)) ?? [],
  );
  return `${[...head, ...lines.map((line) => filled(line, at)), ...repeated.flat(), ...tail].join(join)}${join}`;
}

function writeProject(kind: string, name: string, folder: string): void {
  const { from, files = [] } = kindNamed(kind).projects?.[name] ?? {};
  mkdirSync(folder, { recursive: true });
  if (from !== undefined) cpSync(new URL(`${kind}/${from}`, CASES), folder, { recursive: true });
  for (const file of files)
    for (let at = 0; at < (file.count ?? 1); at++) {
      const target = path.join(folder, filled(file.path, at));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, contentOf(file, at));
    }
}

describe.skipIf(!hasCases)('an agent, its host and its habits (skipped without ../shared)', { timeout: 60_000 }, () => {
  const homes = new Map<string, TestHome>();
  const connections = new Map<string, Connection>();

  beforeAll(async () => {
    for (const kind of KINDS)
      for (const project of Object.keys(kindNamed(kind).projects ?? { none: {} })) {
        const home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
        rmSync(home.workspace, { recursive: true });
        writeProject(kind, project, home.workspace);
        await ingest(home);
        homes.set(`${kind} ${project}`, home);
        const connection = home.connection();
        await initialize(connection);
        connections.set(`${kind} ${project}`, connection);
      }
  }, 120_000);
  afterAll(() => Promise.all([...homes.values()].map((home) => home.close())));

  const connectionOf = ({ kind, project = 'none' }: AgentCase): Connection => {
    const connection = connections.get(`${kind} ${project as string}`);
    if (connection === undefined) throw new Error(`${kind} has no project ${project as string}`);
    return connection;
  };
  const textOf = ({ content }: Called): string => content[0]?.text ?? '';

  /** Reads a place page by page. */
  const pagesOf = async (connection: Connection, tool: string, args: JsonObject): Promise<readonly Called[]> => {
    const pages: Called[] = [];
    for (let cursor: unknown; pages.length < 200;) {
      const page = await call(connection, tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.isError).toBeUndefined();
      pages.push(page);
      cursor = page.structuredContent['next_cursor'] ?? undefined;
      if (cursor === undefined) return pages;
    }
    throw new Error('the pages have no end');
  };

  const CHECKS: Readonly<Record<string, (each: AgentCase) => Promise<void>>> = {
    'same-call': async (each) => {
      const tool = TOOLS[each['role'] as string] ?? '';
      const called = await call(connectionOf(each), tool, each['arguments'] as JsonObject);
      expect(called.isError).toBeUndefined();
      const like = await call(connectionOf(each), tool, each['like'] as JsonObject);
      expect(called.structuredContent).toEqual(like.structuredContent);
    },
    refused: async (each) => {
      const called = await call(
        connectionOf(each),
        TOOLS[each['role'] as string] ?? '',
        each['arguments'] as JsonObject,
      );
      expect(called.isError).toBe(true);
    },
    rpc: async (each) => {
      const home = homes.get(`${each.kind} none`);
      const lines: string[] = [];
      const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'client', version: '1' } };
      const sent = [{ jsonrpc: '2.0', id: 'open', method: 'initialize', params: opening }, each['send']];
      await serveStdio({
        surface: kebabSurface((home as TestHome).live()),
        input: bytes(sent.map((message) => `${JSON.stringify(message)}\n`).join('')),
        write: (line) => lines.push(line),
      });
      const answers = lines.map((line) => JSON.parse(line) as JsonObject).filter(({ id }) => id !== 'open');
      if (each['want'] === 'silence') expect(answers).toEqual([]);
      else expect(answers).toMatchObject([{ [each['want'] as string]: {} }]);
    },
    revision: async (each) => {
      const connection = (homes.get(`${each.kind} none`) as TestHome).connection();
      const { result } = (await connection.request({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: each['revision'], capabilities: {}, clientInfo: { name: 'client', version: '1' } },
      })) as { readonly result?: JsonObject };
      const allowed = (each['answers'] as readonly unknown[] | undefined) ?? [each['revision']];
      expect(allowed).toContain(result?.['protocolVersion']);
      const { content } = await call(connection, 'schema');
      expect(content.map(({ type }) => type)).toEqual(['text']);
    },
    'list-cost': async (each) => {
      const pages = await pagesOf(connectionOf(each), 'list_docs', {});
      for (const form of [textOf, ({ structuredContent }: Called) => JSON.stringify(structuredContent)])
        expect(pages.map(form).join('').length / 4).toBeLessThanOrEqual(each['tokens'] as number);
      const files = pages.flatMap(({ structuredContent }) => structuredContent['folders'] as { files: string[] }[]);
      expect(files.flatMap((folder) => folder.files)).toHaveLength(each['files'] as number);
    },
    'same-text': async (each) => {
      const args = { query: each['query'], ...(each['arguments'] as JsonObject | undefined) };
      const found = await call(connectionOf(each), 'search', args);
      const hits = found.structuredContent['hits'] as readonly { readonly uri: string; readonly snippet: string }[];
      expect(hits.length).toBeGreaterThan(0);
      for (const { uri, snippet } of hits) {
        expect(textOf(found)).toContain(uri);
        expect(textOf(found)).toContain(snippet);
      }
    },
    grep: async (each) => {
      const { pattern, regex } = each;
      const called = await call(connectionOf(each), TOOLS[each['role'] as string] ?? '', {
        pattern,
        ...(regex === undefined ? {} : { regex }),
      });
      expect(called.isError).toBeUndefined();
      const shown = textOf(called).split('\n');
      const placesOf = (places: unknown): readonly string[] =>
        ((places ?? []) as readonly FilePlace[]).map(({ path: file, on }) => {
          const { workspace } = homes.get(`${each.kind} ${each['project'] as string}`) as TestHome;
          const lines = readFileSync(path.join(workspace, file), 'utf8').split('\n');
          const at = lines.findIndex((line) => line.includes(on));
          return `${file}:${at + 1}:${lines[at]}`;
        });
      const lines = (called.structuredContent['files'] as readonly GrepFile[]).flatMap((file) =>
        file.lines.map(({ line, text }) => `${file.path}:${line}:${text}`),
      );
      for (const form of [shown, lines]) {
        expect(form).toEqual(expect.arrayContaining([...placesOf(each['places'])]));
        for (const other of placesOf(each['not'])) expect(form).not.toContain(other);
      }
      if (each['none'] === true) expect(lines).toEqual([]);
    },
    'read-holds': async (each) => {
      expect(textOf(await call(connectionOf(each), 'fetch', { path: each['path'] }))).toContain(each['holds']);
    },
    agent: async (each) => {
      const [tool, args] = AGENT_CALLS[each['role'] as string]?.(each) ?? ['', {}];
      const called = await call(connectionOf(each), tool, args);
      expect(called.isError).toBeUndefined();
      const text = textOf(called);
      const { workspace } = homes.get(`${each.kind} ${each['project'] as string}`) as TestHome;
      const numberOf = (file: string, on: string): number =>
        readFileSync(path.join(workspace, file), 'utf8')
          .split('\n')
          .findIndex((line) => line.includes(on)) + 1;
      const isPlaced = ({ path: file, on }: { readonly path: string; readonly on: string }): boolean => {
        const number = numberOf(file, on);
        expect(number).toBeGreaterThan(0);
        if (each['role'] !== 'outline') return text.includes(`${file}:${number}:`);
        return text.includes(file) && new RegExp(`^ *${number}(?:-\\d+)? `, 'm').test(text);
      };
      const places = (key: string) => (each[key] ?? []) as readonly { readonly path: string; readonly on: string }[];
      expect(places('places').filter((place) => !isPlaced(place))).toEqual([]);
      expect(places('not').filter(isPlaced)).toEqual([]);
      for (const name of (each['names'] ?? []) as readonly string[]) expect(text).toContain(name);
      for (const name of (each['paths'] ?? []) as readonly string[]) expect(text).toContain(path.basename(name));
      for (const name of (each['skipped'] ?? []) as readonly string[]) expect(text).toContain(name);
      for (const key of ['from', 'to'])
        if (each[key] !== undefined) {
          const number = numberOf(each['path'] as string, each[key] as string);
          expect(text).toMatch(new RegExp(`^${number}:.*${escaped(each[key] as string)}`, 'm'));
        }
    },
    paging: async (each) => {
      const pages = await pagesOf(connectionOf(each), 'fetch', { path: each['path'] });
      expect(new Set(pages.map(textOf)).size).toBe(pages.length);
      const whole = pages.map(({ structuredContent }) => structuredContent['text'] as string).join('');
      for (const needle of each['needles'] as readonly string[]) expect(whole).toContain(needle);
    },
    cited: async (each) => {
      const found = await call(connectionOf(each), 'search', { query: each['query'] });
      const [hit] = found.structuredContent['hits'] as readonly { readonly uri: string }[];
      const pages = await pagesOf(connectionOf(each), 'fetch', { uri: hit?.uri });
      expect(pages.map(({ structuredContent }) => structuredContent['text'] as string).join('')).toContain(
        each['needle'],
      );
    },
  };

  it.each(cases)('$kind: $id', async (each) => {
    const check = CHECKS[each['role'] === 'grep' ? 'grep' : each.check];
    if (check === undefined) throw new Error(`unknown check ${each.check}`);
    await check(each);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
