import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CostTable, MAX_EXPONENT } from '../bench/lib/growth.ts';
import { measureSize } from '../bench/lib/scale-run.ts';
import { sharedData } from '../bench/lib/shared-data.ts';
import { buildCli, type BuiltCli } from '../host-cli/test/fakes/built-cli.ts';

/** Six times as many documents: quadratic work costs 36 times as much, linear work at most 6 times. */
const SIZES = [200, 1200];
/** Tolerance for an exponent measured at two small sizes, given the resolution of CPU time. */
const GRAIN = 0.1;
const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));

let cli: BuiltCli;
let work: string;

beforeAll(async () => {
  cli = await buildCli();
  work = mkdtempSync(path.join(tmpdir(), 'kebab-growth-'));
});

afterAll(async () => {
  await cli.remove();
  rmSync(work, { recursive: true, force: true });
});

describe('the CPU time of everyday commands', { timeout: 300_000 }, () => {
  it.skipIf(sharedData('cranfield') === null)(
    'grows no faster than the number of documents, and hardly at all for searches (skipped without the data)',
    async () => {
      const table = new CostTable();
      for (const size of SIZES) await measureSize({ cli: cli.bin, work, model: MODEL, table, isBrief: true }, size);
      const rows = table.rows();
      expect(rows.length).toBeGreaterThan(15);
      expect(
        rows
          .filter(({ growth, exponent }) => exponent > MAX_EXPONENT[growth] + GRAIN)
          .map(({ name, exponent }) => `${name}: ${exponent.toFixed(2)}`),
      ).toEqual([]);
    },
  );
});

describe('CostTable', () => {
  it('reports the exponent of quadratic growth, and not that of linear growth', () => {
    const table = new CostTable();
    for (const size of [100, 1000]) {
      table.add('start (--version)', 'flat', { size, wallMs: 0, cpuMs: 20, peakMb: 0 });
      table.add('by the square', 'linear', { size, wallMs: 0, cpuMs: 20 + (size / 10) ** 2, peakMb: 0 });
      table.add('by the documents', 'linear', { size, wallMs: 0, cpuMs: 20 + size, peakMb: 0 });
    }
    expect(table.rows().map(({ exponent, isOver }) => [exponent.toFixed(1), isOver])).toEqual([
      ['0.0', false],
      ['2.0', true],
      ['1.0', false],
    ]);
  });
});
