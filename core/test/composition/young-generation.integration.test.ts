import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const REGISTER = new URL('../../../scripts/register-ts.mjs', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('fixtures/many-operations.ts', import.meta.url));

describe('an App that runs many operations', () => {
  it('stops a large young generation from growing from the eighth operation until it is closed', () => {
    const output = execFileSync(process.execPath, ['--import', REGISTER, PROGRAM], { encoding: 'utf8' });
    expect(JSON.parse(output)).toMatchObject({ seen: [true, false, true] });
  });
});
