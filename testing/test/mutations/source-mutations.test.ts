import { describe, it } from 'vitest';
import type { SourceConnector, SourceEntry, SourceFile } from '../../../core/src/contracts/source-connector.ts';
import { mediaTypeOf } from '../../../core/src/domain/media.ts';
import { throwIfCancelled } from '../../../core/src/errors/abort.ts';
import { sourceConnectorSuite } from '../../src/source-connector-suite.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';

type Mutate = (sound: SourceConnector) => SourceConnector;

const BYTES = Object.fromEntries(
  ['a/one.md', 'a/two.md', 'b.txt', '\uFFFD.md', '😀.md'].map((path) => [
    path,
    new TextEncoder().encode(`of ${path}\n`),
  ]),
);
const FILES = Object.entries(BYTES).map(([workspacePath, bytes]): SourceFile => {
  const place = { workspacePath, uri: `memory:${workspacePath}`, mediaType: mediaTypeOf(workspacePath) };
  return { kind: 'file', ...place, size: bytes.length, mtimeNs: 7n, birthtimeMs: 7 };
});

/** A connector that meets its contract. */
const SOUND: SourceConnector = {
  id: 'memory',
  version: '1',
  fingerprint: () => 'memory@1',
  async *scan(_scope, { signal }) {
    for (const file of FILES) {
      throwIfCancelled(signal, 'scan');
      yield file;
    }
  },
  read: async ({ workspacePath }) => BYTES[workspacePath] ?? new Uint8Array(),
  stat: async (_scope, path) => FILES.find(({ workspacePath }) => workspacePath === path) ?? null,
};
const STATTED: SourceConnector = {
  ...SOUND,
  stat: async (scope, path, context) => {
    const found = await SOUND.stat?.(scope, path, context);
    return found === null || found === undefined ? null : { size: found.size, mtimeNs: found.mtimeNs };
  },
};

const scanning =
  (change: (entries: readonly SourceEntry[]) => readonly SourceEntry[]): Mutate =>
  (sound) =>
    changed(sound, {
      async *scan(scope, context) {
        const entries: SourceEntry[] = [];
        for await (const entry of sound.scan(scope, { ...context, signal: new AbortController().signal }))
          entries.push(entry);
        for (const entry of change(entries)) {
          throwIfCancelled(context.signal, 'scan');
          yield entry;
        }
      },
    });

let calls = 0;

describe('sourceConnectorSuite', () => {
  it('detects every mutation', async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        sourceConnectorSuite({
          open: async () => ({
            connector: mutate?.(STATTED) ?? STATTED,
            scope: { root: '/', include: ['**/*'], exclude: [] },
            files: BYTES,
            missing: 'nowhere.md',
          }),
        }),
      {
        'misses a file': scanning((entries) => entries.slice(1)),
        'finds a file twice': scanning((entries) => [...entries.slice(0, 1), ...entries]),
        'walks in the order of UTF-16': scanning((entries) =>
          entries.toSorted((a, b) => (a.workspacePath < b.workspacePath ? -1 : 1)),
        ),
        'walks in another order each time': scanning((entries) => (calls++ % 2 === 0 ? entries : entries.toReversed())),
        'prefixes paths with "./"': scanning((entries) =>
          entries.map((entry) => ({ ...entry, workspacePath: `./${entry.workspacePath}` })),
        ),
        'returns a byte less': (sound) =>
          changed(sound, { read: async (file, context) => (await sound.read(file, context)).slice(1) }),
        'reports another size': scanning((entries) =>
          entries.map((entry) => (entry.kind === 'file' ? { ...entry, size: entry.size + 1 } : entry)),
        ),
        'reports another time': (sound) =>
          changed(sound, {
            stat: async (scope, path, context) => {
              const stat = await sound.stat?.(scope, path, context);
              return stat === null || stat === undefined ? null : { ...stat, mtimeNs: stat.mtimeNs + 1n };
            },
          }),
        'finds a nonexistent file': (sound) => changed(sound, { stat: async () => ({ size: 0, mtimeNs: 0n }) }),
        'continues to walk when it is cancelled': (sound) =>
          changed(sound, {
            scan: (scope, context) => sound.scan(scope, { ...context, signal: new AbortController().signal }),
          }),
        'has a new fingerprint each time': (sound) => changed(sound, { fingerprint: () => `${calls++}` }),
      },
      (sound) => changed(sound, {}),
    );
  });
});
