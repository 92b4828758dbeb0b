/**
 * Compiles a glob on workspace paths: `*` and `?` do not cross `/`, `**` does, and as a whole segment it also stands for no
 * segment at all; `[ab]`, `[a-z]`, `[!a]` and `{a,b}` mean what they mean in a shell, `\` makes the next character ordinary. Everything
 * else, an unclosed bracket or brace included, stands for itself. Letter case matters; hidden files are ordinary files.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const pattern = new RegExp(`^${translate(glob.normalize('NFC').replace(/^\.?\/+/, ''))}$`, 'su');
  return (path) => pattern.test(path);
}

const WHOLE_SEGMENTS = /^(?:\*\*\/)+/;

function translate(glob: string): string {
  let source = '';
  let at = 0;
  while (at < glob.length) {
    const [piece, length] = pieceAt(glob, at);
    source += piece;
    at += length;
  }
  return source;
}

/** The regular expression for what stands at an offset, and how much of the glob it uses up. */
function pieceAt(glob: string, at: number): readonly [piece: string, length: number] {
  const character = glob[at] ?? '';
  const startsSegment = at === 0 || glob[at - 1] === '/';
  if (character === '*') {
    const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 1;
    const directories = startsSegment ? WHOLE_SEGMENTS.exec(glob.slice(at)) : null;
    if (directories !== null) return ['(?:[^/]+/)*', directories[0].length];
    return [stars === 1 ? '[^/]*' : '.*', stars];
  }
  if (character === '?') return ['[^/]', 1];
  if (character === '\\' && at + 1 < glob.length) {
    const escaped = String.fromCodePoint(glob.codePointAt(at + 1) ?? 0);
    return [literal(escaped), 1 + escaped.length];
  }
  if (character === '[') return characterClass(glob, at) ?? [literal(character), 1];
  if (character === '{') return alternatives(glob, at) ?? [literal(character), 1];
  const whole = String.fromCodePoint(glob.codePointAt(at) ?? 0);
  return [literal(whole), whole.length];
}

function characterClass(glob: string, at: number): readonly [string, number] | undefined {
  const match = /^\[([!^]?)(\]?[^\]]*)\]/su.exec(glob.slice(at));
  const members = match?.[2] ?? '';
  if (match === null || members === '') return undefined;
  const escaped = members.replaceAll(/[\\\][^]/g, String.raw`\$&`).replaceAll(/^-|-$/g, String.raw`\-`);
  const negated = match[1] === '' ? '' : '^';
  const source = `(?!/)[${negated}${escaped}]`;
  return isValid(source) ? [source, match[0].length] : undefined;
}

function alternatives(glob: string, at: number): readonly [string, number] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = at + 1;
  for (let i = at; i < glob.length; i++) {
    const character = glob[i];
    if (character === '\\') i++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      parts.push(glob.slice(from, i));
      from = i + 1;
    } else if (character === '}' && --depth === 0) {
      parts.push(glob.slice(from, i));
      return parts.length === 1 ? undefined : [`(?:${parts.map(translate).join('|')})`, i + 1 - at];
    }
  }
  return undefined;
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, 'su').source !== '';
  } catch {
    return false; // a reversed range such as [z-a]
  }
}
