import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Tests that install packages, start or kill many programs, replay hundreds of hostile inputs, drive a browser, read pictures with a real
 * engine, judge hundreds of questions and answers, run a contract suite on each of many mutations, or read hundreds of real files:
 * `npm run test:slow` runs these, `npm test` all others.
 */
const SLOW = [
  'test/hostile.integration.test.ts',
  'test/mcp-conformance.integration.test.ts',
  'test/journeys.integration.test.ts',
  'test/plugin-{bad,install,processes,templates}.integration.test.ts',
  'test/packages.integration.test.ts',
  'test/documented-commands.integration.test.ts',
  'test/untrusted-folder.integration.test.ts',
  'test/kill-ingest.integration.test.ts',
  'test/optional-parts.integration.test.ts',
  'test/first-plugin.integration.test.ts',
  'test/costly-markdown.integration.test.ts',
  'test/growth.integration.test.ts',
  'test/postgres.integration.test.ts',
  'test/ask-real.integration.test.ts',
  'test/extraction-processes.integration.test.ts',
  'test/refusal.integration.test.ts',
  'test/search-pages.integration.test.ts',
  'test/ocr.integration.test.ts',
  'test/examples.integration.test.ts',
  'host-cli/test/service.integration.test.ts',
  'host-mcp/test/tools/grep-beside-ripgrep.integration.test.ts',
  'host-web/test/browser.integration.test.ts',
  'test/repair.integration.test.ts',
  'test/finding-cases.integration.test.ts',
  'test/round-trip.integration.test.ts',
  'test/vectors-recall.integration.test.ts',
  'core/test/ask/verify/shared-cases.test.ts',
  'testing/test/mutations/*.test.ts',
  'plugins/claims/test/altered-answers.test.ts',
  'plugins/claims/test/long-answers.test.ts',
  'plugins/*/test/*/judged-agreement.test.ts',
  'plugins/*/test/real-code.integration.test.ts',
  'plugins/image-ocr/test/ocr/tesseract-engine.{contract.,}test.ts',
  'plugins/store-sqlite/test/documents/several-processes.integration.test.ts',
  'plugins/vectors-local/test/kill-writer.integration.test.ts',
];
const isSlowRun = process.env['KEBAB_TESTS'] === 'slow';

export default defineConfig({
  // Without `import`, which Node would apply to what CommonJS requires, and `module`, whose files are for bundlers.
  ssr: { resolve: { conditions: ['kebab-src', 'node'] } },
  test: {
    include: isSlowRun
      ? SLOW
      : [
          '{core,testing,host-cli,host-mcp,host-web,create-kebab-plugin,kits/*,plugins/*,examples/*}/test/**/*.test.ts',
          'test/**/*.test.ts',
        ],
    exclude: isSlowRun ? [] : SLOW,
    globalSetup: ['./scripts/temporary-folder.ts'],
    testTimeout: 120_000, // a guard against hangs, never a measure: a busy machine may be many times slower
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks', // a thread's memory is that of the whole run
    isolate: false,
    maxWorkers: availableParallelism() + 1, // many tests wait for programs they have started
    execArgv: ['--max-old-space-size=768', '--import', new URL('./scripts/register-ts.mjs', import.meta.url).href], // threads of tests inherit it
    reporters: ['dot', './scripts/closing-line.ts'],
  },
});
