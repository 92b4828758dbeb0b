declare module 'semver' {
  const semver: {
    /** Null for what is no range. */
    readonly validRange: (range: string) => string | null;
    readonly satisfies: (version: string, range: string) => boolean;
  };
  export default semver;
}
