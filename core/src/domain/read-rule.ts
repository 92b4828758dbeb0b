import { compilePathGlob } from './path-glob.ts';

/** Whether the documents of a source at matching paths may be read. Of several rules, the first that fits a document decides. */
export interface ReadRule {
  /** The id of the source; any source when absent. */
  readonly source?: string | undefined;
  /** A glob on the workspace path, as in `SearchFilters.pathGlob` but without a source; any path when absent. */
  readonly path?: string | undefined;
  readonly isAllowed: boolean;
}

/** Why a glob of a rule is not what its author means, since it would be read literally; undefined for a plain one. */
export function ruleGlobProblem(glob: string): string | undefined {
  if (glob.startsWith('!')) return 'rules have no "!": the first that fits decides, so write the exception before it';
  if (/\\[\p{L}\p{N}*?_.]/u.test(glob)) return 'folders are separated by /, not by \\';
  if (glob.split('/').some((name) => name === '.' || name === '..')) return 'paths have neither . nor ..';
  const open: string[] = [];
  for (const character of glob.replaceAll(/\\./gsu, '').replaceAll(/\[[!^]?\]?[^\]]*\]/gsu, ''))
    if (character === '{' || character === '[') open.push(character);
    else if (character === '}' && open.at(-1) === '{') open.pop();
  return open.length === 0
    ? undefined
    : `a ${open.at(-1)} is not closed: to mean the character itself, write \\${open.at(-1)}`;
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
