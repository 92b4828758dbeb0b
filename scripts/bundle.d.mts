/** A file of the bundle and the source files that went into it, absolute. */
export interface BundleChunk {
  readonly fileName: string;
  readonly moduleIds: readonly string[];
}

/** A bundle; `mark` identifies the build, and is inserted into all of its programs. */
export interface Bundle {
  readonly chunks: readonly BundleChunk[];
  readonly mark: string;
}

/** Writes the command line into a folder, which is emptied before. */
export declare function bundle(outDir: string): Promise<Bundle>;

/** Writes the MCP server's own program into a folder, which is emptied before, with the mark of the command line built with it. */
export declare function bundleMcp(outDir: string, mark: string): Promise<void>;
