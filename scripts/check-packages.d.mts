/** A package of this repository, by its absolute folder. */
export interface CheckedPackage {
  readonly folder: string;
  readonly manifest: { readonly name: string; readonly exports?: Readonly<Record<string, unknown>> };
  /** The entries whose types are read, for example `.`; all of its `exports` by default. */
  readonly entries?: readonly string[];
}

/** The packages that are published. */
export declare function publishablePackages(): CheckedPackage[];

/** What is wrong with packages, as lines. */
export declare function checkPackages(packages: readonly CheckedPackage[]): Promise<string[]>;
