import { open, type FileHandle } from 'node:fs/promises';

/** Beginnings of what is stored in place of a file: by a clone without Git LFS, or by a download that ended at a page. */
const STAND_INS: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^version https:\/\/git-lfs/, 'it is a Git LFS pointer instead of the file'],
  [/^<(?:!doctype|html|head|body|\?xml)/i, 'it is a web page instead of the file'],
];

/**
 * What is wrong with a file of a model, as far as its outline shows without reading it whole; null if nothing is. A file is `.onnx`, `.json` or
 * `.safetensors` by its name.
 */
export async function fileFault(file: string): Promise<string | null> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const beginning = (await textAt(handle, 0, 200)).trimStart();
    const standIn = STAND_INS.find(([pattern]) => pattern.test(beginning));
    if (standIn !== undefined) return standIn[1];
    if (file.endsWith('.onnx')) return await onnxFault(handle, size);
    if (!file.endsWith('.json')) return null;
    const isWhole =
      beginning.startsWith('{') && (await textAt(handle, Math.max(0, size - 64), 64)).trimEnd().endsWith('}');
    return isWhole ? null : 'it is no JSON, or is cut off';
  } finally {
    await handle.close();
  }
}

async function textAt(handle: FileHandle, at: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.toString('latin1', 0, bytesRead).replace(/^\u00ef\u00bb\u00bf/, '');
}

/** The number of the field with the graph in ONNX's `ModelProto`. */
const GRAPH = 7;
/** Fields of `ModelProto` have lower numbers. */
const MAX_FIELD = 100;
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
/** The tag and the length of a field, at most ten bytes each. */
const HEAD_BYTES = 20;

/** Steps over the outermost fields of a model, which say how long they are. */
async function onnxFault(handle: FileHandle, size: number): Promise<string | null> {
  let hasGraph = false;
  for (let at = 0; at < size;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, at);
    const head = buffer.subarray(0, bytesRead);
    const tag = varint(head, 0);
    const [field, wire] = [Math.floor((tag?.value ?? 0) / 8), (tag?.value ?? 0) % 8];
    if (tag === null || field < 1 || field > MAX_FIELD || ![0, 1, 2, 5].includes(wire)) return 'it is no ONNX model';
    const first = FIXED_BYTES[wire] === undefined ? varint(head, tag.end) : { value: FIXED_BYTES[wire], end: tag.end };
    if (first === null) return `it is cut off after ${size} bytes`;
    at += first.end + (wire === 0 ? 0 : first.value);
    if (at > size) return `it is cut off: ${size} bytes of at least ${at}`;
    hasGraph ||= field === GRAPH;
  }
  return hasGraph ? null : 'it is no ONNX model, or is cut off';
}

/** A variable-length number of protobuf, and where it ends; null if the bytes end before it. */
function varint(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let at = from; at < bytes.length && at < from + 10; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return null;
}
