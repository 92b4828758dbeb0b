import {
  ANY_FOLDERS,
  bytesOf,
  type GitignorePattern,
  NameGlob,
  parseGitignoreLine,
  type Step,
} from './gitignore-pattern.ts';
import { readRegularText } from '../../files/read-regular-file.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { isWideUnicode } from '../../domain/decode-text.ts';
import type { MediaType } from '../../domain/media.ts';

/** The counters of entries that a walk skips by name and location. */
type ScanCounter = 'builtin_blacklist' | 'gitignore' | 'kebabignore' | 'excluded';

/**
 * The ignore rules in effect in one directory: the built-in list, then every `.gitignore`, then every `.kebabignore`, each from the root of
 * the source down. The last matching rule wins, so a `.kebabignore` can re-include what the others exclude; nothing is re-included below an
 * excluded directory.
 */
export class IgnoreStack {
  readonly #git: readonly RulesHere[];
  readonly #kebab: readonly RulesHere[];

  constructor(git: readonly RulesHere[] = [], kebab: readonly RulesHere[] = []) {
    this.#git = git;
    this.#kebab = kebab;
  }

  /** The number of characters of all rules in effect. */
  get length(): number {
    return [...this.#git, ...this.#kebab].reduce((sum, { length }) => sum + length, 0);
  }

  /** The stack with the ignore files of its directory on top. */
  with(files: { readonly git?: RulesHere | undefined; readonly kebab?: RulesHere | undefined }): IgnoreStack {
    if (files.git === undefined && files.kebab === undefined) return this;
    return new IgnoreStack(
      files.git === undefined ? this.#git : [...this.#git, files.git],
      files.kebab === undefined ? this.#kebab : [...this.#kebab, files.kebab],
    );
  }

  /** The stack at the top of a repository inside the tree, to which git's rules outside of it do not apply. */
  inRepository(rules: readonly RulesHere[]): IgnoreStack {
    return new IgnoreStack(rules, this.#kebab);
  }

  /**
   * Why an entry of the directory is excluded, or null when it is not. If several layers would each exclude it, the first of built-in,
   * `.gitignore`, `.kebabignore` is returned. `name` is in NFC.
   */
  verdict(name: string, isDirectory: boolean, around: Surroundings): ScanCounter | null {
    const builtin: Opinion = isBuiltinIgnored(name, isDirectory, around) ? 'ignore' : null;
    const git = lastOpinion(this.#git, name, isDirectory);
    const kebab = lastOpinion(this.#kebab, name, isDirectory);
    // Git lists nothing of its own folder, whatever its rules say.
    if ((kebab ?? (name === GIT_FOLDER ? builtin : (git ?? builtin))) !== 'ignore') return null;
    if (builtin === 'ignore') return 'builtin_blacklist';
    return git === 'ignore' ? 'gitignore' : 'kebabignore';
  }

  /** The stack inside a directory that is not excluded. */
  inside(name: string): IgnoreStack {
    const [git, kebab] = [insideAll(this.#git, name), insideAll(this.#kebab, name)];
    return git === this.#git && kebab === this.#kebab ? this : new IgnoreStack(git, kebab);
  }
}

function insideAll(files: readonly RulesHere[], name: string): readonly RulesHere[] {
  const inside = files.map((file) => file.inside(name));
  return inside.every((file, i) => file === files[i]) ? files : inside;
}

function lastOpinion(files: readonly RulesHere[], name: string, isDirectory: boolean): Opinion {
  for (let i = files.length - 1; i >= 0; i--) {
    const opinion = files[i]?.opinion(name, isDirectory) ?? null;
    if (opinion !== null) return opinion;
  }
  return null;
}

/** The result of a set of rules for an entry; null when no rule matches. */
type Opinion = 'ignore' | 'keep' | null;

/**
 * Gitignore rules as they apply in one directory. Descending drops the rules that concern other directories, so the cost per entry does not
 * grow with its depth.
 */
export class RulesHere {
  readonly #rules: CompiledRules;
  /** Path rules that may match here or further down, in the order in which they were written. */
  readonly #open: readonly OpenRule[];

  private constructor(rules: CompiledRules, open: readonly OpenRule[]) {
    this.#rules = rules;
    this.#open = open;
  }

  /** The number of characters of the lines they were parsed from. */
  get length(): number {
    return this.#rules.length;
  }

  /** The rules of some lines, in the directory that they are relative to. */
  static of(lines: readonly string[]): RulesHere {
    const rules = new CompiledRules(lines);
    return new RulesHere(
      rules,
      rules.paths.map((rule) => ({ rule, reached: onward(rule.pattern.steps, [0]) })),
    );
  }

  /** The result of the last matching rule for an entry of the directory by its own name; parent directories are not considered. */
  opinion(written: string, isDirectory: boolean): Opinion {
    const name = bytesOf(written);
    let last = this.#rules.lastByName(name, isDirectory);
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const open = this.#open[i];
      if (open === undefined || open.rule.order < last) break;
      if (isDirectory || !open.rule.pattern.directoryOnly) if (endsWith(open, name)) last = open.rule.order;
    }
    return last === -1 ? null : this.#rules.keeps(last) ? 'keep' : 'ignore';
  }

  /** The same rules as they apply in a subdirectory. */
  inside(written: string): RulesHere {
    if (this.#open.length === 0) return this;
    const name = bytesOf(written);
    const open: OpenRule[] = [];
    for (const { rule, reached } of this.#open) {
      const next = step(rule.pattern.steps, reached, name);
      if (next.length > 0) open.push({ rule, reached: next });
    }
    return new RulesHere(this.#rules, open);
  }
}

/** A rule and its index among all rules of its file. */
interface Rule {
  readonly order: number;
  readonly pattern: GitignorePattern;
}

/** A path rule, and the indexes of its steps that come next here, ascending. */
interface OpenRule {
  readonly rule: Rule;
  readonly reached: readonly number[];
}

/** Adds the positions reached when `**` matches no folder; a final `**` matches at least one name. */
function onward(steps: readonly Step[], positions: readonly number[]): readonly number[] {
  const all: number[] = [];
  for (const at of positions) {
    if (all.at(-1) !== at) all.push(at);
    if (steps[at] === ANY_FOLDERS && at < steps.length - 1) all.push(at + 1);
  }
  return all;
}

function step(steps: readonly Step[], reached: readonly number[], name: string): readonly number[] {
  const next: number[] = [];
  for (const at of reached) {
    const glob = steps[at];
    const to = glob === ANY_FOLDERS ? at : at + 1;
    const isOn = glob === ANY_FOLDERS || (to < steps.length && glob?.matches(name) === true);
    if (isOn && next.at(-1) !== to) next.push(to);
  }
  return onward(steps, next);
}

function endsWith({ rule: { pattern }, reached }: OpenRule, name: string): boolean {
  const last = pattern.steps.length - 1;
  const glob = pattern.steps[last];
  return reached.at(-1) === last && (glob === ANY_FOLDERS || glob?.matches(name) === true);
}

/** Rules indexed so that the last one for a name is found without trying each. */
class CompiledRules {
  readonly paths: readonly Rule[];
  readonly length: number;
  readonly #names: NameRules;
  readonly #namesOfFiles: NameRules;
  readonly #keeps: readonly boolean[];

  constructor(lines: readonly string[]) {
    this.length = lines.reduce((sum, { length }) => sum + length, 0);
    const rules = lines
      .map(parseGitignoreLine)
      .filter((pattern) => pattern !== null)
      .map((pattern, order): Rule => ({ order, pattern }));
    const names = rules.filter(({ pattern }) => pattern.anywhere);
    this.paths = rules.filter(({ pattern }) => !pattern.anywhere);
    this.#names = new NameRules(names);
    this.#namesOfFiles = new NameRules(names.filter(({ pattern }) => !pattern.directoryOnly));
    this.#keeps = rules.map(({ pattern }) => pattern.keeps);
  }

  keeps(order: number): boolean {
    return this.#keeps[order] === true;
  }

  /** The index of the last rule for a name at any depth; -1 when there is none. */
  lastByName(name: string, isDirectory: boolean): number {
    return (isDirectory ? this.#names : this.#namesOfFiles).last(name);
  }
}

/** Name rules. Most are whole names or `*.extension`, which are looked up. */
class NameRules {
  readonly #whole = new Map<string, number>();
  readonly #byEnd = new Map<string, number>();
  readonly #others: { readonly order: number; readonly glob: NameGlob }[] = [];

  constructor(rules: readonly Rule[]) {
    for (const { order, pattern } of rules) {
      const [glob] = pattern.steps;
      if (!(glob instanceof NameGlob)) continue;
      if (glob.literal !== null) this.#whole.set(glob.literal, order);
      else if (glob.suffix?.startsWith('.') === true) this.#byEnd.set(glob.suffix, order);
      else this.#others.push({ order, glob });
    }
  }

  last(name: string): number {
    let last = this.#whole.get(name) ?? -1;
    if (this.#byEnd.size > 0)
      for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
        last = Math.max(last, this.#byEnd.get(name.slice(dot)) ?? -1);
    for (let i = this.#others.length - 1; i >= 0; i--) {
      const other = this.#others[i];
      if (other === undefined || other.order < last) break;
      if (other.glob.matches(name)) return other.order;
    }
    return last;
  }
}

const GIT_FOLDER = '.git';
const DIRECTORIES = new Set([GIT_FOLDER, '.kebab', '.kebab.bak', 'node_modules', '__pycache__', '.venv']);
const NAMES = new Set([GIT_FOLDER, '.DS_Store', '.kebabignore', 'kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml']);
/** What macOS keeps beside a file on a foreign disk, and Office and LibreOffice beside a document that is open. */
const BESIDE_A_FILE = /^(?:\._|~\$|\.~lock\.)/;

/** What tools write into the folders that they make, beside them or in them. Without any of it the name is only a word. */
const VIRTUAL_ENVIRONMENT = {
  beside: /^$/,
  inside: /^(?:pyvenv\.cfg|conda-meta|Scripts|site-packages)$/,
};
const MADE_DIRECTORIES: ReadonlyMap<string, { readonly beside: RegExp; readonly inside: RegExp }> = new Map([
  [
    'target',
    {
      beside: /^(?:Cargo\.(?:toml|lock)|pom\.xml|build\.(?:sc|properties)|project\.clj|.+\.sbt)$/,
      inside:
        /^(?:CACHEDIR\.TAG|\.rustc_info\.json|test-classes|maven-(?:status|archiver)|surefire-reports|generated-sources|.+\.(?:jar|war))$/,
    },
  ],
  ['venv', VIRTUAL_ENVIRONMENT],
  ['env', VIRTUAL_ENVIRONMENT],
]);

/** The names in the directory of an entry, and in the entry itself if it is a directory. */
export interface Surroundings {
  readonly beside: () => readonly string[];
  readonly inside: () => readonly string[];
}

/**
 * Whether an entry of this name is on the built-in list: version control, dependencies, build output, virtual environments, files of the
 * operating system, and kebab's own ignore and configuration files and knowledge bases. A directory named like build output or an
 * environment is on it only with what a tool writes there.
 */
function isBuiltinIgnored(name: string, isDirectory: boolean, around: Surroundings): boolean {
  if (NAMES.has(name) || BESIDE_A_FILE.test(name)) return true;
  if (!isDirectory) return false;
  if (DIRECTORIES.has(name)) return true;
  const made = MADE_DIRECTORIES.get(name);
  if (made === undefined) return false;
  return (
    around.beside().some((other) => made.beside.test(other)) || around.inside().some((child) => made.inside.test(child))
  );
}

const MAX_BYTES = 1_048_576;
const MAX_LINE = 4096;
/** The limit for all ignore files from the root down to a directory: the rules of each stay in memory while the content below is walked. */
const MAX_IN_FORCE = 8 * MAX_BYTES;

/**
 * Reads an ignore file; its rules are relative to its directory. Throws when it cannot be read, is larger than 1 MiB, or has a line of more
 * than 4,096 characters: such a file is not meant as rules. `inForce` is the number of characters of rules already in effect; with 8 MiB of
 * them it throws as well.
 */
export function readIgnoreFile(file: string, inForce: number): RulesHere {
  const text = readRegularText(file, { maxBytes: MAX_BYTES });
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).normalize('NFC').split('\n');
  if (inForce + text.length > MAX_IN_FORCE)
    throw new Error(
      `the ignore files of the folders above have ${inForce} characters; all have at most ${MAX_IN_FORCE}`,
    );
  const long = lines.findIndex(({ length }) => length > MAX_LINE);
  if (long !== -1)
    throw new Error(
      `line ${long + 1} has ${lines[long]?.length} characters, more than the ${MAX_LINE} that a rule may have`,
    );
  return RulesHere.of(lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
}

/** The counters of files that are skipped for their size or content. */
export type FileCounter = 'size_exceeded' | 'binary' | 'secrets';

/** The limits that files are checked against. */
export type SkipLimits = Pick<ResolvedConfig, 'code' | 'indexing'>;

const BYTES_PER_MB = 1_048_576;
/** Memory that extracting and cutting a text of ordinary lines takes, in bytes per byte of the text, with room to spare. */
const MEMORY_PER_TEXT_BYTE = 32;
const SNIFFED_BYTES = 8192;
/** Text has a NUL byte here and there; binary data has many, or other control characters beside them. */
const MAX_CONTROL_SHARE = 0.05;

/** The largest size of a file that is read, in bytes, and the setting that limits it. */
export function sizeLimit(
  media: MediaType,
  { code, indexing }: SkipLimits,
): { readonly bytes: number; readonly key: string } {
  const limits = [{ bytes: indexing.maxFileMb * BYTES_PER_MB, key: 'indexing.max_file_mb' }];
  if (isTextLike(media))
    limits.push({
      bytes: (indexing.extractMemoryMb / MEMORY_PER_TEXT_BYTE) * BYTES_PER_MB,
      key: 'indexing.extract_memory_mb',
    });
  if (media.kind === 'code' && code.maxFileBytes !== null)
    limits.push({ bytes: code.maxFileBytes, key: 'code.max_file_bytes' });
  return limits.reduce((least, limit) => (limit.bytes < least.bytes ? limit : least));
}

/** Why a file is skipped by its size alone, or null. */
export function skipBySize(size: number, media: MediaType, limits: SkipLimits): FileCounter | null {
  return size > sizeLimit(media, limits).bytes ? 'size_exceeded' : null;
}

/** Why a file is skipped by its content, or null. */
export function skipByContent(bytes: Uint8Array, media: MediaType, { code }: SkipLimits): FileCounter | null {
  if (media.kind === 'code' && code.maxFileLines !== null && hasMoreLines(bytes, code.maxFileLines))
    return 'size_exceeded';
  return isTextLike(media) && isBinary(bytes.subarray(0, SNIFFED_BYTES)) && !isWideUnicode(bytes) ? 'binary' : null;
}

function isTextLike(media: MediaType): boolean {
  return media.kind === 'markdown' || media.kind === 'text' || media.kind === 'code';
}

/** Whether the beginning of a file contains NUL bytes, and so many control characters that it is no text. */
function isBinary(head: Uint8Array): boolean {
  if (!head.includes(0)) return false;
  const controls = head.reduce((count, byte) => (byte < 0x20 && !isWhiteSpace(byte) ? count + 1 : count), 0);
  return controls > Math.max(1, head.length * MAX_CONTROL_SHARE);
}

/** Tab to carriage return, and the escape character of coloured output. */
function isWhiteSpace(byte: number): boolean {
  return (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b;
}

/** Counts lines like {@link LineIndex}, but not much further than `limit`. */
function hasMoreLines(bytes: Uint8Array, limit: number): boolean {
  let lines = 0;
  for (let start = 0; start < bytes.length && lines <= limit; lines++) {
    const end = bytes.indexOf(10, start);
    start = end === -1 ? bytes.length : end + 1;
  }
  return lines > limit;
}
