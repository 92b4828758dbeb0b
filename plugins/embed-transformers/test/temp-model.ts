import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTinyModel, type TinyModelOptions } from '@kebab/onnx-kit/testing';
import { afterAll } from 'vitest';
import type { TransformersConfig } from '../src/transformers-config.ts';

/** Writes tiny models into folders that are removed after the tests of the file. */
export function tempModels(): (name?: string, options?: TinyModelOptions) => string {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return (name = 'mine', options = {}) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-embed-'));
    folders.push(folder);
    writeTinyModel(path.join(folder, name), options);
    return path.join(folder, name);
  };
}

/** The configuration for a model, with the defaults of the schema. */
export function configFor(model: string, told: Partial<TransformersConfig> = {}): TransformersConfig {
  return { model, version: 'v1', dimensions: null, batchSize: 4, modelDir: '/nowhere', ...told };
}
