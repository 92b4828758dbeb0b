import type { App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { outlined, symbolResult } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab symbol', () => {
  const looking = (total = 3) => {
    const requests: unknown[] = [];
    const app: Partial<App> = {
      findSymbol: async (request) => {
        requests.push(request);
        return {
          ...symbolResult,
          find: request.find ?? 'definition',
          total,
          units: total === 0 ? [] : symbolResult.units,
        };
      },
    };
    return { requests, app };
  };

  it('asks for the definition, or with --references for each line', async () => {
    const { requests, app } = looking();
    await runCommand(['symbol', 'Oven.heat'], { app });
    await runCommand(['symbol', 'heat', '--references', '--path-glob', 'src/**', '--limit', '5'], { app });
    expect(requests).toEqual([
      { name: 'Oven.heat', find: 'definition' },
      { name: 'heat', find: 'references', path_glob: ['src/**'], limit: 5 },
    ]);
  });

  it('prints path:line:text below each unit, and symbol_result.v1 with --json', async () => {
    const { app } = looking();
    const { stdout, stderr } = await runCommand(['symbol', 'heat', '--references'], { app });
    expect(stdout.text.split('\n')).toEqual([
      '3 references of heat',
      'bake (2-8)',
      'src/bake.ts:4:  oven.heat();',
      '(top level)',
      'src/main.ts:1:oven.heat();',
      '',
    ]);
    expect(stderr.text).toBe('more lines: --cursor c\n');
    const { stdout: json } = await runCommand(['symbol', 'heat', '--references', '--json'], { app });
    expect(json.json).toMatchObject([{ schema_version: 'symbol_result.v1', total: 3 }]);
  });

  it('says so where there is none', async () => {
    const { code, stdout, stderr } = await runCommand(['symbol', 'heat'], { app: looking(0).app });
    expect([code, stdout.text]).toEqual([1, '']);
    expect(stderr.text).toBe('notice: no definition of heat in the indexed code: kebab grep -F heat\n');
  });
});

describe('kebab outline', () => {
  it('prints the lines of each unit below its file, and outline.v1 with --json', async () => {
    const app: Partial<App> = { outline: async () => outlined };
    const { stdout } = await runCommand(['outline', '.'], { app });
    expect(stdout.text.split('\n')).toEqual([
      'src/oven.ts (40 lines)',
      '3-20 export class Oven',
      '  5-9 heat(): void',
      'papers/a.pdf (90 lines)',
      'page 3 Results',
      '',
    ]);
    const { stdout: json } = await runCommand(['outline', '.', '--json'], { app });
    expect(json.json).toMatchObject([{ schema_version: 'outline.v1' }]);
  });
});
