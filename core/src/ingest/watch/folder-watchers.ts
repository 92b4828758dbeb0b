import type { FSWatcher } from 'node:fs';
import type { Surroundings } from './surroundings.ts';

/** How changes in the folders are learned of. */
export type Watching =
  | { readonly how: 'events' }
  /** Nothing tells of changes in some of them, so that all are looked at from time to time. */
  | { readonly how: 'polling'; readonly why: string; readonly remedy: string };

/**
 * Learns from the system which directories something happened in: one watch a directory that was walked, so that what is ignored
 * costs nothing. What happened is for a look to find out. Where the system tells nothing, because it has no watches left or the
 * folder lies on another machine, the caller has to poll.
 */
export class FolderWatchers {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onChange: (directory: string, name: string | null) => void;
  readonly #system: Pick<Surroundings, 'watch' | 'isRemote'>;
  #polling: Extract<Watching, { how: 'polling' }> | null = null;

  /** `directory` is one of those that are followed; `name` is what the system names in it. */
  constructor(
    onChange: (directory: string, name: string | null) => void,
    system: Pick<Surroundings, 'watch' | 'isRemote'>,
  ) {
    this.#onChange = onChange;
    this.#system = system;
  }

  get state(): Watching {
    return this.#polling ?? { how: 'events' };
  }

  /** Watches exactly these directories, absolute, and returns those that were not watched before. */
  follow(directories: readonly string[]): readonly string[] {
    const wanted = new Set(directories);
    for (const [directory, watcher] of this.#watchers)
      if (!wanted.has(directory)) {
        watcher.close();
        this.#watchers.delete(directory);
      }
    const added: string[] = [];
    for (const directory of wanted) if (!this.#watchers.has(directory) && this.#watch(directory)) added.push(directory);
    return added;
  }

  /** Follows a folder of which the first look shows that no events come from it. */
  checkPlace(root: string): void {
    if (this.#system.isRemote(root))
      this.#poll(`${root} lies on another machine, which reports no changes`, 'none is needed');
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(directory: string): boolean {
    try {
      const onChange = (_event: string, name: string | null): void => this.#onChange(directory, name);
      const watcher = this.#system.watch(directory, { persistent: false }, onChange);
      watcher.on('error', () => this.#drop(directory)); // it is gone: the directory above tells of that
      this.#watchers.set(directory, watcher);
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const limit = LIMITS[code];
      if (limit !== undefined) this.#poll(`the system has no watches left (${code})`, limit);
      return false;
    }
  }

  #drop(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
    this.#onChange(directory, null);
  }

  #poll(why: string, remedy: string): void {
    this.#polling ??= { how: 'polling', why, remedy };
  }
}

/** What raises the limits of Linux. */
const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: 'sudo sysctl fs.inotify.max_user_watches=524288',
  EMFILE: 'sudo sysctl fs.inotify.max_user_instances=1024',
};
