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

/** The content of a tree: files by path with their content, or the target of a link. */
export type TreeContent = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

/** A folder for one test, which must call {@link TemporaryTree.remove} at its end. */
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

  /** Sets the times of files so that they appear settled. */
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

/** Whether permissions do not apply to this process, as for a superuser. */
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
