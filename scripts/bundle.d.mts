/** A file of the bundle and the source files that went into it, absolute. */
export interface BundleChunk {
  readonly fileName: string;
  readonly moduleIds: readonly string[];
}

/** Writes the command line into a folder, which is emptied before. */
export declare function bundle(outDir: string): Promise<readonly BundleChunk[]>;

/** Writes the MCP server's own program into a folder, which is emptied before. */
export declare function bundleMcp(outDir: string): Promise<readonly BundleChunk[]>;

/** Says which build the sources in a folder make: what a service and those who ask it compare. */
export declare function markOf(folder: string): string;
