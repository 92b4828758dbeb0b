import type { App } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const FILES: Readonly<Record<string, string>> = {
  'pot.rs': 'pub struct Pot;\n\nimpl Pot {\n    /// Pours the water.\n    pub fn pour(&self) {}\n}\n',
  'pkg/metrics.py':
    'class Scale:\n    def weigh(self, leaves):\n        """Weighs the leaves."""\n        return len(leaves)\n',
  'store.go': 'package store\n\ntype Shelf struct{}\n\n// Stacks the cups.\nfunc (s *Shelf) Stack() {}\n',
  'Foo.ts':
    'export class Foo {\n  /** Finds the needle. */\n  search(query: string): string[] {\n    return [query];\n  }\n}\n',
  'bar.js': '// Rinses the sieve.\nexport const rinse = () => 1;\n',
  'Outer.java': 'package com.foo;\n\nclass Outer {\n  /** Brews the tea. */\n  void brew() {}\n}\n',
  'Main.kt': 'package com.foo\n\n/** Chills the milk. */\nfun chill() {}\n',
  'stir.c': '/* Stirs the sugar. */\nint stir(int spoon) { return spoon; }\n',
  'kettle.hpp': '#ifndef K\n#define K\nnamespace ns {\n// Whistles at the boil.\nvoid whistle() {}\n}\n#endif\n',
};

describe('a folder of many languages', () => {
  const home = new UserHome();
  let app: App;

  beforeAll(async () => {
    home.put(FILES);
    app = await home.open();
    await app.ingest();
  });
  afterAll(() => home.remove());

  it('is ingested without a warning', async () => {
    const report = await app.ingest({ forceReingest: true });
    expect(report.items?.flatMap((item) => item.error ?? item.warnings)).toEqual([]);
    expect(report.scanned).toBe(Object.keys(FILES).length);
  });

  it.each([
    ['pours the water', 'pot.rs#L4-L6', 'Pot::pour'],
    ['weighs the leaves', 'pkg/metrics.py#L2-L4', 'pkg.metrics.Scale.weigh'],
    ['stacks the cups', 'store.go#L5-L6', 'store.(*Shelf).Stack'],
    ['finds the needle', 'Foo.ts#L2-L6', 'Foo.Foo.search'],
    ['rinses the sieve', 'bar.js#L1-L2', 'bar.rinse'],
    ['brews the tea', 'Outer.java#L4-L6', 'com.foo.Outer.brew'],
    ['chills the milk', 'Main.kt#L3-L4', 'com.foo.chill'],
    ['stirs the sugar', 'stir.c#L1-L2', 'stir'],
    ['whistles at the boil', 'kettle.hpp#L4-L6', 'ns::whistle'],
  ])('finds "%s" at %s, in %s', async (question, uri, symbol) => {
    const { hits } = await app.search({ text: question, mode: 'lexical', k: 1 });
    expect(hits[0]?.citation).toMatchObject({ kind: 'code', uri, symbol });
  });
});
