import type { App, IngestItem, IngestProgress, IngestReport } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { event, ingestReport, settingAs } from '../examples.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

const EVENTS: readonly IngestProgress[] = [
  event({ kind: 'scan_started', root: '/kb' }),
  event({ kind: 'scan_completed', total: 1 }),
  event({ kind: 'asset_finished', idx: 1, total: 1, result: 'new', chunks: 1 }),
];

function ingesting(report: IngestReport = ingestReport) {
  const asked: unknown[] = [];
  const run = (...call: unknown[]) => {
    asked.push(call);
    const options = call.at(-1) as { onProgress?: (event: IngestProgress) => void };
    for (const one of EVENTS) options.onProgress?.(one);
    return Promise.resolve(report);
  };
  const config: App['config'] = async ({ key }) => settingAs(key, 1);
  const app: Partial<App> = { ingest: run, ingestFile: run, ingestText: run, config };
  return { asked, app };
}

async function ingest(line: readonly string[], test: CommandTest = {}, report = ingestReport) {
  const { asked, app } = ingesting(report);
  return { asked, ...(await runCommand(line, { app, ...test })) };
}

/** A report without anything for stderr. */
const smooth: IngestReport = { ...ingestReport, purge_refused: [], degraded: [] };

describe('kebab ingest', () => {
  it('passes its flags on to the App', async () => {
    const flags = ['--source', 'a', '--source', 'b', '--summary-only', '--force-reingest', '--verify', '--moved'];
    const { asked } = await ingest(['ingest', ...flags, '--allow-mass-delete']);
    expect(asked[0]).toMatchObject([
      { sources: ['a', 'b'], summaryOnly: true, forceReingest: true, verify: true, allowMassDelete: true, moved: true },
    ]);
  });

  it('prints events and the report last with --json, and nothing on stderr', async () => {
    const { stdout, stderr } = await ingest(['ingest', '--json'], { columns: 80 });
    expect([stdout.json, stderr.text]).toEqual([[...EVENTS, ingestReport], '']);
  });

  it('prints only the report with --json --quiet', async () => {
    expect((await ingest(['ingest', '--json', '--quiet'])).stdout.json).toEqual([ingestReport]);
  });

  it('prints nothing with --quiet on success, and failures on stderr', async () => {
    const fine = { ...ingestReport, errors: 0, items: [], purge_refused: [], degraded: [] };
    const quiet = await ingest(['ingest', '--quiet'], { columns: 80 }, fine);
    expect([quiet.stdout.text, quiet.stderr.text, quiet.code]).toEqual(['', '', 0]);
    const [item] = ingestReport.items ?? [];
    const failed = { ...item, kind: 'error', doc_path: 'a.md', error: 'it broke', error_code: 'io_error' };
    const report = { ...fine, errors: 1, items: [failed] } as IngestReport;
    const loud = await ingest(['ingest', '--quiet'], {}, report);
    expect([loud.stdout.text, loud.stderr.text]).toEqual(['', 'errors\n  a.md  io_error  it broke\n']);
  });

  it('shows a progress line on a terminal and erases it at the end', async () => {
    const { stderr } = await ingest(['ingest'], { columns: 80 }, smooth);
    expect(stderr.text.startsWith('\r\u001b[2Kscanning')).toBe(true);
    expect(stderr.text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it.each<[string, CommandTest, string]>([
    ['into a pipe', {}, ''],
    ['under CI', { columns: 80, env: { CI: 'true' } }, ''],
    ['with KEBAB_PROGRESS=plain', { env: { KEBAB_PROGRESS: 'plain' } }, '0/1 files (0 %)\n1/1 files (100 %)\n'],
  ])('%s draws no progress line', async (_where, test, text) => {
    expect((await ingest(['ingest'], test, smooth)).stderr.text).toBe(text);
  });

  it('reports documents that were not purged and skipped stages on stderr, whatever the other results', async () => {
    const degraded = [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }] as const;
    const { stdout, stderr } = await ingest(['ingest'], {}, { ...ingestReport, degraded });
    expect(stderr.text).toContain(
      'refused to purge 6 of 9 documents of source work: half of them or more have disappeared\n  hint: restore the files',
    );
    expect(stderr.text).toMatch(
      /kebab ingest --allow-mass-delete`\n(?:.+\n)*notice: vector search off \(model_not_pulled\) — kebab /,
    );
    expect(stdout.text).not.toMatch(/purge \d|notice/);
  });

  it.each<[string, Partial<IngestReport>, number]>([
    ['some files failed', { errors: 1, new: 1 }, 4],
    ['no file failed', { errors: 0, new: 1 }, 0],
    ['every file failed', { errors: 2, new: 0, updated: 0, unchanged: 0 }, 2],
    ['nothing was there', { errors: 0, new: 0, updated: 0, unchanged: 0 }, 0],
    ['it was stopped', { aborted: true, errors: 1, new: 0, updated: 0, unchanged: 0 }, 130],
  ])('has the right exit code when %s', async (_what, counts, code) => {
    expect((await ingest(['ingest', '--json'], {}, { ...ingestReport, ...counts })).code).toBe(code);
  });

  it('reports after Ctrl-C that it is stopping', async () => {
    const controller = new AbortController();
    const app: Partial<App> = {
      ingest: async () => {
        controller.abort();
        return { ...smooth, unread: 0, aborted: true };
      },
    };
    const { code, stderr } = await runCommand(['ingest'], { app, signal: controller.signal });
    expect([code, stderr.text]).toEqual([
      130,
      'finishing the document in flight (at most 10 s); Ctrl-C again quits immediately\n',
    ]);
  });
});

describe('kebab watch', () => {
  async function* followCorpus() {}

  it('ends when nothing reads its output any more', async () => {
    const stdout = new MemoryOutput();
    const watch: App['watch'] = async function* () {
      if (stdout.closed) throw new Error('it continues');
      stdout.closed = true;
      yield { schema_version: 'watch_event.v1', ts: '2026-01-02T03:04:05Z', kind: 'embedded', pending: 0 };
    };
    const { code, opened, closed } = await runCommand(['watch', '--json'], { app: { watch, followCorpus }, stdout });
    expect([code, opened.length, closed]).toEqual([0, 1, 1]);
  });

  it('follows and ingests what another configuration names', async () => {
    const controller = new AbortController();
    const asked: unknown[] = [];
    const app: Partial<App> = {
      async *watch({ signal, ingestsFirst } = {}) {
        if (asked.push(ingestsFirst) === 2) controller.abort();
        else await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        yield* [];
      },
      followCorpus,
      openedFiles: { names: { database: '', configuration: [] }, outdated: 'configuration' },
    };
    const { code, opened } = await runCommand(['watch'], { app, signal: controller.signal });
    expect([code, asked, opened.map(({ isLasting }) => isLasting)]).toEqual([0, [true, true], [true, true]]);
  });

  it('says once that vectors are missing, and again after they were not', async () => {
    const controller = new AbortController();
    const watched = { schema_version: 'watch_event.v1', ts: '2026-01-02T03:04:05Z' } as const;
    const lacking = { ...watched, kind: 'degraded', reason: 'model_not_pulled', hint: 'fetch it' } as const;
    const watch: App['watch'] = async function* () {
      yield* [lacking, lacking, { ...watched, kind: 'embedded', pending: 0 }, lacking];
      controller.abort();
    };
    const { stdout } = await runCommand(['watch'], { app: { watch, followCorpus }, signal: controller.signal });
    const lines = stdout.text.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(10, 25))).toEqual(['without vectors', 'all documents h', 'without vectors']);
  });

  it('names the source of what has changed, and where to read what failed', async () => {
    const controller = new AbortController();
    const watch: App['watch'] = async function* () {
      const counts = { new: 1, updated: 0, purged: 0, errors: 1, left: 0, ms: 8, doc_ids: [] };
      const paths = ['a.md', '.'].map((path) => ({ source_id: 'work', doc_path: path }));
      yield { schema_version: 'watch_event.v1', ts: '2026-01-02T03:04:05Z', kind: 'ingested', ...counts, paths };
      controller.abort();
    };
    const { stdout } = await runCommand(['watch'], { app: { watch, followCorpus }, signal: controller.signal });
    expect(stdout.text).toContain('1 new, 1 failed in 8 ms: work:a.md, work:.; see `kebab doctor`\n');
  });
});

describe('kebab ingest-file', () => {
  it('resolves its path against the working directory', async () => {
    const { asked, stdout } = await ingest(['ingest-file', 'a/b.md', '--json']);
    expect(asked[0]).toMatchObject(['/work-folder/a/b.md', {}]);
    expect(stdout.json).toEqual([ingestReport]);
  });
});

describe('the report of an ingest', () => {
  const [item] = ingestReport.items ?? [];
  const itemOf = (more: object) => ({ ...item, warnings: [], ...more }) as IngestItem;

  it('names a document that was added by hand as other commands take it', async () => {
    const added = itemOf({ kind: 'new', source_id: 'external', doc_path: 'kiln-9c9d28adb5cf.md' });
    const { stdout } = await ingest(['ingest-file', 'kiln.md'], {}, { ...smooth, aborted: false, items: [added] });
    expect(stdout.text.split('\n')[0]).toMatch(/^ingested {2}external:kiln-9c9d28adb5cf\.md {2}in /);
  });

  it.each([
    [
      'none',
      'off',
      /^hint {6}to read pictures: .*tesseract`, for scanned PDFs also `kebab config set pdf\.ocr auto`$/m,
    ],
    ['tesseract', 'off', /^hint {6}to read scanned PDFs: `kebab config set pdf\.ocr auto`$/m],
    ['none', 'auto', /^hint {6}to read pictures: `kebab config set ocr\.engine tesseract`$/m],
    ['tesseract', 'auto', /^(?![^]*hint {6}to read)/],
  ])('says how unread files are read with ocr.engine %s and pdf.ocr %s', async (engine, ocr, hint) => {
    const config: App['config'] = async ({ key }) => settingAs(key, key === 'pdf.ocr' ? ocr : engine);
    const app = { ingest: async () => ({ ...smooth, unread: 2 }), config };
    expect((await runCommand(['ingest'], { app })).stdout.text).toMatch(hint);
  });

  it('names failed files and warnings with their source', async () => {
    const failed = itemOf({
      kind: 'error',
      source_id: 'work',
      doc_path: 'a.md',
      error: 'a.md broke',
      error_code: 'io_error',
    });
    const warned = itemOf({ kind: 'new', source_id: 'work', doc_path: 'b.md', warnings: ['cut: at the end'] });
    const { stdout } = await ingest(['ingest'], {}, { ...smooth, items: [failed, warned] });
    expect(stdout.text).toContain('errors\n  work:a.md  io_error  broke\n\nwarnings\n  work:b.md  cut: at the end\n');
  });
});

describe('kebab ingest of files that are left out', () => {
  const none = smooth.skip_examples;

  it.each([
    [{ skipped_binary: 1, skip_examples: { ...none, binary: ['a.log'] } }, 'a.log (binary)'],
    [{ skipped_size_exceeded: 1, skip_examples: { ...none, size_exceeded: ['b.csv'] } }, 'b.csv (too large)'],
    [{ skipped_secrets: 1, skip_examples: { ...none, secrets: ['key.md'] } }, 'key.md (with secrets)'],
    [{ skipped_generated: 1, skip_examples: { ...none, generated: ['pb.go'] } }, 'pb.go (generated, by name only)'],
    [
      { skipped_binary: 1, skipped_secrets: 1, skip_examples: { ...none, binary: ['a'], secrets: ['b'] } },
      'a (binary), b (with secrets)',
    ],
  ])('names few of them: %j', async (counts, names) => {
    const { stdout } = await ingest(['ingest'], {}, { ...smooth, ...counts });
    expect(stdout.text).toContain(`left out  ${names}; see kebab list docs --skipped\n`);
  });

  it('counts many, and names none for a rule of the user', async () => {
    const many = { ...smooth, skipped_binary: 4, skipped_size_exceeded: 3 };
    const text = (await ingest(['ingest'], {}, many)).stdout.text;
    expect(text).toContain('left out  7 files for their size or content: kebab list docs --skipped\n');
    expect((await ingest(['ingest'], {}, { ...smooth, skipped_gitignore: 9 })).stdout.text).not.toContain('left out');
  });
});

describe('kebab ingest-stdin', () => {
  it('stops reading at the maximum size of a document, and names the setting', async () => {
    const line = ['ingest-stdin', '--title', 'T', '--json'];
    const { asked, code, stderr } = await ingest(line, {
      stdin: Array.from({ length: 20 }, () => 'x'.repeat(100_000)),
    });
    expect([code, asked]).toEqual([2, []]);
    expect(stderr.json).toMatchObject([
      { code: 'invalid_input', hint: expect.stringContaining('indexing.max_file_mb') },
    ]);
  });

  it('passes the text on byte for byte', async () => {
    const line = ['ingest-stdin', '--title', 'T', '--source-uri', 'https://example.org/a', '--json'];
    const { asked } = await ingest(line, { stdin: ['# a\r\n', '\nb'] });
    expect(asked[0]).toMatchObject(['# a\r\n\nb', { title: 'T', sourceUri: 'https://example.org/a' }, {}]);
  });

  it('fails without --title', async () => {
    const { code, stderr } = await ingest(['ingest-stdin', '--json']);
    expect([code, stderr.json]).toMatchObject([2, [{ details: { field: '--title' } }]]);
  });
});
