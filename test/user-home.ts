import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtins } from '@kebab/builtins';
import { openApp, type App, type OpenAppOptions } from '@kebab/core/app';
import { putFiles } from './put-files.ts';

/** The home folder of a user, in which kebab is opened as programs open it. It is made when it is first asked for. */
export class UserHome {
  readonly #apps = new Set<App>();
  #folder: string | undefined;

  get folder(): string {
    return (this.#folder ??= realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-home-'))));
  }

  /** The folder of notes that kebab reads without a configuration. */
  get notes(): string {
    return this.at('KnowledgeBase');
  }

  at(...names: readonly string[]): string {
    return path.join(this.folder, ...names);
  }

  /** Writes files into the folder of notes. */
  put(notes: Readonly<Record<string, string | Uint8Array>>): void {
    putFiles(this.notes, notes);
  }

  /** Opens kebab with these environment variables, without vectors unless they say otherwise. */
  async open(
    env: Readonly<Record<string, string>> = {},
    { cwd = this.folder, ...options }: Partial<OpenAppOptions> & { readonly cwd?: string } = {},
  ): Promise<App> {
    const variables = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', ...env };
    const environment = { cwd, homeDir: this.folder, tmpDir: tmpdir(), env: variables };
    const app = await openApp({ builtins, environment, ...options });
    this.#apps.add(app);
    return app;
  }

  /** Opens kebab for one action, as a command does. */
  async run<T>(action: (app: App) => Promise<T>, ...opening: Parameters<UserHome['open']>): Promise<T> {
    const app = await this.open(...opening);
    try {
      return await action(app);
    } finally {
      await this.close(app);
    }
  }

  /** Closes these Apps, by default every one that is open, the last one first. */
  async close(...apps: readonly App[]): Promise<void> {
    for (const app of apps.length === 0 ? [...this.#apps].toReversed() : apps) {
      this.#apps.delete(app);
      await app.close();
    }
  }

  async remove(): Promise<void> {
    await this.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
