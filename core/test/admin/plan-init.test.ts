import { describe, expect, it } from 'vitest';
import { planInit } from '../../src/admin/plan-init.ts';

const scene = { configFile: '/c/config.toml', folders: ['/d', '/d', '/w'], present: new Set<string>(), force: false };

describe('planInit', () => {
  it('makes everything where there is nothing, each folder once', () => {
    expect(planInit(scene)).toEqual([
      { kind: 'write_config', path: '/c/config.toml', backup: null },
      { kind: 'make_folder', path: '/d' },
      { kind: 'make_folder', path: '/w' },
    ]);
  });

  it('keeps every path that is there already', () => {
    expect(planInit({ ...scene, present: new Set(['/c/config.toml', '/d']) })).toEqual([
      { kind: 'keep', path: '/c/config.toml', isFolder: false },
      { kind: 'keep', path: '/d', isFolder: true },
      { kind: 'make_folder', path: '/w' },
    ]);
  });

  it('with force writes the configuration anew and sets the old one aside', () => {
    const [config] = planInit({ ...scene, present: new Set(['/c/config.toml']), force: true });
    expect(config).toEqual({ kind: 'write_config', path: '/c/config.toml', backup: '/c/config.toml.bak' });
    expect(planInit({ ...scene, force: true })[0]).toMatchObject({ backup: null });
  });
});
