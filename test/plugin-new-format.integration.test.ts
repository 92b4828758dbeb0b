import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type PluginWorkshop } from '../create-kebab-plugin/test/plugin-workshop.ts';
import { buildCli, type BuiltCli } from '../host-cli/test/fakes/built-cli.ts';

let cli: BuiltCli;
let workshop: PluginWorkshop;

beforeAll(async () => {
  [cli, workshop] = await Promise.all([buildCli(), openWorkshop()]);
});

afterAll(async () => {
  await cli.remove();
  workshop.remove();
});

const SCENARIOS = `Feature: Borrowing books

  Readers borrow books and bring them back.

Scenario: a reader returns a book late
  Given a book that was due yesterday
  When the reader returns it
  Then a fee is written down
`;

/** Every line that an author changes to read Gherkin instead of the example format: old text and new text. */
const EDITS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/extractor.ts': [
    ["extensions: ['gherkin']", "extensions: ['feature']"],
    ['/^== +(\\S.*?) +==$/gm', '/^(?:Feature|Scenario): +(\\S.*)$/gm'],
  ],
  'test/fixtures.ts': [
    ['== First section ==', 'Scenario: one'],
    ["path: 'sample.gherkin'", "path: 'sample.feature'"],
    ["'section=second-section'", "'section=one'"],
    ["path: 'windows.gherkin'", "path: 'windows.feature'"],
  ],
};

describe('a new format', () => {
  it('is tested, indexed and cited after at most five changed lines in the output of `kebab plugin new`', async () => {
    const home = cli.newHome();
    const made = await cli.run(['plugin', 'new', 'gherkin', '--kind', 'extractor'], { home, cwd: workshop.folder });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const project = path.join(workshop.folder, 'kebab-plugin-gherkin');
    expect(editedLines(project)).toBeLessThanOrEqual(5);

    const tested = await workshop.test(project);
    expect(tested.output).toMatch(/# fail 0\n/);

    home.write('library.feature', SCENARIOS);
    home.write('notes.md', '# Notes\n');
    const flags = ['--plugin', project, '--quiet'];
    expect(await cli.run(['ingest', ...flags], { home })).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await cli.run(['search', 'fee written down', '--json', ...flags], { home });
    const [hit] = (JSON.parse(stdout) as { readonly hits: readonly { readonly citation: { readonly uri: string } }[] })
      .hits;
    expect(hit).toMatchObject({ heading_path: ['a reader returns a book late'] });
    expect(hit?.citation.uri).toBe('library.feature#section=a-reader-returns-a-book-late');

    const report = await cli.run(['plugin', 'test', project, '--json'], { home });
    expect(report.code).toBe(0);
    expect(JSON.parse(report.stdout)).toMatchObject({ plugin: 'kebab-plugin-gherkin@0.1.0', failed: 0, skipped: 0 });
  });
});

/** Makes the edits; returns how many lines differ. */
function editedLines(project: string): number {
  let changed = 0;
  for (const [name, edits] of Object.entries(EDITS)) {
    const file = path.join(project, name);
    const before = readFileSync(file, 'utf8');
    const after = edits.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, () => to);
    }, before);
    const lines = after.split('\n');
    changed += before.split('\n').filter((line, at) => line !== lines[at]).length;
    writeFileSync(file, after);
  }
  return changed;
}
