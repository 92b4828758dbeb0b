import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { CrossEncoderConfig } from '../src/index.ts';
import { writeTinyCrossEncoder, type TinyCrossEncoderOptions } from '../src/testing/index.ts';

/** Writes tiny cross-encoders into folders that are removed after the tests of the file. */
export function tempModels(): (options: TinyCrossEncoderOptions, name?: string) => string {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return (options, name = 'mine') => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-cross-encoder-'));
    folders.push(folder);
    writeTinyCrossEncoder(path.join(folder, name), options);
    return path.join(folder, name);
  };
}

/** The default configuration for a model. */
export function configFor(model: string, told: Partial<CrossEncoderConfig> = {}): CrossEncoderConfig {
  return { model, modelDir: '/nowhere', threads: 1, ...told };
}
