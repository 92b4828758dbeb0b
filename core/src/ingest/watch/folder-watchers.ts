import type { FSWatcher } from 'node:fs';
import { identityOf } from '../../files/file-identity.ts';
import type { Surroundings } from './surroundings.ts';

/** How changes in the folders are learned of. */
export type Watching =
  | { readonly how: 'events' }
  /** Changes in some of them are not reported, so that all are looked at from time to time. */
  | { readonly how: 'polling'; readonly why: string; readonly remedy: string };

/** A directory as it was when its watch began. */
interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string | null;
}

/**
 * Learns from the system which directories something happened in: one watch a directory that was walked, so that what is ignored
 * costs nothing. What happened is for a look to find out. Where the system reports nothing, because it has no watches left or the
 * folder lies on another machine, the caller has to poll.
 */
export class FolderWatchers {
  readonly #watched = new Map<string, Watched>();
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

  /**
   * Watches exactly these directories, absolute, and returns those that were not watched before. One that was removed and made again
   * is another: the watch of the old one reports nothing any more.
   */
  follow(directories: readonly string[]): readonly string[] {
    const wanted = new Set(directories);
    for (const [directory, { identity }] of this.#watched)
      if (!wanted.has(directory) || identityOf(directory) !== identity) this.#unwatch(directory);
    const added: string[] = [];
    for (const directory of wanted) if (!this.#watched.has(directory) && this.#watch(directory)) added.push(directory);
    return added;
  }

  /** Follows a folder of which the first look shows that no events come from it. */
  checkPlace(root: string): void {
    if (this.#system.isRemote(root))
      this.#poll(`${root} lies on another machine, which reports no changes`, 'none is needed');
  }

  close(): void {
    for (const directory of this.#watched.keys()) this.#unwatch(directory);
  }

  #watch(directory: string): boolean {
    const identity = identityOf(directory); // before the watch: were it replaced in between, the next call sees the difference
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

/** What raises the limits of Linux. */
const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: 'sudo sysctl fs.inotify.max_user_watches=524288',
  EMFILE: 'sudo sysctl fs.inotify.max_user_instances=1024',
};
