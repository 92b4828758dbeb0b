import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('shows what it cannot start with as JSON that gives a terminal no orders', () => {
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
