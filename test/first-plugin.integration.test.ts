import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const GUIDE = readFileSync(path.join(root, 'docs', 'writing-a-plugin.md'), 'utf8');
const CODE = /^```js first-plugin\n(.*?)^```$/ms.exec(GUIDE)?.[1] ?? '';

describe('the first plugin of docs/writing-a-plugin.md', () => {
  let cli: BuiltCli;
  let home: CliHome;
  let file: string;

  beforeAll(async () => {
    cli = await buildCli();
    home = cli.newHome();
    const folder = path.join(home.folder, 'project');
    mkdirSync(folder, { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    file = path.join(folder, 'journal.mjs');
    writeFileSync(file, CODE);
  });

  afterAll(() => cli.remove());

  it('has at most twenty lines besides its fixtures', () => {
    const lines =
      CODE.split('export const fixtures')[0]
        ?.split('\n')
        .filter((line) => line.trim() !== '') ?? [];
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  it('passes its suite', async () => {
    expect(await cli.run(['plugin', 'test', file], { home })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/passed, 0 failed/),
    });
  });

  it('does not count as tested without its fixtures', async () => {
    const bare = path.join(path.dirname(file), 'bare.mjs');
    writeFileSync(bare, CODE.split('export const fixtures')[0] ?? '');
    expect(await cli.run(['plugin', 'test', bare], { home })).toMatchObject({
      stderr: expect.stringContaining('notice: not tested, because there are no fixtures: extractor journal'),
    });
  });

  it('ingests files that can be searched and cited, and reads them again when only its version is raised', async () => {
    home.write('2026.journal', '@ Monday\n\nRain on the quay.\n\n@ Tuesday\n\nSun.\n');
    home.write('notes.md', '# Notes\n');
    const plugin = ['--plugin', file];
    const ingest = async (): Promise<unknown> => {
      const { stdout: lines } = await cli.run(['ingest', '--json', ...plugin], { home });
      return JSON.parse(lines.trim().split('\n').at(-1) ?? ''); // progress comes before the report
    };
    expect(await ingest()).toMatchObject({ new: 2, errors: 0 });
    expect(await ingest()).toMatchObject({ updated: 0, unchanged: 2 });
    const { stdout } = await cli.run(['search', 'rain', '--json', ...plugin], { home });
    expect(JSON.parse(stdout)).toMatchObject({ hits: [{ citation: { kind: 'anchor', uri: '2026.journal#entry=1' } }] });
    writeFileSync(file, CODE.replace("id: 'journal',", "id: 'journal', version: '2',"));
    expect(await ingest()).toMatchObject({ updated: 1, unchanged: 1 });
  });
});
