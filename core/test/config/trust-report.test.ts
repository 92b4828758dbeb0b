import { describe, expect, it } from 'vitest';
import { trustReport } from '../../src/config/trust-report.ts';
import { TrustReportSchema } from '../../src/wire/trust-report.ts';

describe('trustReport', () => {
  it('puts files on the wire with their hash and state', () => {
    const report = trustReport([{ path: '/a/kebab.toml', hash: 'a'.repeat(64), trusted: false }]);
    expect(TrustReportSchema.parse(report)).toEqual(report);
    expect(report.entries).toEqual([{ path: '/a/kebab.toml', hash: 'a'.repeat(64), trusted: false }]);
  });
});
