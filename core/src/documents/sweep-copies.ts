import { rmSync } from 'node:fs';
import path from 'node:path';
import type { DocumentWriter } from '../contracts/document-store.ts';

/** Removes the assets that no document refers to, and their copies; files outside the asset folder are kept. */
export function sweepCopies(writer: Pick<DocumentWriter, 'sweepAssets'>, assetDir: string): void {
  for (const copy of writer.sweepAssets()) {
    const inside = path.relative(assetDir, copy);
    if (!inside.startsWith('..') && !path.isAbsolute(inside)) rmSync(copy, { force: true });
  }
}
