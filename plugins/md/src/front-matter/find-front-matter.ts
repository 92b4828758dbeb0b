import { parsePlainYaml } from './plain-yaml.ts';

/** The front matter of a text: its language, what stands between the fences, and where the body begins. */
export interface FrontMatter {
  readonly syntax: 'yaml' | 'toml';
  readonly raw: string;
  /** The offset of the line behind the closing fence. */
  readonly bodyStart: number;
  /** The 1-based number of that line. */
  readonly bodyLine: number;
}

const FENCE = /^(-{3,}|\+{3})[ \t]*(?:\n|$)/;

/**
 * Finds YAML between lines `---` or TOML between lines `+++`, from the first character on; blanks behind a fence do not
 * matter. Without a closing fence there is no front matter. A fence of more dashes is more often a rule across the page,
 * and counts only around plain keys and values.
 */
export function findFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---') && !text.startsWith('+++')) return undefined;
  const [opening, fence] = FENCE.exec(text.slice(0, 1000)) ?? [];
  if (opening === undefined || fence === undefined) return undefined;
  const start = opening.length;
  let line = 2;
  for (let at = start; at < text.length; line++) {
    const bodyStart = endOfFence(text, at, fence);
    if (bodyStart !== undefined) {
      const raw = text.slice(start, at);
      if (fence.length > 3 && parsePlainYaml(raw) === undefined) return undefined;
      return { syntax: fence === '+++' ? 'toml' : 'yaml', raw, bodyStart, bodyLine: line + 1 };
    }
    const newline = text.indexOf('\n', at);
    at = newline === -1 ? text.length : newline + 1;
  }
  return undefined;
}

/** The start of the line behind a fence that stands alone on the line at `at`. */
function endOfFence(text: string, at: number, fence: string): number | undefined {
  if (!text.startsWith(fence, at)) return undefined;
  let end = at + fence.length;
  while (text[end] === ' ' || text[end] === '\t') end++;
  if (end === text.length) return end;
  return text[end] === '\n' ? end + 1 : undefined;
}
