import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { declareSuite, manifestFrom, pluginSuites } from '@kebab/plugin/testing';
import plugin from '../src/index.ts';
import { fixtures } from './fixtures.ts';

const packageJson = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

for (const suite of pluginSuites({ plugin, fixtures, manifest: manifestFrom(packageJson) }))
  declareSuite(suite, { describe, it });
