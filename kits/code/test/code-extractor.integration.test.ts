import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';

const threads: Worker[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

/** Starts a thread, which extracts texts and responds with the wasm modules that it has created so far. */
function startThread(): (...texts: readonly string[]) => Promise<unknown> {
  const thread = new Worker(new URL('grammar-worker.ts', import.meta.url));
  threads.push(thread);
  return async (...texts) => {
    thread.postMessage(texts);
    const [made] = (await once(thread, 'message')) as readonly unknown[];
    return made;
  };
}

const RUST = 'fn f() {}\n';
const NO_RUST = 'class A:\n    def f(self): pass\n';

describe('the grammars of a thread', () => {
  it('are loaded on first use, and only once for all files and packs', async () => {
    const read = startThread();
    expect(await read()).toEqual([]);
    expect(await read(RUST, RUST, RUST)).toEqual(['engine', 'tree_sitter_rust']);
    expect(await read(RUST)).toHaveLength(2);
    expect(await read(NO_RUST, NO_RUST)).toEqual(['engine', 'tree_sitter_rust', 'tree_sitter_python']);
    expect(await read(RUST, NO_RUST, RUST, NO_RUST)).toHaveLength(3);
  });

  it('are not shared with other threads', async () => {
    expect(await Promise.all([startThread()(RUST), startThread()(RUST)])).toEqual([
      ['engine', 'tree_sitter_rust'],
      ['engine', 'tree_sitter_rust'],
    ]);
  });
});
