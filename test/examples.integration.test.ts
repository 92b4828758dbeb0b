import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli } from '../host-cli/test/fakes/built-cli.ts';
import { EXAMPLES, buildExamples } from '../scripts/build-examples.mjs';

let cli: BuiltCli;

beforeAll(async () => {
  await buildExamples();
  cli = await buildCli();
});

afterAll(async () => {
  await cli.remove();
});

interface Found {
  readonly mode: string;
  readonly hits: readonly {
    readonly doc_path: string;
    readonly retrieval: { readonly retrievers?: readonly object[] };
  }[];
}

describe('the examples', () => {
  it('are a language, a format and a retriever', () => {
    expect(EXAMPLES.map((folder) => path.basename(folder)).toSorted()).toEqual(['code-ruby', 'epub', 'grep-retriever']);
  });

  it.each(EXAMPLES.map((folder) => [path.basename(folder), folder] as const))(
    'pass `kebab plugin test`: %s',
    async (_, folder) => {
      const { code, stdout } = await cli.run(['plugin', 'test', folder, '--json'], { home: cli.newHome() });
      expect({ code, failed: (JSON.parse(stdout) as { readonly failed: number }).failed }).toEqual({
        code: 0,
        failed: 0,
      });
    },
  );

  it('let the grep retriever add hits to a hybrid search that no word finds, as --explain shows', async () => {
    const home = cli.newHome();
    const plugin = EXAMPLES.find((folder) => folder.endsWith('grep-retriever')) ?? '';
    home.write('budget.md', 'The budget code is ZXQWERTB.\n');
    home.write('other.md', 'Nothing of the kind.\n');
    await cli.run(['ingest', '--quiet'], { home });
    const find = async (flags: readonly string[]): Promise<Found> =>
      JSON.parse((await cli.run(['search', '/zx\\w+ertb/', '--json', ...flags], { home })).stdout) as Found;
    expect((await find([])).hits).toEqual([]);
    const found = await find(['--plugin', plugin]);
    expect(found).toMatchObject({
      mode: 'hybrid',
      hits: [
        { doc_path: 'budget.md', retrieval: { lexical_rank: null, retrievers: [{ id: 'grep', rank: 1, score: 1 }] } },
      ],
    });
    expect((await find(['--plugin', plugin, '--mode', 'lexical'])).hits).toEqual([]);
    const { stdout } = await cli.run(['search', '/zx\\w+ertb/', '--explain', '--plugin', plugin], { home });
    expect(stdout).toMatch(/├ grep +rank 1 +score 1\.00/);
  });
});
