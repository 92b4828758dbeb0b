import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { PluginChange } from '../../wire/index.ts';
import { folderSize } from '../folder-size.ts';
import { PluginFolder } from './plugin-folder.ts';
import { type NpmRun, runNpm } from './run-npm.ts';

/** Libraries that kebab works without until something needs them: too large to come with it. */
export interface OptionalPart {
  /** What people call it: `kebab plugin install ocr`. */
  readonly name: string;
  readonly summary: string;
  /** Its folder below `parts/`, which is another for other versions. */
  readonly folder: string;
  /** Whether its libraries can be loaded, wherever they lie. */
  readonly isPresent: () => boolean;
  /** A package.json and its package-lock.json, which pins every package by version and integrity. */
  readonly files: () => { readonly package: string; readonly lock: string };
}

/** Installs a part as it is pinned. Scripts of its packages do not run: what they would download is not needed. */
export async function installPart(
  part: OptionalPart,
  { pluginFolder, env }: Pick<NpmRun, 'env'> & { readonly pluginFolder: string },
  { signal, onProgress }: AbortOptions & Pick<NpmRun, 'onProgress'>,
): Promise<PluginChange> {
  const folder = new PluginFolder(pluginFolder);
  const place = path.join(folder.root, 'parts', part.folder);
  const isThere = existsSync(place);
  if (!isThere)
    await folder.staged('parts', async (staging) => {
      const files = part.files();
      writeFileSync(path.join(staging, 'package.json'), files.package);
      writeFileSync(path.join(staging, 'package-lock.json'), files.lock);
      await runNpm(['ci', '--ignore-scripts'], { cwd: staging, env, signal, onProgress });
      removeForeign(path.join(staging, 'node_modules'));
      await folder.placePart(staging, part);
    });
  return {
    schema_version: 'plugin_change.v1',
    action: isThere ? 'unchanged' : 'installed',
    kind: 'part',
    name: part.name,
    version: null,
    previous: null,
    folder: place,
    bytes: await folderSize(place),
    config_file: null,
    scripts: [],
    hint: null,
  };
}

/** What a package brings for other systems, three quarters of the largest: `bin/napi-v6/PLATFORM/ARCH`. */
function removeForeign(modules: string): void {
  const binaries = path.join(modules, 'onnxruntime-node', 'bin');
  for (const api of foldersIn(binaries))
    for (const platform of foldersIn(path.join(binaries, api)))
      for (const arch of foldersIn(path.join(binaries, api, platform)))
        if (platform !== process.platform || arch !== process.arch)
          rmSync(path.join(binaries, api, platform, arch), { recursive: true });
}

function foldersIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
