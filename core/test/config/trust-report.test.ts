import { describe, expect, it } from 'vitest';
import { trustReport } from '../../src/config/trust-report.ts';
import { TrustReportSchema } from '../../src/wire/trust-report.ts';

describe('trustReport', () => {
  it('puts files on the wire with their hash, their state, and what the plugins they enable declare', () => {
    const file = { path: '/a/kebab.toml', hash: 'a'.repeat(64) };
    const declared = { name: 'p', version: '1.0.0', kinds: ['hook'], reason: null } as const;
    const permissions = { fs: 'none', net: ['a.example'], spawn: [] } as const;
    const states = [
      {
        ...file,
        trusted: true,
        plugins: [
          { ...declared, permissions },
          { ...declared, permissions: null },
        ],
      },
      { ...file, trusted: false, plugins: [] },
    ];
    const report = trustReport(states);
    expect(TrustReportSchema.parse(report)).toEqual(report);
    expect(report.entries).toEqual(states);
  });
});
