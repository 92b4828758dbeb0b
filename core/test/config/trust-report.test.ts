import { describe, expect, it } from 'vitest';
import { trustReport } from '../../src/config/trust-report.ts';
import { TrustReportSchema } from '../../src/wire/config.ts';

describe('trustReport', () => {
  it('puts files on the wire with their hash, their state, what they ask for and what the plugins they enable declare', () => {
    const file = { path: '/a/kebab.toml', hash: 'a'.repeat(64) };
    const declared = { name: 'p', version: '1.0.0', kinds: ['hook'], reason: null } as const;
    const permissions = { fs: 'none', net: ['a.example'], spawn: [] } as const;
    const asks = [{ key: 'storage.sqlite', value: 'x.sqlite', remote: false }];
    const plugins = [
      { ...declared, permissions },
      { ...declared, permissions: null },
    ];
    const bound = { ...file, plugins: { '/a/p.mjs': 'b'.repeat(64) } };
    const states = [
      { ...bound, trusted: true, asks, enabled: plugins },
      { ...bound, trusted: false, asks: [], enabled: [] },
    ];
    const report = trustReport(states);
    expect(TrustReportSchema.parse(report)).toEqual(report);
    expect(report.entries).toEqual([
      { ...file, trusted: true, asks, plugins },
      { ...file, trusted: false, asks: [], plugins: [] },
    ]);
  });
});
