interface Closable {
  close?(): void | Promise<void>;
}

/** The components that a case made; each is closed once, the last made first. */
export class MadeComponents {
  readonly #made: Closable[] = [];

  /** Remembers a component, and gives it back. Whoever closes it first does; a suite may, before this does. */
  keep<T>(component: T): T {
    if (typeof component !== 'object' || component === null) return component;
    const close = (component as Closable).close?.bind(component);
    let closed = false;
    if (close !== undefined && Object.isExtensible(component))
      Object.defineProperty(component, 'close', {
        value: () => {
          if (closed) return undefined;
          closed = true;
          return close();
        },
      });
    this.#made.push(component);
    return component;
  }

  /** Closes what was made since the last call. The first failure is thrown when all are closed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const component of this.#made.splice(0).toReversed()) {
      try {
        await component.close?.();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
