import { compilePathGlob } from './path-glob.ts';

/** Whether the documents of a source at matching paths may be read. Of several rules, the first that fits a document decides. */
export interface ReadRule {
  /** The id of the source; any source when absent. */
  readonly source?: string | undefined;
  /** A glob on the workspace path, as in `SearchFilters.pathGlob` but without a source; any path when absent. */
  readonly path?: string | undefined;
  readonly isAllowed: boolean;
}

/** Tells whether a document at a place may be read. */
export type MayRead = (sourceId: string, workspacePath: string) => boolean;

/** Compiles rules to a test of places: the first rule that fits decides, and what none fits is not read. */
export function compileReadRules(rules: readonly ReadRule[]): MayRead {
  const compiled = rules.map(({ source, path, isAllowed }) => {
    const fits = path === undefined ? () => true : compilePathGlob(path);
    return { source, fits, isAllowed };
  });
  return (sourceId, workspacePath) =>
    compiled.find(({ source, fits }) => (source === undefined || source === sourceId) && fits(workspacePath))
      ?.isAllowed ?? false;
}
