import { invalidInput } from '@kebab/plugin';
import type { UnzipFileFilter, Unzipped } from 'fflate';

/** A zip file, unpacked in memory. */
export interface Archive {
  /** The paths of its files, in their order. */
  readonly names: readonly string[];
  /** The paths of files that are damaged. */
  readonly damaged: readonly string[];
  /** A file as bytes; undefined if there is none with that path, or it is damaged. */
  bytes(name: string): Uint8Array | undefined;
  /** A file as text; empty if there is none. */
  text(name: string): string;
}

/** The maximum total unpacked size; a book or a workbook with more is data, and a zip bomb has more. */
const MAX_BYTES = 128 * 2 ** 20;
const MAX_FILES = 20_000;

/** The beginning of an OLE container, in which office files of older formats and encrypted ones are stored. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/**
 * Unpacks selected files of a zip file, with bounds that do not depend on its headers. Errors: `invalid_input` for a file that is not an
 * archive, is encrypted, or unpacks to more than 128 MiB or 20,000 files.
 */
export async function openArchive(bytes: Uint8Array, wanted: (name: string) => boolean = () => true): Promise<Archive> {
  const { unzipSync, strFromU8 } = await import('fflate');
  if (OLE.every((byte, at) => bytes[at] === byte)) throw invalidInput(reasonOfOle(bytes));
  let [total, count] = [0, 0];
  const isWanted: UnzipFileFilter = ({ name, originalSize }) => {
    if (name.endsWith('/') || !wanted(name)) return false;
    total += originalSize;
    if (++count > MAX_FILES || total > MAX_BYTES)
      throw invalidInput(`it unpacks to more than ${MAX_BYTES / 2 ** 20} MiB, or to more than ${MAX_FILES} files`);
    return true;
  };
  const unpack = (filter: UnzipFileFilter): Unzipped => {
    try {
      return unzipSync(bytes, { filter });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'invalid_input') throw error;
      throw invalidInput(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const damaged: string[] = [];
  const files = ((): Unzipped => {
    try {
      return unpack(isWanted);
    } catch (error) {
      [total, count] = [0, 0];
      const readable = eachFile(unpack, isWanted, damaged);
      if (Object.keys(readable).length === 0) throw error;
      return readable;
    }
  })();
  const own = (name: string): Uint8Array | undefined => (Object.hasOwn(files, name) ? files[name] : undefined);
  return {
    names: Object.keys(files),
    damaged,
    bytes: own,
    text: (name) => {
      const found = own(name);
      return found === undefined ? '' : strFromU8(found).replace(/^\uFEFF/, '');
    },
  };
}

/** The maximum number of files that are unpacked one by one if one of them is damaged. */
const MAX_SINGLE = 2000;

/** Unpacks the files of an archive one by one, without those that cannot be. */
function eachFile(
  unpack: (filter: UnzipFileFilter) => Unzipped,
  isWanted: UnzipFileFilter,
  damaged: string[],
): Unzipped {
  const names: string[] = [];
  unpack((file) => {
    if (isWanted(file)) names.push(file.name);
    return false;
  });
  const files: Unzipped = {};
  for (const name of names.slice(0, MAX_SINGLE))
    try {
      Object.assign(
        files,
        unpack((file) => file.name === name),
      );
    } catch {
      damaged.push(name);
    }
  return files;
}

/** Why an OLE container is not read: a stream of that name has the encrypted file. */
function reasonOfOle(bytes: Uint8Array): string {
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(
    'EncryptedPackage',
    0,
    'utf16le',
  );
  return isEncrypted
    ? 'the file is encrypted with a password: save it without one'
    : 'the file has an older format (such as .doc, .xls or .ppt) under this name: save it in the format of its name';
}
