import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isInside, readRegularText } from '../../files/read-regular-file.ts';
import { gitWorkTreeAt, type GitWorkTree } from '../../git/git-facts.ts';
import type { GitFiles } from '../../schema/kind-settings.ts';
import { readIgnoreFile, type RulesHere } from './ignore-rules.ts';

/** What git's ignore rules depend on besides the ignore files of a tree. */
export interface GitRulesInit {
  /** The root of the walk, without links. */
  readonly realRoot: string;
  /** The user's files of git; without them no rules of the user apply. */
  readonly git: GitFiles | undefined;
}

/**
 * The rules that apply in the root of a walk although they are written elsewhere, weakest first: the user's `core.excludesFile`,
 * `.git/info/exclude`, and the ignore files of the folders above in the same work tree. None outside of a work tree, or when these rules
 * leave out the root itself, which the user has added.
 */
export function rulesAround({ realRoot, git }: GitRulesInit): readonly RulesHere[] {
  const tree = workTreeAround(realRoot);
  if (tree === null) return [];
  let rules = repositoryRules(tree, git);
  let directory = tree.top;
  for (const name of relative(tree.top, realRoot).split(sep).filter(Boolean)) {
    const own = rulesIn(join(directory, '.gitignore'));
    if (own !== null) rules = [...rules, own];
    const key = name.normalize('NFC');
    const verdicts = rules.map((file) => file.opinion(key, true)).filter((opinion) => opinion !== null);
    if (verdicts.at(-1) === 'ignore') return [];
    rules = rules.map((file) => file.inside(key));
    directory = join(directory, name);
  }
  return rules;
}

/** The rules of a repository itself and of the user, in the top directory of a work tree. */
export function repositoryRules({ commonDir, top }: GitWorkTree, git: GitFiles | undefined): readonly RulesHere[] {
  const files = [
    excludesFile([...(git?.configs ?? []), join(commonDir, 'config')], git),
    join(commonDir, 'info/exclude'),
  ];
  return files.flatMap((file) => (file === null ? [] : (rulesIn(isAbsolute(file) ? file : join(top, file)) ?? [])));
}

/**
 * Whether a directory is another work tree of a repository whose main work tree, or an enclosing one, is part of the walk: its files are
 * there a second time. A submodule is not, nor is a repository inside another.
 */
export function isSecondCheckout(directory: string, realRoot: string): boolean {
  if (lstatSync(join(directory, '.git'), { throwIfNoEntry: false })?.isFile() !== true) return false;
  const tree = gitWorkTreeAt(directory);
  if (tree.kind !== 'tree' || tree.gitDir === tree.commonDir) return false;
  const main = dirname(tree.commonDir);
  if (tree.commonDir.endsWith(`${sep}.git`) && isInside(main, realRoot)) return true;
  const outer = workTreeAround(dirname(directory));
  return outer !== null && outer.commonDir === tree.commonDir && isInside(outer.top, realRoot);
}

/** The work tree that contains a directory; null outside of any. */
function workTreeAround(directory: string): GitWorkTree | null {
  for (let at = directory; ; at = dirname(at)) {
    const place = gitWorkTreeAt(at);
    if (place.kind === 'tree') return place;
    if (place.kind === 'damaged' || dirname(at) === at) return null;
  }
}

/** The rules in a file; null when it is missing, or is not meant as rules. */
function rulesIn(file: string): RulesHere | null {
  try {
    return readIgnoreFile(file, 0);
  } catch {
    return null;
  }
}

const MAX_CONFIG_BYTES = 1_048_576;

/** The last `core.excludesFile` in configuration files of git, otherwise its default; null when it is set to nothing. */
function excludesFile(configs: readonly string[], git: GitFiles | undefined): string | null {
  let value: string | undefined;
  for (const config of configs) value = excludesIn(config) ?? value;
  if (value === undefined) return git?.ignore ?? null;
  if (value.startsWith('~/')) return git === undefined ? null : join(git.home, value.slice(2));
  return value === '' ? null : value;
}

function excludesIn(config: string): string | undefined {
  let text: string;
  try {
    text = readRegularText(config, { maxBytes: MAX_CONFIG_BYTES });
  } catch {
    return undefined;
  }
  let [section, value]: [string, string | undefined] = ['', undefined];
  for (const line of text.split('\n')) {
    const rest = line.replace(/^\s*\[\s*([\w.-]+)[^\]]*\]/, (_, name: string) => {
      section = name.toLowerCase();
      return '';
    });
    const found = /^\s*excludesfile\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^#;]*))/i.exec(rest);
    if (section === 'core' && found !== null) value = (found[1]?.replaceAll(/\\(.)/g, '$1') ?? found[2] ?? '').trim();
  }
  return value;
}
