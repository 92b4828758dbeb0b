import { describe, expect, it } from 'vitest';
import type { QuarantinedFile } from '../../src/contracts/document-store.ts';
import { switchedOffPlugins } from '../../src/admin/plugin-doctor.ts';
import { crashesByAgent } from '../../src/plugin/crashes.ts';

const file = (agent: string, stage: string, n: number): QuarantinedFile => ({
  sourceId: 'default',
  workspacePath: `${n}.x`,
  reason: `${agent}/${stage}/${n}.x failed: no`,
  code: 'plugin_failed',
  agent,
  attempts: 1,
  lastFailedAt: new Date(0),
});

describe('crashesByAgent', () => {
  it('counts crashes by version, and ignores failures of other stages', () => {
    const files = [
      file('p@1', 'crash', 1),
      file('p@1', 'extract', 2),
      file('p@2', 'crash', 3),
      file('p@1', 'crash', 4),
    ];
    expect([...crashesByAgent(files)].map(([agent, crashed]) => [agent, crashed.length])).toEqual([
      ['p@1', 2],
      ['p@2', 1],
    ]);
  });
});

describe('switchedOffPlugins', () => {
  it('names the plugins that crashed as often as their limits allow, and some of the files', () => {
    const files = [1, 2, 3, 4].flatMap((n) => [file('p@1', 'crash', n), file('builtin@1', 'crash', n)]);
    expect(
      switchedOffPlugins(
        files,
        new Map([
          ['p@1', 3],
          ['q@1', 3],
        ]),
      ),
    ).toEqual(['p@1 is switched off after 4 crashes (1.x, 2.x, 3.x, 1 more)']);
    expect(switchedOffPlugins(files.slice(0, 4), new Map([['p@1', 3]]))).toEqual([]);
  });
});
