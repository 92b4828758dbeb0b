import type { FSWatcher } from 'node:fs';
import { identityOf } from '../../files/read-regular-file.ts';
import type { WatchSystem } from './watch-system.ts';

/** How changes in the folders are detected. */
export type Watching =
  | { readonly how: 'events' }
  /** Changes in some of them are not reported, so all are checked from time to time. */
  | { readonly how: 'polling'; readonly why: string; readonly remedy: string };

/** A directory as it was when its watch started. */
interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string | null;
}

/**
 * Detects through the system in which directories something happened: one watch per walked directory, so that ignored ones cost nothing. A
 * check then determines what happened. If the system reports nothing, because it has no watches left or the folder is on a network drive,
 * the caller has to poll.
 */
export class FolderWatchers {
  readonly #watched = new Map<string, Watched>();
  readonly #onChange: (directory: string, name: string | null) => void;
  readonly #system: Pick<WatchSystem, 'watch' | 'isRemote'>;
  #polling: Extract<Watching, { how: 'polling' }> | null = null;

  /** `directory` is one of the watched directories; `name` is the entry in it that the system reports. */
  constructor(
    onChange: (directory: string, name: string | null) => void,
    system: Pick<WatchSystem, 'watch' | 'isRemote'>,
  ) {
    this.#onChange = onChange;
    this.#system = system;
  }

  get state(): Watching {
    return this.#polling ?? { how: 'events' };
  }

  /**
   * Watches exactly these absolute directories, and returns those that were not watched before. A directory that was removed and recreated
   * counts as new: the watch of the old one no longer reports anything.
   */
  follow(directories: readonly string[]): readonly string[] {
    const wanted = new Set(directories);
    for (const [directory, { identity }] of this.#watched)
      if (!wanted.has(directory) || identityOf(directory) !== identity) this.#unwatch(directory);
    const added: string[] = [];
    for (const directory of wanted) if (!this.#watched.has(directory) && this.#watch(directory)) added.push(directory);
    return added;
  }

  /** Whether the directory that is now at this path is watched, rather than one that it has replaced. */
  isWatching(directory: string): boolean {
    const watched = this.#watched.get(directory);
    try {
      return watched !== undefined && watched.identity === identityOf(directory);
    } catch {
      return true; // a directory that cannot be examined is not known to have been replaced
    }
  }

  /** Registers a folder and checks whether its file system reports events. */
  checkPlace(root: string): void {
    if (this.#system.isRemote(root))
      this.#poll(`${root} lies on another machine, which reports no changes`, 'none is needed');
  }

  close(): void {
    for (const directory of this.#watched.keys()) this.#unwatch(directory);
  }

  #watch(directory: string): boolean {
    const identity = identityOf(directory); // before the watch: if it is replaced in between, the next call notices
    try {
      const onChange = (_event: string, name: string | null): void => this.#onChange(directory, name);
      const watcher = this.#system.watch(directory, { persistent: false }, onChange);
      watcher.on('error', () => this.#drop(directory)); // it is gone: the directory above reports that
      this.#watched.set(directory, { watcher, identity });
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const limit = LIMITS[code];
      if (limit !== undefined) this.#poll(`the system has no watches left (${code})`, limit);
      return false;
    }
  }

  #drop(directory: string): void {
    this.#unwatch(directory);
    this.#onChange(directory, null);
  }

  #unwatch(directory: string): void {
    this.#watched.get(directory)?.watcher.close();
    this.#watched.delete(directory);
  }

  #poll(why: string, remedy: string): void {
    this.#polling ??= { how: 'polling', why, remedy };
  }
}

/** How to raise the limits on Linux. */
const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: 'sudo sysctl fs.inotify.max_user_watches=524288',
  EMFILE: 'sudo sysctl fs.inotify.max_user_instances=1024',
};
