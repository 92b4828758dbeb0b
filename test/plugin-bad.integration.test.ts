import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, jsonLines, type BuiltCli, type CliHome, type CliRun } from '../host-cli/test/fakes/built-cli.ts';

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});

afterAll(() => cli.remove());

const SOUND = `async ({ bytes }) => {
  const text = new TextDecoder().decode(bytes);
  return { text, blocks: [{ kind: 'paragraph', start: 0, end: text.length, headingPath: [], sourceSpan: { kind: 'line', start: 1, end: 1 } }] };
}`;

/** A plugin that reads `.bad` files, as the text of its module. */
function extractorPlugin({
  extract = SOUND,
  more = '',
  factory = '',
  contributes = '',
  name = 'bad',
  apiVersion = 1,
}: {
  readonly extract?: string;
  readonly more?: string;
  readonly factory?: string;
  readonly contributes?: string;
  readonly name?: string;
  readonly apiVersion?: number;
}): string {
  return `export default {
  name: '${name}', version: '1.0.0', apiVersion: ${apiVersion}, kebab: '*', permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    extractor: {
      bad: () => {
        ${factory}
        return {
          id: 'bad', version: '1', match: { extensions: ['bad'] }, isolation: 'inline', fingerprint: () => 'bad@1',
          supports: (media) => media.kind === 'other' && media.ext === 'bad',
          parserVersion: () => 'bad-v1', chunkerId: () => 'text-paragraph-v1',
          extract: ${extract},
          ${more}
        };
      },
    },
    ${contributes}
  },
};\n`;
}

/** A home with a note, a file for the bad plugin, and the plugin. */
function homeWith(code: string): { readonly home: CliHome; readonly plugin: string } {
  const home = cli.newHome();
  home.write('note.md', '# Note\n\nabout sourdough\n');
  home.write('file.bad', 'words of a strange format');
  const plugin = path.join(home.folder, 'bad.mjs');
  writeFileSync(plugin, code);
  return { home, plugin };
}

/** The behaviour of a plugin, its code, and the expected message. */
type Case = readonly [what: string, code: string, said: RegExp];

/** Renames `bad` in a text to a name per plugin, files included, so that all plugins of a table can run side by side. */
function named(text: string, at: number): string {
  return text.replaceAll('bad', `bad${String.fromCodePoint(97 + at)}`);
}

/** Runs, once, an ingest with all plugins of a table, and a search that must find the note whatever they did. */
function ingestWithAll(cases: readonly Case[]): () => Promise<CliRun> {
  let ingest: Promise<CliRun> | undefined;
  return () =>
    (ingest ??= (async () => {
      const home = cli.newHome();
      home.write('note.md', '# Note\n\nabout sourdough\n');
      const flags = cases.flatMap(([, code], at) => {
        home.write(named('file.bad', at), 'words of a strange format');
        const plugin = path.join(home.folder, named('bad.mjs', at));
        writeFileSync(plugin, named(code, at));
        return ['--plugin', plugin];
      });
      const run = await cli.run(['ingest', ...flags], { home });
      await findsNote(home, flags);
      return run;
    })());
}

async function findsNote(home: CliHome, flags: readonly string[]): Promise<void> {
  const found = await cli.run(['search', 'sourdough', '--json', ...flags], { home });
  expect([found.code, jsonLines(found.stdout)]).toMatchObject([0, [{ hits: [{ doc_path: 'note.md' }] }]]);
}

/** Each case of a table with the pattern of its message. */
function expected(cases: readonly Case[]): readonly (readonly [what: string, said: RegExp])[] {
  return cases.map(([what, , said], at) => [what, new RegExp(named(said.source, at), said.flags)]);
}

describe(
  'kebab continues, and names the plugin, its version, the stage and the file, when a plugin',
  { timeout: 120_000 },
  () => {
    const onLoad: readonly Case[] = [
      [
        'throws when it is imported',
        `throw new Error('no luck\\nat all');`,
        /notice: plugin .*bad\.mjs does not run: no luck; see `kebab plugin list`\n/,
      ],
      [
        'lacks what kebab relies on',
        extractorPlugin({}).replace('supports:', 'supported:'),
        /notice: plugin bad@1\.0\.0\/create failed: its extractor "bad" has no supports\(\); see/,
      ],
      [
        'cannot say which files it takes',
        extractorPlugin({})
          .replace('parserVersion: () =>', 'parserVersion: () => null ??')
          .replace("'bad-v1'", 'unheard'),
        /notice: plugin bad@1\.0\.0\/supports failed: unheard is not defined \(\S+:\d+:\d+\); see/,
      ],
      [
        'throws when it is closed',
        extractorPlugin({ more: `close() { throw new Error('stuck'); },` }),
        /notice: plugin bad@1\.0\.0\/close failed: stuck; see `kebab plugin doctor`\n/,
      ],
      [
        'never finishes closing',
        extractorPlugin({ more: 'close() { return new Promise(() => {}); },' }),
        /notice: plugin bad@1\.0\.0\/close failed: its extractor did not close within 5 s; see/,
      ],
      [
        'leaves a timer, a server and a thread open',
        extractorPlugin({
          factory: `setInterval(() => {}, 1000);
          import('node:http').then(({ createServer }) => createServer().listen(0, '127.0.0.1'));
          import('node:worker_threads').then(({ Worker }) => new Worker('setInterval(() => {}, 1000)', { eval: true }));`,
        }),
        /^(?!.*plugin bad)/s, // no notice: kebab exits all the same
      ],
    ];
    const loaded = ingestWithAll(onLoad);

    it.each(expected(onLoad))('%s', async (_what, notice) => {
      const { code, stderr } = await loaded();
      expect(code).toBe(0);
      expect(stderr).toMatch(notice);
    });

    const onFiles: readonly Case[] = [
      [
        'throws on a file',
        extractorPlugin({ extract: `async () => { throw new Error('no luck'); }` }),
        /file\.bad +plugin_failed +bad@1\.0\.0\/extract\/file\.bad failed: no luck/,
      ],
      [
        'gives nothing at all',
        extractorPlugin({ extract: 'async () => undefined' }),
        /bad@1\.0\.0\/extract\/file\.bad failed: /,
      ],
    ];
    const read = ingestWithAll(onFiles);

    it.each(expected(onFiles))('%s', async (_what, item) => {
      const { code, stdout, stderr } = await read();
      expect(code).toBe(4);
      expect(stdout).toMatch(item);
      const [plugin] = /bad\w/.exec(item.source) ?? [];
      expect(stderr).toContain(
        `notice: plugin ${plugin}@1.0.0 fails on files: update it, or take it out of \`plugins\``,
      );
    });
  },
);

describe('a plugin that imports a package that is not installed', { timeout: 60_000 }, () => {
  it('is named by `plugin doctor` with the package, and where to install it', async () => {
    const { home, plugin } = homeWith("import { nothing } from 'kebab-not-installed';\nexport default nothing;\n");
    const { stdout } = await cli.run(['plugin', 'doctor', '--plugin', plugin], { home });
    expect(stdout).toContain('Cannot find package');
    expect(stdout).toContain('hint: run `npm install kebab-not-installed` in the folder of the plugin');
  });
});

describe('a plugin that prints', { timeout: 60_000 }, () => {
  it('does not corrupt the JSON that a program reads', async () => {
    const loud = extractorPlugin({
      factory: `console.log('made'); process.stdout.write('made');`,
      extract: SOUND.replace('=> {', `=> { console.log('extracting'); process.stdout.write('extracting');`),
      more: `close() { console.log('closed'); process.stdout.write('closed'); },`,
      contributes: `retriever: { loud: () => ({
        id: 'loud', version: '1', scoreKind: 'bm25', fingerprint: () => 'loud@1', indexVersion: () => 'loud-v1',
        retrieve: async () => { console.log('asked'); process.stdout.write('asked'); return []; } }) },`,
    });
    const { home, plugin } = homeWith(`console.log('imported'); process.stdout.write('imported');\n${loud}`);
    for (const line of [['ingest'], ['search', 'strange'], ['plugin', 'list'], ['plugin', 'doctor']]) {
      const { code, stdout } = await cli.run([...line, '--json', '--plugin', plugin], { home });
      expect([line, code]).toEqual([line, 0]);
      for (const value of jsonLines(stdout)) expect(value).toHaveProperty('schema_version');
    }
  });
});

describe('a plugin that crashes', { timeout: 120_000 }, () => {
  it('is disabled after three crashes, listed by doctor, and tried again on request or after an update', async () => {
    const { home, plugin } = homeWith(extractorPlugin({ extract: 'async () => { process.exit(3); }' }));
    for (const n of [1, 2, 3]) home.write(`more-${n}.bad`, `words ${n}`);
    const flags = ['--plugin', plugin];
    const env = { KEBAB_INDEXING_MAX_PARALLEL_EXTRACTORS: '1' };
    const first = await cli.run(['ingest', ...flags], { home, env });
    expect(first.stdout.match(/its process ended with code 3/g)).toHaveLength(3);
    expect(first.stdout.match(/it is switched off after 3 crashes/g)).toHaveLength(1);
    const doctor = await cli.run(['doctor', ...flags], { home });
    expect(doctor.code).toBe(3);
    expect(doctor.stdout).toMatch(/bad@1\.0\.0 is switched off after \d crashes \(/);
    expect(doctor.stdout).toContain('kebab ingest --force-reingest');
    expect((await cli.run(['plugin', 'doctor', ...flags], { home })).stdout).toMatch(
      /✗ bad@1\.0\.0 +bad@1\.0\.0 is switched off/,
    );

    const second = await cli.run(['ingest', ...flags], { home, env });
    expect(second.stdout).not.toContain('its process ended');
    expect(second.stdout.match(/it is switched off after 3 crashes/g)).toHaveLength(4);
    const told = await cli.run(['ingest', '--force-reingest', ...flags], { home, env });
    expect(told.stdout.match(/its process ended with code 3/g)).toHaveLength(3);

    writeFileSync(plugin, extractorPlugin({}).replace(`version: '1.0.0'`, `version: '1.0.1'`));
    expect((await cli.run(['ingest', ...flags], { home, env })).stdout).toMatch(/new +4\n/);
    expect((await cli.run(['plugin', 'doctor', ...flags], { home })).code).toBe(0);
  });
});

describe('a plugin with a mistake in its code', { timeout: 60_000 }, () => {
  it.each([
    ['uses an undefined name', `\nexport default nothing.x;`, /^nothing is not defined \(.*bad\.mjs:2:16\)$/],
    [
      'imports a name that does not exist',
      `import { none } from 'node:path'; export default none;`,
      /does not provide an export named 'none' \(.*bad\.mjs:1\)$/,
    ],
    [
      'cannot be parsed',
      `export default {`,
      /^Unexpected end of input \((?:.*bad\.mjs:1|run the file with `node` to see where)\)$/,
    ],
  ])('that %s is reported with its file and line', async (_, code, detail) => {
    const { home, plugin } = homeWith(code);
    const doctor = await cli.run(['plugin', 'doctor', '--plugin', plugin, '--json'], { home });
    const { checks } = JSON.parse(doctor.stdout) as { readonly checks: readonly { readonly detail: string }[] };
    expect(checks.map((check) => check.detail)).toContainEqual(expect.stringMatching(detail));
  });

  it.each([
    ['does not export a plugin', `export const plugin = {};`],
    ['cannot create its contributions', extractorPlugin({ factory: `throw new Error('no luck');` })],
  ])('that %s is tested by its path, as plugin doctor suggests', async (_, code) => {
    const { home, plugin } = homeWith(code);
    const doctor = await cli.run(['plugin', 'doctor', '--plugin', plugin, '--json'], { home });
    const { checks } = JSON.parse(doctor.stdout) as { readonly checks: readonly { readonly hint?: string }[] };
    const hints = checks.flatMap(({ hint }) => hint ?? []);
    expect(hints).toEqual([`run \`kebab plugin test ${plugin}\`, and report what it says to its author`]);
    expect((await cli.run(['plugin', 'test', plugin], { home })).code).toBe(2);
  });
});

describe('two plugins that claim one id', { timeout: 60_000 }, () => {
  it('are resolved by their order, with a notice', async () => {
    const { home, plugin } = homeWith(extractorPlugin({ name: 'first' }));
    const other = path.join(home.folder, 'other.mjs');
    writeFileSync(other, extractorPlugin({ name: 'second' }));
    const explain = async (...plugins: readonly string[]) => {
      const line = ['plugin', 'explain', 'file.bad', ...plugins.flatMap((one) => ['--plugin', one])];
      return { told: await cli.run(line, { home }), json: (await cli.run([...line, '--json'], { home })).stdout };
    };
    const one = await explain(plugin, other);
    expect(one.told.stderr).toContain(
      'extractor "bad" of first takes the place of that of second; the order in plugins decides',
    );
    expect(JSON.parse(one.json)).toMatchObject({ extractor: { id: 'bad', plugin: 'first' } });
    expect(JSON.parse((await explain(other, plugin)).json)).toMatchObject({ extractor: { plugin: 'second' } });
  });
});

describe('two plugins that read one type of file', { timeout: 60_000 }, () => {
  it('are used in their order, as a notice of ingest says, and plugin doctor for the second one', async () => {
    const { home, plugin } = homeWith(extractorPlugin({ name: 'first' }));
    const other = path.join(home.folder, 'other.mjs');
    const second = extractorPlugin({ name: 'second' })
      .replace('bad: ()', 'also: ()')
      .replace(`id: 'bad'`, `id: 'also'`);
    writeFileSync(other, second);
    const flags = ['--plugin', plugin, '--plugin', other];
    const line =
      '".bad" files go to the extractor "bad" of first, not to "also" of second; the order in plugins decides';
    const ingest = await cli.run(['ingest', ...flags], { home });
    expect(ingest.stderr.replaceAll(/\s+/g, ' ').split(line)).toHaveLength(2);
    const doctor = await cli.run(['plugin', 'doctor', ...flags, '--json'], { home });
    const { checks } = JSON.parse(doctor.stdout) as { readonly checks: readonly { readonly detail: string }[] };
    expect(checks.slice(0, 2)).toMatchObject([
      { name: 'first@1.0.0', ok: true, detail: 'extractor bad' },
      { name: 'second@1.0.0', ok: true, detail: `extractor also; ${line}` },
    ]);
    const alone = await cli.run(['ingest', '--plugin', plugin], { home });
    expect(alone.stderr).not.toContain('the order in plugins decides');
  });
});

describe('kebab plugin test', { timeout: 120_000 }, () => {
  const run = async (code: string) => {
    const { home, plugin } = homeWith(code);
    const { code: exit, stdout } = await cli.run(['plugin', 'test', plugin, '--timeout-s', '2', '--json'], { home });
    const report = JSON.parse(stdout) as {
      readonly failed: number;
      readonly results: readonly { readonly name: string; readonly status: string; readonly message: string | null }[];
    };
    return {
      exit,
      failures: report.results
        .filter(({ status }) => status === 'fail')
        .map(({ name, message }) => `${name}: ${message}`),
    };
  };

  it('reports a plugin that prints, one that hangs, one that ends the process, and one that leaves a timer', async () => {
    const loud = await run(`console.log('hello');\n${extractorPlugin({})}`);
    expect(loud).toEqual({
      exit: 2,
      failures: [expect.stringMatching(/^prints nothing on standard output.*it printed "hello\\n"/)],
    });
    const leaky = await run(extractorPlugin({ factory: 'setInterval(() => {}, 1000);' }));
    expect(leaky).toEqual({
      exit: 2,
      failures: [expect.stringMatching(/^leaves no timer.*still open after everything was closed: \d Timeout/)],
    });
    const endless = await run(
      extractorPlugin({ factory: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);' }),
    );
    expect(endless).toEqual({ exit: 2, failures: [expect.stringContaining('it did not finish within')] });
    const quitter = await run(extractorPlugin({ factory: 'process.exit(0);' }));
    expect(quitter).toEqual({ exit: 2, failures: [expect.stringContaining('its process ended')] });
    const broken = await run(`throw new Error('no luck');`);
    expect(broken).toEqual({ exit: 2, failures: ['loads: no luck'] });
  });
});
