import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a tree holds: files by path with their content, or where a link leads. */
export type TreeContent = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

/** A folder for one test; `using` it is up to the test: call {@link TemporaryTree.remove} at the end. */
export class TemporaryTree {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'kebab-tree-')));

  constructor(content: TreeContent = {}) {
    this.put(content);
  }

  put(content: TreeContent): void {
    for (const [path, value] of Object.entries(content)) {
      const absolute = join(this.root, path);
      mkdirSync(dirname(absolute), { recursive: true });
      if (typeof value === 'object' && 'link' in value) symlinkSync(value.link, absolute);
      else writeFileSync(absolute, value);
    }
  }

  /** Makes files look as if they had not been touched for a while. */
  age(...paths: readonly string[]): void {
    const then = new Date('2026-01-01T00:00:00Z');
    for (const path of paths) utimesSync(join(this.root, path), then, then);
  }

  path(path: string): string {
    return join(this.root, path);
  }

  mode(path: string, mode: number): void {
    chmodSync(join(this.root, path), mode);
  }

  drop(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Whether rights do not count for this process, as for a superuser. */
export function readsAnything(): boolean {
  const tree = new TemporaryTree({ 'a.md': '' });
  try {
    tree.mode('a.md', 0);
    accessSync(tree.path('a.md'), constants.R_OK);
    return true;
  } catch {
    return false;
  } finally {
    tree.remove();
  }
}
