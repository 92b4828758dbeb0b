import path from 'node:path';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { normalizeWorkspacePath } from '../../domain/workspace-path.ts';
import { sourceRoots, type SourceRoot } from '../../documents/source-roots.ts';
import { readHead } from './read-head.ts';
import { isInside, realPath, type RealPath } from './real-path.ts';

/** A file that a question refers to, or why it cannot be had. */
export type FileRefResult =
  | {
      readonly kind: 'file';
      readonly sourceId: string;
      readonly workspacePath: string;
      /** The beginning of the file, cut to whole characters. */
      readonly body: string;
      /** The whole lines that the body lies in. */
      readonly lines: string;
      readonly isCut: boolean;
      readonly totalBytes: number;
    }
  | { readonly kind: 'OutOfScope' | 'NotFound' | 'Binary' | 'Io'; readonly message: string };

/** A real folder of a source. */
interface RealRoot extends Pick<SourceRoot, 'id'> {
  readonly real: string;
}

/**
 * A view of the file system that ends at the source folders. A path is judged by where it really leads, links followed, and
 * before anybody looks whether something is there: what lies outside looks the same whether or not it exists.
 */
export class FsView {
  readonly #roots: readonly SourceRoot[];
  readonly #cwd: string;

  constructor(config: Pick<ResolvedConfig, 'workspace'>, cwd: string) {
    // `external` lies in the folder of `default`.
    this.#roots = [...sourceRoots(config).values()].filter(
      ({ id, connector }) => connector === 'fs' && id !== 'external',
    );
    this.#cwd = cwd;
  }

  /** Reads at most `maxBytes` bytes of a file: relative to the working folder if that lies in a source, then to each source. */
  async resolveFileRef(typed: string, maxBytes: number): Promise<FileRefResult> {
    if (typed.includes('\0')) return { kind: 'Io', message: 'the path holds a NUL' };
    const roots = await this.#realRoots();
    let isInScope = false;
    for (const candidate of await this.#candidates(typed, roots)) {
      const real = await followed(candidate);
      if (real === null) return { kind: 'Io', message: 'its links lead in a circle' };
      const root = roots.find(({ real: folder }) => isInside(real.path, folder) || real.path === folder);
      if (root === undefined) continue;
      isInScope = true;
      if (real.exists) return await read(real.path, root, maxBytes);
    }
    return isInScope
      ? { kind: 'NotFound', message: 'there is no such file' }
      : { kind: 'OutOfScope', message: 'it lies outside the source folders' };
  }

  async #candidates(typed: string, roots: readonly RealRoot[]): Promise<readonly string[]> {
    if (path.isAbsolute(typed)) return [path.resolve(typed)];
    const cwd = await followed(this.#cwd);
    const here = cwd !== null && roots.some(({ real }) => cwd.path === real || isInside(cwd.path, real));
    return [...(here && cwd !== null ? [cwd.path] : []), ...roots.map(({ real }) => real)].map((folder) =>
      path.resolve(folder, typed),
    );
  }

  async #realRoots(): Promise<readonly RealRoot[]> {
    const roots: RealRoot[] = [];
    for (const { id, root } of this.#roots) {
      const real = await followed(root);
      if (real !== null) roots.push({ id, real: real.path });
    }
    return roots;
  }
}

async function followed(absolute: string): Promise<RealPath | null> {
  return realPath(absolute).catch(() => null);
}

async function read(file: string, root: RealRoot, maxBytes: number): Promise<FileRefResult> {
  if (file === root.real) return { kind: 'Io', message: 'it is a folder' };
  const head = await readHead(file, maxBytes);
  if (head.kind === 'binary') return { kind: 'Binary', message: head.why };
  if (head.kind === 'failed') return { kind: 'Io', message: head.why };
  const relative = path.relative(root.real, file).split(path.sep).join('/');
  const { body, lines, isCut, totalBytes } = head;
  return {
    kind: 'file',
    sourceId: root.id,
    workspacePath: normalizeWorkspacePath(relative),
    body,
    lines,
    isCut,
    totalBytes,
  };
}
