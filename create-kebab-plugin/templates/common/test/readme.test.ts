import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { withSettings } from '@kebab/plugin/testing';
import plugin from '../src/index.ts';

void describe('README.md', () => {
  void it('describes every setting (npm run readme writes it)', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    assert.equal(readme, withSettings(readme, plugin));
  });
});
