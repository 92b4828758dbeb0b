import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, jsonLines, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';

/** 528 KB with references in every line: as one paragraph, they once made the parser use over 4 GiB and crash the process. */
const REFERENCES = `# Export\n\n${Array.from({ length: 20_000 }, (_, n) => `Tom &amp; Jerry&nbsp;${n}\n`).join('')}`;

let cli: BuiltCli;
let home: CliHome;

beforeAll(async () => {
  cli = await buildCli();
  home = cli.newHome();
  home.write('aaa.md', REFERENCES);
  home.write('bbb.md', '&amp;'.repeat(100_000));
  home.write('ccc.md', 'a_'.repeat(500_000));
  home.write('ddd.md', '- * '.repeat(475_000));
  home.write('eee.md', '中文[字](http://a.b/中) **重** '.repeat(22_000));
  home.write('zzz.md', '# wombat\n');
}, 60_000);

afterAll(() => cli.remove());

const ENV = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_INDEXING_EXTRACT_TIMEOUT_S: '30' };

describe('Markdown crafted to be as expensive as possible to parse', { timeout: 120_000 }, () => {
  it('is ingested, and so are the files after it', async () => {
    const { code, stdout } = await cli.run(['ingest', '--json', '--quiet'], { home, env: ENV });
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ new: 6, errors: 0 });
    const found = await cli.run(['search', 'wombat', '--json'], { home, env: ENV });
    expect(JSON.parse(found.stdout)).toMatchObject({ hits: [{ doc_path: 'zzz.md' }] });
  });

  it('is ingested from standard input, and again from the stored copy', async () => {
    const line = ['ingest-stdin', '--title', 'Export', '--json'];
    const { code, stdout } = await cli.run(line, { home, env: ENV, stdin: REFERENCES });
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ new: 1, errors: 0 });
    const again = await cli.run(['ingest', '--json', '--quiet', '--force-reingest'], { home, env: ENV });
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({ updated: 7, errors: 0 });
  });

  it('does not crash the MCP server it is passed to', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const call = { name: 'ingest_stdin', arguments: { content: REFERENCES, title: 'Export' } };
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: call },
    ];
    const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    const { code, stdout } = await cli.run(['mcp'], { home: cli.newHome(), env: ENV, stdin });
    expect(code).toBe(0);
    expect(jsonLines(stdout).find((answer) => (answer as { readonly id?: number }).id === 2)).toMatchObject({
      result: { structuredContent: { new: 1, errors: 0 } },
    });
  });
});
