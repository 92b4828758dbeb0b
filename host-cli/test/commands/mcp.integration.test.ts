import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
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
  it('serves a client of the official SDK: search, the cited lines, and a valid citation', async () => {
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
    const fetched = await client.callTool({ name: 'fetch', arguments: { uri } });
    const {
      text,
      line_start: first,
      effective_end: last,
    } = fetched.structuredContent as {
      readonly text: string;
      readonly line_start: number;
      readonly effective_end: number;
    };
    const lines = readFileSync(path.join(home.workspace, 'tea.md'), 'utf8').split('\n');
    expect(text).toBe(lines.slice(first - 1, last).join('\n'));
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
  it.each([
    ['claude-code', '.mcp.json', 'mcpServers'],
    ['cursor', '.cursor/mcp.json', 'mcpServers'],
    ['gemini', '.gemini/settings.json', 'mcpServers'],
    ['opencode', 'opencode.json', 'mcp'],
    ['vscode', '.vscode/mcp.json', 'servers'],
    ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers'],
    ['zed', '.config/zed/settings.json', 'context_servers'],
  ])(
    'adds the server to the file of %s, and keeps everything else in it',
    async (client, file, member) => {
      const project = cli.newHome();
      const target = path.join(project.folder, file);
      const line = ['mcp', 'install', '--client', client];
      const shown = await cli.run(line, { home: project });
      expect([shown.code, existsSync(target)]).toEqual([0, false]);
      expect(shown.stderr).toContain(`put this into ${target}`);
      const entry = JSON.parse(shown.stdout) as Readonly<Record<string, Readonly<Record<string, object>>>>;
      expect(JSON.stringify(entry[member]?.['kebab'])).toContain(JSON.stringify(cli.bin));
      const written = await cli.run([...line, '--write'], { home: project });
      expect([written.code, written.stdout]).toEqual([0, '']);
      expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(entry);
      writeFileSync(target, JSON.stringify({ other: 1, [member]: { theirs: {}, kebab: { mine: true } } }, null, 4));
      expect((await cli.run([...line, '--write'], { home: project })).code).toBe(0);
      const after = readFileSync(target, 'utf8');
      expect(JSON.parse(after)).toEqual({
        other: 1,
        [member]: { theirs: {}, kebab: { mine: true, ...entry[member]?.['kebab'] } },
      });
      expect(after).toContain('\n    "other"');
      expect(existsSync(`${target}.bak`)).toBe(true);
    },
    60_000,
  );

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

  it('prints one object for programs: all clients, or the content for the file of one', async () => {
    const project = cli.newHome();
    const env = { KEBAB_MODELS_LLM_API_KEY: 'not-to-be-shared' };
    const json = async (...line: readonly string[]) => {
      const { stdout, stderr } = await cli.run(['mcp', 'install', '--json', ...line], { home: project, env });
      expect(stderr).toBe('');
      return parseWire('mcp_install', JSON.parse(stdout)).clients;
    };
    const all = await json();
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['claude-code', 'codex', 'vscode']));
    expect(all.filter(({ entry, is_written }) => entry !== null || is_written)).toEqual([]);
    const file = path.join(project.folder, '.codex', 'config.toml');
    const [shown] = await json('--client', 'codex');
    const left_out = Object.keys(env);
    expect(shown).toMatchObject({ name: 'codex', file, format: 'toml', is_written: false, left_out });
    expect(shown?.entry).toContain('[mcp_servers.kebab]');
    expect(shown?.entry).not.toContain('not-to-be-shared');
    expect(existsSync(file)).toBe(false);
    expect(await json('--client', 'codex', '--write')).toEqual([{ ...shown, is_written: true }]);
    expect(readFileSync(file, 'utf8')).toBe(shown?.entry);
  }, 60_000);

  it('edits the TOML of codex without losing a comment or another server', async () => {
    const project = cli.newHome();
    const target = path.join(project.folder, '.codex', 'config.toml');
    mkdirSync(path.dirname(target));
    const before = '# mine\nmodel = "o" # this one\n\n[mcp_servers.theirs]\ncommand = "x" # keep\n';
    writeFileSync(target, before);
    for (let n = 0; n < 2; n++)
      expect((await cli.run(['mcp', 'install', '--client', 'codex', '--write'], { home: project })).code).toBe(0);
    const after = readFileSync(target, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(after.match(/\[mcp_servers\.kebab\]/g)).toHaveLength(1);
    expect(after).toContain(`command = ${JSON.stringify(process.execPath)}`);
    expect(after).toContain(`args = [${JSON.stringify(cli.bin)}, "mcp"]`);
    expect(after).toContain(`XDG_DATA_HOME = ${JSON.stringify(project.env['XDG_DATA_HOME'])}`);
    expect(readFileSync(`${target}.bak`, 'utf8')).toBe(before);
  }, 60_000);

  it('sets the folder of a project if the client supports one, and otherwise says that it does not', async () => {
    const project = cli.newHome();
    const folder = path.join(project.folder, 'work');
    mkdirSync(path.join(folder, '.kebab'), { recursive: true });
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, '.kebab', 'config.toml'), '');
    const at = { home: project, cwd: path.join(folder, 'src') };
    expect((await cli.run(['mcp', 'install', '--client', 'codex'], at)).stdout).toContain(`cwd = "${folder}"`);
    const elsewhere = await cli.run(['mcp', 'install', '--client', 'windsurf'], at);
    expect(elsewhere.stderr).toContain(`not that of ${folder}`);
    expect(elsewhere.stdout).not.toContain('cwd');
  }, 60_000);

  it('lists the supported clients when none is named', async () => {
    const { code, stdout, stderr } = await cli.run(['mcp', 'install'], { home });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^claude-code .*^zed /ms)]);
    expect(stderr).toContain('kebab mcp install NAME');
    expect((await cli.run(['mcp', 'install', '--write'], { home })).code).toBe(2);
  }, 60_000);

  it('keeps a backup of the original file, with its permissions', async () => {
    const project = cli.newHome();
    const target = path.join(project.folder, '.mcp.json');
    writeFileSync(target, '{"mine": 1}', { mode: 0o600 });
    for (let n = 0; n < 2; n++)
      expect((await cli.run(['mcp', 'install', '--client', 'claude-code', '--write'], { home: project })).code).toBe(0);
    expect(readFileSync(`${target}.bak`, 'utf8')).toBe('{"mine": 1}');
    expect([target, `${target}.bak`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  }, 60_000);

  it.each([
    ['claude-code', '.mcp.json'],
    ['claude-code', '.mcp.json.bak'],
    ['cursor', '.cursor'],
  ])(
    'for %s refuses the link %s, and leaves what it leads to as it was',
    async (client, name) => {
      const project = cli.newHome();
      const outside = path.join(project.folder, 'outside');
      const folder = path.join(project.folder, 'project');
      for (const each of [outside, folder]) mkdirSync(each);
      writeFileSync(path.join(outside, 'mcp.json'), '{"mine": 1}');
      if (name.endsWith('.bak')) writeFileSync(path.join(folder, '.mcp.json'), '{"theirs": 1}');
      symlinkSync(name === '.cursor' ? outside : path.join(outside, 'mcp.json'), path.join(folder, name));
      const line = ['mcp', 'install', '--client', client, '--write', '--json'];
      const { code, stderr } = await cli.run(line, { home: project, cwd: folder });
      expect([code, (JSON.parse(stderr) as { code: string }).code]).toEqual([2, 'io_error']);
      expect(readFileSync(path.join(outside, 'mcp.json'), 'utf8')).toBe('{"mine": 1}');
      expect(readdirSync(outside)).toEqual(['mcp.json']);
    },
    60_000,
  );

  it('follows no link at the name of a temporary file of earlier versions', async () => {
    const project = cli.newHome();
    const mine = path.join(project.folder, 'mine');
    writeFileSync(mine, 'mine');
    symlinkSync(mine, path.join(project.folder, '.mcp.json.part'));
    expect((await cli.run(['mcp', 'install', '--client', 'claude-code', '--write'], { home: project })).code).toBe(0);
    expect(readFileSync(mine, 'utf8')).toBe('mine');
  }, 60_000);

  it('edits the settings of zed in place and preserves comments, trailing commas and other members', async () => {
    const project = cli.newHome();
    const target = path.join(project.folder, '.config', 'zed', 'settings.json');
    mkdirSync(path.dirname(target), { recursive: true });
    const before = '// Zed\n{\n  "theme": "One", // mine\n  /* keys */\n  "vim_mode": true, // and this\n}\n';
    writeFileSync(target, before);
    const line = ['mcp', 'install', '--client', 'zed'];
    for (let n = 0; n < 2; n++) expect((await cli.run([...line, '--write'], { home: project })).code).toBe(0);
    const after = readFileSync(target, 'utf8');
    expect(after.startsWith(before.slice(0, -'}\n'.length))).toBe(true);
    const { stdout } = await cli.run(line, { home: project });
    expect(parse(after)).toEqual({ theme: 'One', vim_mode: true, ...(JSON.parse(stdout) as object) });
    expect(readFileSync(`${target}.bak`, 'utf8')).toBe(before);
  }, 60_000);

  it.each(['{ "mcpServers": ', 'mine', '[1]', '{"mcpServers": "theirs"}', '{"mcpServers": {}, "mcpServers": {}}'])(
    'rejects %j as a configuration file, and leaves it unchanged',
    async (text) => {
      const project = cli.newHome();
      writeFileSync(path.join(project.folder, '.mcp.json'), text);
      const line = ['mcp', 'install', '--client', 'claude-code', '--write'];
      const { code, stderr } = await cli.run(line, { home: project });
      expect([code, readFileSync(path.join(project.folder, '.mcp.json'), 'utf8')]).toEqual([2, text]);
      expect(stderr).toContain('`kebab mcp install --client claude-code` shows it');
      expect(existsSync(path.join(project.folder, '.mcp.json.bak'))).toBe(false);
    },
    60_000,
  );
});
