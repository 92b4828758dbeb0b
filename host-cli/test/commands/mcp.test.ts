import { describe, expect, it } from 'vitest';
import { runCommand } from '../fakes/run-command.ts';

const PING = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`;

describe('kebab mcp install', () => {
  it('wraps its notes between words on a terminal', async () => {
    const { stderr } = await runCommand(['mcp', 'install'], { columns: 80 });
    expect(stderr.text).toBe(
      '`kebab mcp install NAME` writes the entry for kebab; --print shows it, `kebab\n  mcp uninstall NAME` removes it\n',
    );
  });
});

describe('kebab mcp', () => {
  it('run in a terminal explains itself and names mcp install, and still responds to requests', async () => {
    const { stdout, stderr } = await runCommand(['mcp'], { stdin: [PING], stdinIsTerminal: true, columns: 80 });
    expect(stderr.text).toContain('JSON-RPC');
    expect(stderr.text).toContain('kebab mcp install');
    expect(stderr.text).not.toContain('␊');
    for (const line of stderr.text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(JSON.parse(stdout.text)).toMatchObject({ id: 7 });
  });

  it('started by an agent writes only protocol messages', async () => {
    const { stdout, stderr } = await runCommand(['mcp'], { stdin: [PING] });
    expect(stderr.text).toBe('');
    expect(JSON.parse(stdout.text)).toMatchObject({ id: 7 });
  });
});
