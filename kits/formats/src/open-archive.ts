import { invalidInput } from '@kebab/plugin';

/** A zip file, unpacked in memory. */
export interface Archive {
  /** The paths of its files, in their order. */
  readonly names: readonly string[];
  /** A file as bytes; undefined if there is none with that path. */
  bytes(name: string): Uint8Array | undefined;
  /** A file as text; empty if there is none. */
  text(name: string): string;
  /** The archive repacked with correct sizes, for libraries that unpack archives themselves. */
  repacked(): Uint8Array;
}

/** The maximum total unpacked size; a book or a workbook with more is data, and a zip bomb has more. */
const MAX_BYTES = 128 * 2 ** 20;
const MAX_FILES = 20_000;

/**
 * Unpacks selected files of a zip file, with bounds that do not depend on its headers. Errors: `invalid_input` for a file that is not an
 * archive, is damaged, or unpacks to more than 128 MiB or 20,000 files.
 */
export async function openArchive(bytes: Uint8Array, wanted: (name: string) => boolean = () => true): Promise<Archive> {
  const { unzipSync, zipSync, strFromU8 } = await import('fflate');
  let total = 0;
  let count = 0;
  const files = ((): Record<string, Uint8Array> => {
    try {
      return unzipSync(bytes, {
        filter: ({ name, originalSize }) => {
          if (name.endsWith('/') || !wanted(name)) return false;
          total += originalSize;
          if (++count > MAX_FILES || total > MAX_BYTES)
            throw invalidInput(
              `it unpacks to more than ${MAX_BYTES / 2 ** 20} MiB, or to more than ${MAX_FILES} files`,
            );
          return true;
        },
      });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'invalid_input') throw error;
      throw invalidInput(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
    }
  })();
  const own = (name: string): Uint8Array | undefined => (Object.hasOwn(files, name) ? files[name] : undefined);
  return {
    names: Object.keys(files),
    bytes: own,
    text: (name) => {
      const found = own(name);
      return found === undefined ? '' : strFromU8(found).replace(/^\uFEFF/, '');
    },
    repacked: () => zipSync(files, { level: 0 }),
  };
}
