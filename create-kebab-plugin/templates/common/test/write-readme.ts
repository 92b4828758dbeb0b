import { readFileSync, writeFileSync } from 'node:fs';
import { withSettings } from '@kebab/plugin/testing';
import plugin from '../src/index.ts';

const file = new URL('../../README.md', import.meta.url);
writeFileSync(file, withSettings(readFileSync(file, 'utf8'), plugin));
