import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { withSettings } from '../src/plugin-context.ts';

const PAGE = '# P\n<!-- settings: here -->\nold\n<!-- /settings -->\nrest\n';

describe('withSettings', () => {
  it('writes a row for each setting of the schema between the markers', () => {
    const config = z.strictObject({
      depth: z.int().default(3).describe('how deep | how far'),
      mode: z.enum(['a', 'b']).default('a'),
      name: z.string(),
    });
    expect(withSettings(PAGE, { config })).toBe(
      [
        '# P',
        '<!-- settings: here -->',
        '',
        '| setting | default | values | meaning |',
        '|---|---|---|---|',
        '| `depth` | `3` | integer | how deep \\| how far |',
        '| `mode` | `"a"` | "a", "b" |  |',
        '| `name` | must be given | string |  |',
        '',
        '<!-- /settings -->',
        'rest',
        '',
      ].join('\n'),
    );
  });

  it('is idempotent, reports when there are no settings, and rejects a page without markers', () => {
    const bare = withSettings(PAGE, {});
    expect(bare).toContain('There is nothing to set.');
    expect(withSettings(bare, {})).toBe(bare);
    expect(() => withSettings('# P', {})).toThrow('lacks <!-- settings');
  });
});
