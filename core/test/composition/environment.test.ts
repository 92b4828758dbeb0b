import { describe, expect, it } from 'vitest';
import { environmentSwitches } from '../../src/composition/environment.ts';

describe('environmentSwitches', () => {
  it('are off by default', () => {
    expect(environmentSwitches({})).toEqual({ readonly: false, debug: false });
    expect(environmentSwitches({ KEBAB_READONLY: '', KEBAB_LOG: ' ' })).toEqual({ readonly: false, debug: false });
  });

  it.each(['1', 'true', ' Yes ', 'on'])('KEBAB_READONLY=%s enables read-only mode', (text) => {
    expect(environmentSwitches({ KEBAB_READONLY: text }).readonly).toBe(true);
  });

  it.each(['0', 'false', ' no', 'OFF'])('KEBAB_READONLY=%s does not', (text) => {
    expect(environmentSwitches({ KEBAB_READONLY: text }).readonly).toBe(false);
  });

  it('KEBAB_LOG=debug enables the log', () => {
    expect(environmentSwitches({ KEBAB_LOG: 'debug' }).debug).toBe(true);
  });

  it.each([
    ['KEBAB_READONLY', 'maybe'],
    ['KEBAB_LOG', 'loud'],
    ['KEBAB_PROGRESS', 'fancy'],
  ])('rejects %s=%s, naming the variable', (variable, text) => {
    expect(() => environmentSwitches({ [variable]: text })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(`^${variable}: must be .*${text}`),
      }),
    );
  });
});
