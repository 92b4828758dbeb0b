import { describe, expect, it } from 'vitest';
import { ConfigWorld } from './config-world.ts';

describe('ResolvedConfig', () => {
  it('is frozen at every depth', async () => {
    const world = new ConfigWorld();
    const { config } = await world.resolve({ env: { KEBAB_WORKSPACE_SOURCES: '[{"id": "a", "root": "a"}]' } });
    world.remove();
    const thawed: string[] = [];
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(at);
      for (const [name, member] of Object.entries(value)) visit(member, `${at}.${name}`);
    };
    visit(config, 'config');
    expect(thawed).toEqual([]);
  });
});
