import { Buffer } from 'node:buffer';

/** Numbers of `onnx.proto`: element types of tensors. */
const FLOAT = 1;
const INT64 = 7;
const FLOAT16 = 10;

/** A node: its operator, inputs and outputs. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Lists of integers, or single ones. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** An input or output; a dimension that depends on the input is a name. */
export interface OnnxValueShape {
  readonly name: string;
  readonly shape: readonly (number | string)[];
  /** Whether an output is in half precision. */
  readonly isHalf?: boolean;
}

/** A model: inputs are integers, outputs floating-point, constants have the type of their data. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxValueShape[];
  readonly outputs: readonly OnnxValueShape[];
  readonly constants: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly data: Float32Array | BigInt64Array;
  }[];
  readonly nodes: readonly OnnxNode[];
}

/** Writes a model as an `.onnx` file, so that tests need no trained models. */
export function writeOnnx({ inputs, outputs, constants, nodes }: OnnxGraph): Uint8Array {
  const graph = Buffer.concat([
    ...nodes.map((node) => bytes(1, nodeBytes(node))),
    bytes(2, 'tiny'),
    ...constants.map(({ name, shape, data }) =>
      bytes(
        5,
        Buffer.concat([
          ...shape.map((size) => int(1, size)),
          int(2, data instanceof Float32Array ? FLOAT : INT64),
          bytes(8, name),
          bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
        ]),
      ),
    ),
    ...inputs.map((value) => bytes(11, valueBytes(value, INT64))),
    ...outputs.map((value) => bytes(12, valueBytes(value, value.isHalf === true ? FLOAT16 : FLOAT))),
  ]);
  const operators = Buffer.concat([bytes(1, ''), int(2, 17)]);
  return Buffer.concat([int(1, 8), bytes(7, graph), bytes(8, operators)]);
}

function nodeBytes({ op, inputs, output, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, op),
    ...Object.entries(attributes).map(([name, value]) =>
      bytes(
        5,
        typeof value === 'number'
          ? Buffer.concat([bytes(1, name), int(3, value), int(20, 2)])
          : Buffer.concat([bytes(1, name), ...value.map((each) => int(8, each)), int(20, 7)]),
      ),
    ),
  ]);
}

function valueBytes({ name, shape }: OnnxValueShape, type: number): Buffer {
  const sizes = shape.map((size) => bytes(1, typeof size === 'string' ? bytes(2, size) : int(1, size)));
  return Buffer.concat([
    bytes(1, name),
    bytes(2, bytes(1, Buffer.concat([int(1, type), bytes(2, Buffer.concat(sizes))]))),
  ]);
}

/** A field of Protocol Buffers that holds bytes, or the UTF-8 bytes of a text. */
function bytes(field: number, value: string | Uint8Array): Buffer {
  const data = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint(field * 8 + 2), varint(data.length), data]);
}

function int(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function varint(value: number): Buffer {
  const digits: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const digit = Number(rest & 127n);
    rest >>= 7n;
    digits.push(rest > 0n ? digit | 128 : digit);
  } while (rest > 0n);
  return Buffer.from(digits);
}
