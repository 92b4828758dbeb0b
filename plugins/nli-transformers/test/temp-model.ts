import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CrossEncoderConfig } from '@kebab/onnx-kit';
import { writeTinyCrossEncoder, type TinyCrossEncoderOptions } from '@kebab/onnx-kit/testing';
import { afterAll } from 'vitest';

/** Writes tiny cross-encoders into folders that are removed after the tests of the file. */
export function tempModels(): (options: TinyCrossEncoderOptions, name?: string) => string {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return (options, name = 'mine') => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-nli-'));
    folders.push(folder);
    writeTinyCrossEncoder(path.join(folder, name), options);
    return path.join(folder, name);
  };
}

/** The default configuration for a model. */
export function configFor(model: string, told: Partial<CrossEncoderConfig> = {}): CrossEncoderConfig {
  return { model, modelDir: '/nowhere', threads: 1, ...told };
}
