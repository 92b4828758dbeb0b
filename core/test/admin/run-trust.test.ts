import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTrust, type TrustRequest } from '../../src/admin/run-trust.ts';
import { blake3Hex } from '../../src/domain/blake3.ts';
import { TrustReportSchema } from '../../src/wire/trust-report.ts';
import { ConfigWorld } from '../config/config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

function trust(request: TrustRequest) {
  const report = runTrust(request, path.join(world.home, '.local/state/kebab'));
  expect(TrustReportSchema.parse(report)).toEqual(report);
  return report.entries;
}

const text = '[models.llm]\nendpoint = "https://llm.example"\n';

describe('runTrust', () => {
  it('trusts a project file as it is now, so that it takes effect', async () => {
    const file = world.write('kebab.toml', text);
    expect(trust({ kind: 'add', path: file })).toEqual([{ path: file, hash: blake3Hex(text), trusted: true }]);
    expect((await world.resolve()).config.models.llm.endpoint).toBe('https://llm.example');
    expect(trust({ kind: 'list' })).toEqual([{ path: file, hash: blake3Hex(text), trusted: true }]);
  });

  it('finds the project file of a folder', () => {
    const file = world.write('kebab.yaml', 'search: {}');
    expect(trust({ kind: 'add', path: world.cwd })[0]?.path).toBe(file);
  });

  it('goes by real path', () => {
    const real = world.write('../real/kebab.toml', text);
    const link = path.join(world.project, 'kebab.toml');
    symlinkSync(real, link);
    expect(trust({ kind: 'add', path: link })[0]?.path).toBe(realpathSync(real));
    expect(trust({ kind: 'revoke', path: link })).toMatchObject([{ path: real, trusted: false }]);
  });

  it('lists what was edited, or is gone, as no longer trusted', () => {
    const edited = world.write('kebab.toml', text);
    const gone = world.write('../other/kebab.toml', text);
    trust({ kind: 'add', path: edited });
    trust({ kind: 'add', path: gone });
    world.write('kebab.toml', `${text}#`);
    rmSync(gone);
    expect(trust({ kind: 'list' }).map(({ trusted }) => trusted)).toEqual([false, false]);
  });

  it('takes the trust back, also from a file that is gone', async () => {
    const file = world.write('kebab.toml', text);
    trust({ kind: 'add', path: file });
    rmSync(file);
    expect(trust({ kind: 'revoke', path: file })).toEqual([{ path: file, hash: blake3Hex(text), trusted: false }]);
    expect(trust({ kind: 'list' })).toEqual([]);
    world.write('kebab.toml', text);
    expect((await world.resolve()).config.models.llm.endpoint).toBe('http://127.0.0.1:11434');
  });

  it.each([
    ['add', 'README.md'],
    ['add', 'missing/kebab.toml'],
    ['add', 'deep'],
    ['revoke', 'kebab.toml'],
  ] as const)('rejects %s of %s where that makes no sense', (kind, name) => {
    world.write('README.md', '');
    const request = { kind, path: path.join(world.project, name) };
    expect(() => trust(request)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
