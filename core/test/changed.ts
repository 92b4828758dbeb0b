/** The same component with some members replaced; the others run on the component itself, including private state. */
export function changed<T extends object>(sound: T, changes: Partial<T>): T {
  return new Proxy(sound, {
    get: (target, name) => {
      if (name in changes) return changes[name as keyof T];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
