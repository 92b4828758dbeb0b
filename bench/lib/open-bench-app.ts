import { tmpdir } from 'node:os';
import { openApp, type App } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';

/** Opens an App over a folder, with its data in another, default settings, and nothing of the user's. */
export function openBenchApp(folder: string, data: string, env: Readonly<Record<string, string>> = {}): Promise<App> {
  return openApp({
    builtins,
    environment: {
      cwd: data,
      homeDir: data,
      tmpDir: tmpdir(),
      env: { KEBAB_WORKSPACE_ROOT: folder, KEBAB_STORAGE_DATA_DIR: data, ...env },
    },
  });
}
