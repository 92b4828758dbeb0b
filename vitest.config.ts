import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['kebab-src', 'module', 'node', 'import', 'default'] } },
  test: {
    include: [
      '{core,host-cli,host-mcp,create-kebab-plugin,kits/*,plugins/*,examples/*}/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    globalSetup: ['./scripts/temporary-folder.ts'],
    testTimeout: 120_000, // a guard against hangs, never a measure: a busy machine may be many times slower
    hookTimeout: 120_000,
    pool: 'threads',
    isolate: false,
    maxWorkers: availableParallelism() + 2, // many tests wait for programs they have started
    execArgv: ['--import', new URL('./scripts/register-ts.mjs', import.meta.url).href], // nested worker threads inherit it
    reporters: ['dot', './scripts/closing-line.ts'],
  },
});
