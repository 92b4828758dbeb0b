/** Where the value of a key comes from. */
export type Origin =
  | { readonly origin: 'default' }
  | { readonly origin: 'file'; readonly path: string }
  | { readonly origin: 'env'; readonly variable: string }
  | { readonly origin: 'flag'; readonly flag: string };

/** A key at one place: what a message about its value must name. */
export interface Location {
  readonly origin: Origin;
  /** Dotted: `search.default_k`. */
  readonly key: string;
}

/** Names an origin as a message begins: the file, the variable, the flag. */
export function describeOrigin(origin: Origin): string {
  switch (origin.origin) {
    case 'default':
      return 'built-in default';
    case 'file':
      return origin.path;
    case 'env':
      return origin.variable;
    case 'flag':
      return origin.flag;
    default:
      return origin satisfies never;
  }
}
