import { invalidParams } from './rpc-error.ts';
import type { ServedResources } from './surface.ts';

const MAX_SUBSCRIPTIONS = 10_000;

/** The resources that a client subscribes to, each with the version that was last announced. */
export class Subscriptions {
  readonly #resources: ServedResources;
  readonly #announce: (uri: string) => void;
  readonly #known = new Map<string, string | null>();
  #checking: Promise<void> | null = null;
  #isOutdated = false;

  constructor(resources: ServedResources, announce: (uri: string) => void) {
    this.#resources = resources;
    this.#announce = announce;
  }

  /** False if there is no such resource. */
  async add(uri: string): Promise<boolean> {
    if (this.#known.size >= MAX_SUBSCRIPTIONS) throw invalidParams('there are too many subscriptions');
    const [version = null] = await this.#resources.versions([uri]);
    if (version !== null) this.#known.set(uri, version);
    return version !== null;
  }

  remove(uri: string): void {
    this.#known.delete(uri);
  }

  /** Announces the resources whose version has changed. Only one check runs at a time; a change meanwhile causes another. Never throws. */
  check(): Promise<void> {
    this.#isOutdated = true;
    this.#checking ??= this.#checkAll().finally(() => (this.#checking = null));
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    while (this.#isOutdated && this.#known.size > 0) {
      this.#isOutdated = false;
      const uris = [...this.#known.keys()];
      const versions = await this.#resources.versions(uris).catch(() => null);
      for (const [at, uri] of uris.entries()) {
        const version = versions?.[at];
        if (version === undefined || !this.#known.has(uri) || this.#known.get(uri) === version) continue;
        this.#known.set(uri, version);
        this.#announce(uri);
      }
    }
  }
}
