import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, finished, type BuiltCli, type CliHome } from '../fakes/built-cli.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

let cli: BuiltCli;
let home: CliHome;

beforeAll(async () => {
  cli = await buildCli();
  home = cli.newHome();
  home.write('tea.md', '# Tea\n\nGreen tea is steeped at eighty degrees.\n');
  const { code, stderr } = await cli.run(['ingest', '--quiet'], { home });
  if (code !== 0) throw new Error(stderr);
}, 120_000);
afterAll(() => cli.remove());

interface Hit {
  readonly uri: string;
  readonly content_hash: string;
}

describe('kebab mcp', () => {
  it('serves a client of the official SDK, which validates what it is answered', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli.bin, 'mcp', '--readonly'],
      env: { PATH: process.env['PATH'] ?? '', ...home.env },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools(); // from here on the client validates every result
    expect(tools.map(({ name }) => name)).not.toContain('ingest_file');
    const found = await client.callTool({ name: 'search', arguments: { query: 'eighty degrees', mode: 'lexical' } });
    const [hit] = (found.structuredContent as { readonly hits: readonly Hit[] }).hits;
    const { uri, content_hash: hash } = hit ?? { uri: '', content_hash: '' };
    const check = await client.callTool({ name: 'verify_citation', arguments: { uri, content_hash: hash } });
    expect(check.structuredContent).toMatchObject({ status: 'exact' });
    const refused = await client.callTool({ name: 'search', arguments: { qury: 'x' } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { details: { suggestion: 'query' } } });
    await client.close();
  }, 60_000);

  it('writes only protocol messages, answers requests received before the input ended, and exits with 0', async () => {
    const stdin = [INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'tools/list' }]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join('');
    const { code, stdout, stderr } = await cli.run(['mcp'], { home, stdin });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly id: number }).id);
    expect([code, answers.toSorted((a, b) => a - b), stderr]).toEqual([0, [1, 2], '']);
  }, 60_000);

  it('responds before a knowledge base exists', async () => {
    const stdin = `${JSON.stringify(INITIALIZE)}\n`;
    const empty = cli.newHome();
    const { code, stdout } = await cli.run(['mcp'], { home: empty, stdin });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: 1, result: { protocolVersion: '2025-11-25' } }]);
  }, 60_000);

  it('serves HTTP on a port of this machine until it is interrupted', async () => {
    const server = cli.start(['mcp', '--port', '0'], { home, env: { KEBAB_MCP_TOKEN: 'secret' } });
    const said = await new Promise<string>((resolve) => server.stderr.once('data', (data) => resolve(String(data))));
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0] ?? '';
    const ask = async (token: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) })).status;
    };
    expect([await ask('secret'), await ask('guess')]).toEqual([200, 401]);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    expect(await ended).toBe(0);
  }, 60_000);
});

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

describe('kebab mcp install', () => {
  it('writes a command that starts with only the system folders on the PATH, and serves the current knowledge base', async () => {
    const env = { KEBAB_WORKSPACE_ROOT: './KnowledgeBase', KEBAB_MCP_TOKEN: 'hidden' };
    const shown = await cli.run(['mcp', 'install', '--client', 'claude-code'], { home, env });
    expect(shown.stdout + shown.stderr).not.toContain('hidden');
    expect(shown.stderr).toContain('KEBAB_MCP_TOKEN');
    const { mcpServers } = JSON.parse(shown.stdout) as { readonly mcpServers: { readonly kebab: Entry } };
    const { command, args, env: carried } = mcpServers.kebab;
    expect(carried).toMatchObject({ KEBAB_WORKSPACE_ROOT: home.workspace, XDG_DATA_HOME: home.env['XDG_DATA_HOME'] });
    const child = spawn(command, args, { cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: home.folder, ...carried } });
    const call = { name: 'search', arguments: { query: 'eighty degrees', mode: 'lexical' } };
    const lines = [INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }];
    const { stdout } = await finished(child, lines.map((message) => `${JSON.stringify(message)}\n`).join(''));
    expect(stdout).toContain('tea.md#L');
  }, 60_000);
});
