import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('reports why it cannot start as JSON without terminal control sequences', () => {
  const word = '--wiht\u009b31m\u202e\u007f\u2028';
  const program = `import('./host-mcp/src/main.ts').then(({ main }) => main([${JSON.stringify(word)}]))`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './scripts/run-ts.mjs', '--eval', program],
    { cwd: root, encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^[\u0020-\u007e]+\n$/);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'invalid_input', details: { field: word } });
}, 60_000);

it.each([' true', 'Yes '])(
  'lists no tools that write with KEBAB_READONLY=%j',
  (readonly) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const requests = [
      { id: 1, method: 'initialize', params },
      { id: 2, method: 'tools/list', params: {} },
    ];
    const { stdout } = spawnSync(
      process.execPath,
      ['--import', './scripts/run-ts.mjs', '--eval', `import('./host-mcp/src/main.ts').then(({ main }) => main([]))`],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, KEBAB_READONLY: readonly, KEBAB_SERVICE: 'off' },
        input: requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''),
      },
    );
    const { result } = JSON.parse(stdout.trim().split('\n')[1] ?? '') as {
      readonly result: { readonly tools: readonly { readonly name: string }[] };
    };
    const names = result.tools.map(({ name }) => name);
    expect(names).toContain('search');
    expect(names.filter((name) => name.startsWith('ingest'))).toEqual([]);
  },
  60_000,
);
