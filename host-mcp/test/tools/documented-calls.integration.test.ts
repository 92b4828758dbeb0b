import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_TOOLS } from '../../src/kebab-surface.ts';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { call } from '../fakes/call.ts';
import type { Connection } from '../fakes/connection.ts';
import { ingest, newHome, type TestHome } from '../fakes/test-home.ts';

const repository = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const [, table = ''] = readFileSync(repository('docs/mcp.md'), 'utf8').split('### The shortest calls');
const CALLS = [...table.matchAll(/^\| `(\w+) (\{.*?\})` \| (.+) \|$/gm)].map(
  ([, tool = '', args = '', answer = '']) => ({
    tool,
    args: JSON.parse(args) as JsonObject,
    answers: [...answer.matchAll(/`([^`]+)`/g)].map(([, said = '']) => said),
  }),
);
/** What needs a model, a history, or leave to write is only required to be a tool. */
const NOT_CALLED: ReadonlySet<string> = new Set(['ask', 'doctor', 'ingest_file', 'ingest_stdin']);

describe('the shortest calls of docs/mcp.md', () => {
  let home: TestHome;
  let connection: Connection;
  beforeAll(async () => {
    home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    cpSync(repository('examples/notes'), home.workspace, { recursive: true });
    await ingest(home);
    connection = home.connection();
  }, 60_000);
  afterAll(() => home.close());

  it('name every tool', () => {
    expect(new Set(CALLS.map(({ tool }) => tool))).toEqual(new Set(ALL_TOOLS.map(({ name }) => name)));
  });

  it.each(CALLS.filter(({ tool, args }) => !NOT_CALLED.has(tool) && args['commits'] === undefined))(
    'answer $tool as written there',
    async ({ tool, args, answers }) => {
      const { content, isError } = await call(connection, tool, args);
      expect(isError).toBeUndefined();
      for (const said of answers) expect(content[0]?.text).toContain(said);
    },
    30_000,
  );
});
