import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';

/** One thing that a person, an editor or a program does in a folder. Files are named by numbers. */
export type Edit = {
  readonly kind:
    | 'create'
    | 'edit'
    | 'append'
    | 'rename'
    | 'move_folder'
    | 'delete'
    | 'chmod'
    | 'link'
    | 'retarget'
    | 'link_folder'
    | 'checkout'
    | 'save_by_rename'
    | 'save_with_backup'
    | 'new_folder';
  readonly file: number;
  readonly other: number;
  readonly words: readonly string[];
  /** Whether a search follows immediately. */
  readonly thenSearch: boolean;
};

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', '알파', 'naïve'];
const KINDS = [
  'create',
  'edit',
  'append',
  'rename',
  'move_folder',
  'delete',
  'chmod',
  'link',
  'retarget',
  'link_folder',
  'checkout',
  'save_by_rename',
  'save_with_backup',
  'new_folder',
] as const satisfies readonly Edit['kind'][];

/** Scripts of edits in which most files stay at each step; otherwise the purge guard would keep all documents. */
export function editScripts(): fc.Arbitrary<readonly Edit[]> {
  const number = fc.nat({ max: 39 });
  return fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      file: number,
      other: number,
      words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
      thenSearch: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  );
}

/** A folder of forty notes that are edited, next to another folder that links point to. */
export class EditedFolder {
  readonly root: string;
  readonly #outside: string;

  constructor(root: string, outside: string) {
    this.root = root;
    this.#outside = outside;
    for (const name of ['o1.md', 'o2.md', 'o3.md']) write(path.join(outside, name), `outside ${name} alpha\n`);
    for (let number = 0; number < 40; number++)
      write(this.#pathOf(number), `# n${number}\n\nalpha ${WORDS[number % WORDS.length]} number ${number}\n`);
  }

  apply({ kind, file: number, other, words }: Edit): void {
    const file = this.#pathOf(number);
    const text = `# n${number}\n\n${words.join(' ')}\n`;
    const isFile = existsSync(file);
    switch (kind) {
      case 'create':
        return write(path.join(this.root, `new${other % 5}`, `c${number}.md`), text);
      case 'edit':
        return write(file, text);
      case 'append':
        return isFile ? writeFileSync(file, `\n${text}`, { flag: 'a' }) : undefined;
      case 'rename':
        if (isFile) move(file, path.join(this.root, `renamed${other % 3}`, `r${other}.md`));
        return;
      case 'move_folder':
        if (existsSync(this.#folder(number))) move(this.#folder(number), path.join(this.root, `moved${other}`));
        return;
      case 'delete':
        return rmSync(file, { force: true });
      case 'chmod':
        return isFile ? chmodSync(file, other % 2 === 0 ? 0o600 : 0o644) : undefined;
      case 'link':
        return this.#link(`link${number % 4}.md`, this.#pathOf(other));
      case 'retarget':
        return this.#link(`link${number % 4}.md`, path.join(this.#outside, `o${(other % 4) + 1}.md`)); // o4.md does not exist
      case 'link_folder':
        return this.#link(`folder${number % 2}`, other % 2 === 0 ? this.#outside : this.#folder(other));
      case 'checkout':
        return this.#checkOut(number, text);
      case 'save_by_rename':
        write(`${file}.tmp`, text);
        return renameSync(`${file}.tmp`, file);
      case 'save_with_backup':
        if (isFile) renameSync(file, `${file}~`);
        return write(file, text);
      case 'new_folder':
        mkdirSync(path.join(this.root, `empty${number % 3}`, `e${other % 3}`), { recursive: true });
        return;
      default:
        return kind satisfies never;
    }
  }

  /** Another branch: some files differ, one is missing, one is new. */
  #checkOut(number: number, text: string): void {
    for (let at = 0; at < 12; at++) write(this.#pathOf((number + at) % 40), `${text}${at % 2}\n`);
    rmSync(this.#pathOf((number + 13) % 40), { force: true });
    write(path.join(this.root, 'branch', `b${number}.md`), text);
  }

  #link(name: string, target: string): void {
    const link = path.join(this.root, 'links', name);
    mkdirSync(path.dirname(link), { recursive: true });
    rmSync(link, { force: true, recursive: false });
    symlinkSync(target, link);
  }

  /** The path of a note; eight share a folder. */
  #pathOf(number: number): string {
    return path.join(this.#folder(number), `n${number}.md`);
  }

  #folder(number: number): string {
    return path.join(this.root, `f${number % 5}`);
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A rename replaces the target, unless that is a non-empty folder. */
function move(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  const target = lstatSync(to, { throwIfNoEntry: false });
  if (target?.isDirectory() === true && readdirSync(to).length > 0) return;
  renameSync(from, to);
}
