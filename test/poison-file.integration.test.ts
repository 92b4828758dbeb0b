import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, jsonLines, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';

let cli: BuiltCli;
let home: CliHome;
let plugin: string;

/** Reads `.odd` files, and ends the process when a file says so, as native code can. */
function oddPlugin(version: string): string {
  return `export default {
  name: 'odd', version: '${version}', apiVersion: 1, kebab: '*', permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    extractor: {
      odd: () => ({
        id: 'odd', version: '1', match: { extensions: ['odd'] }, isolation: 'worker', fingerprint: () => 'odd@1',
        supports: (media) => media.kind === 'other' && media.ext === 'odd',
        parserVersion: () => 'odd-v1', chunkerId: () => 'text-paragraph-v1',
        extract: async ({ bytes }) => {
          const text = new TextDecoder().decode(bytes);
          if (text.includes('poison')) process.kill(process.pid, 'SIGABRT');
          return { text, blocks: [{ kind: 'paragraph', start: 0, end: text.length, headingPath: [], sourceSpan: { kind: 'line', start: 1, end: 1 } }] };
        },
      }),
    },
  },
};\n`;
}

beforeAll(async () => {
  cli = await buildCli();
}, 60_000);

afterAll(() => cli.remove());

async function ingest(...flags: string[]) {
  const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };
  const run = await cli.run(['ingest', '--json', '--quiet', '--plugin', plugin, ...flags], { home, env });
  return { code: run.code, report: jsonLines(run.stdout).at(-1) };
}

async function isFound(word: string): Promise<boolean> {
  return (await cli.run(['search', word, '--mode', 'lexical'], { home })).code === 0;
}

describe('a file that makes native code crash the process that reads it', { timeout: 120_000 }, () => {
  it('is reported in the same run with its plugin, and affects no other file', async () => {
    home = cli.newHome();
    plugin = path.join(home.folder, 'odd.mjs');
    writeFileSync(plugin, oddPlugin('1.0.0'));
    home.write('aaa.odd', 'poison');
    home.write('bbb.odd', 'read at the same time, about quinces');
    home.write('zzz.md', '# wombat\n');

    const first = await ingest();
    expect(first.code).toBe(4);
    const failed = {
      doc_path: 'aaa.odd',
      error_code: 'plugin_failed',
      error: 'odd@1.0.0/crash/aaa.odd failed: its process was ended by SIGABRT',
    };
    const items: unknown = expect.arrayContaining([expect.objectContaining(failed)]);
    expect(first.report).toMatchObject({ new: 2, errors: 1, items });
    expect(await isFound('wombat')).toBe(true);
    expect(await isFound('quinces')).toBe(true);
    expect((await ingest()).report).toMatchObject({ unchanged: 2, errors: 1 });

    home.write('aaa.odd', 'remedy');
    expect((await ingest()).report).toMatchObject({ new: 1, errors: 0 });
    expect(await isFound('remedy')).toBe(true);
  });
});
