import { promises } from 'node:fs'; // `node:fs/promises` eagerly loads modules that few commands need
import { join } from 'node:path';

/** The total size of all files in and below a folder, in bytes; 0 when it does not exist. */
export async function folderSize(folder: string): Promise<number> {
  try {
    const entries = await promises.readdir(folder, { withFileTypes: true });
    const sizes = await Promise.all(
      entries.map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return folderSize(path);
        return entry.isFile() ? (await promises.stat(path)).size : 0;
      }),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return 0;
    throw error;
  }
}
