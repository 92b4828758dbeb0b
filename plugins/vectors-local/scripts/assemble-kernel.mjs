// Assembles the scan kernel into WebAssembly and writes src/kernel/kernel-binary.generated.ts. `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const target = new URL('../src/kernel/kernel-binary.generated.ts', import.meta.url);

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;

/** LEB128, unsigned or signed. */
function leb(value, signed = false) {
  const bytes = [];
  for (let rest = value; ;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    const isLast = signed ? rest === (byte & 0x40 ? -1 : 0) : rest === 0;
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}
const section = (id, ...content) => [id, ...leb(content.flat(Infinity).length), ...content.flat(Infinity)];
const text = (string) => [string.length, ...Buffer.from(string, 'ascii')];
const simd = (opcode) => [0xfd, ...leb(opcode)];

/** The instructions of the kernel. Operands precede the operator, as on the machine's stack. */
const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const tee = (local) => [0x22, local];
const i32Const = (value) => [0x41, ...leb(value, true)];
const i32Add = 0x6a;
const i32Sub = 0x6b;
const i32Eqz = 0x45;
const i32LtU = 0x49;
const i32ShiftLeft = 0x74;
const i32Store = (offset = 0) => [0x36, 2, ...leb(offset)];
const block = (...body) => [0x02, VOID, ...body, 0x0b];
const loop = (...body) => [0x03, VOID, ...body, 0x0b];
const branchIf = (depth) => [0x0d, depth];
const branch = (depth) => [0x0c, depth];
const v128Load = (offset = 0) => [...simd(0), 0, ...leb(offset)];
const v128Store = (offset = 0) => [...simd(11), 0, ...leb(offset)];
const v128Zero = [...simd(12), ...Array.from({ length: 16 }, () => 0)];
const widenLow = simd(135); // i16x8.extend_low_i8x16_s
const widenHigh = simd(136); // i16x8.extend_high_i8x16_s
const multiplyPairs = simd(186); // i32x4.dot_i16x8_s
const addLanes = simd(174); // i32x4.add
const lookUp = simd(14); // i8x16.swizzle
const shuffle = (lanes) => [...simd(13), ...lanes]; // i8x16.shuffle
const splatBytes = simd(15); // i8x16.splat
const greaterOrEqual = simd(70); // f32x4.ge
const bitwiseAnd = simd(78); // v128.and
const signBits = simd(100); // i8x16.bitmask
const narrowWords = simd(101); // i8x16.narrow_i16x8_s
const addBytes = simd(110); // i8x16.add
const narrowLanes = simd(133); // i16x8.narrow_i32x4_s
const shiftWordsLeft = simd(139); // i16x8.shl
const shiftWordsRight = simd(141); // i16x8.shr_u
const addWords = simd(142); // i16x8.add
const subtractWords = simd(145); // i16x8.sub
const widenWords = [simd(169), simd(170)]; // i32x4.extend_low_i16x8_u, i32x4.extend_high_i16x8_u
const addFloats = simd(228); // f32x4.add
const multiplyFloats = simd(230); // f32x4.mul
const toFloats = simd(250); // f32x4.convert_i32x4_s
const lane = (index) => [...simd(27), index]; // i32x4.extract_lane

const [QUERY, CODES, ROWS, STRIDE, SCORES, END, QUERY_AT, CHUNK, EVEN, ODD] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Adds the products of 16 codes with 16 query values; `offset` counts codes. */
const sixteenCodes = (offset) => [
  [get(CODES), v128Load(offset), set(CHUNK)],
  [get(EVEN), get(CHUNK), widenLow, get(QUERY_AT), v128Load(offset * 2), multiplyPairs, addLanes, set(EVEN)],
  [get(ODD), get(CHUNK), widenHigh, get(QUERY_AT), v128Load(offset * 2 + 16), multiplyPairs, addLanes, set(ODD)],
];

/**
 * scan(query, codes, rows, stride, scores): writes the dot product of the query with each row of codes. All are addresses or byte counts
 * except `rows`; the query has `stride` int16 values, a row `stride` int8 values, `stride` is a multiple of 32, scores are int32.
 */
const scan = block(
  loop(
    [get(ROWS), i32Eqz, branchIf(1)],
    [get(QUERY), set(QUERY_AT), get(CODES), get(STRIDE), i32Add, set(END)],
    [v128Zero, set(EVEN), v128Zero, set(ODD)],
    loop(
      sixteenCodes(0),
      sixteenCodes(16),
      [get(QUERY_AT), i32Const(64), i32Add, set(QUERY_AT)],
      [get(CODES), i32Const(32), i32Add, tee(CODES), get(END), i32LtU, branchIf(0)],
    ),
    [get(EVEN), get(ODD), addLanes, set(EVEN)],
    [get(SCORES), [0, 1, 2, 3].map((at) => [get(EVEN), lane(at)]), i32Add, i32Add, i32Add, i32Store()],
    [get(SCORES), i32Const(4), i32Add, set(SCORES), get(ROWS), i32Const(1), i32Sub, set(ROWS), branch(0)],
  ),
);

const [QUERY_TABLES, PLANES, COUNT, PAIRS, BOUNDS] = [0, 1, 2, 3, 4];
const [TABLE, LEFT, FACTORS, MASKS] = [5, 6, 7, 8];
/** The two halves of a segment, whose blocks are processed in pairs: where each reads, and its sums. */
const HALVES = [
  { plane: 9, all: 11, odds: 12, at: 0 },
  { plane: 10, all: 13, odds: 14, at: 8 },
];
const [SIGNS, SUM, NIBBLE, SCALE, OFFSET, FLOOR] = [15, 16, 17, 18, 19, 20];
/** Rows per segment, and thus bytes per plane; the factors, the shifts after them and the bounds take four bytes per row. */
const ROWS_A_SEGMENT = 256;
const FLOATS = ROWS_A_SEGMENT * 4;
/** Scale, offset and floor, each four times, precede the tables. */
const TABLES_AT = 48;

/** Byte lanes that interleave words of two vectors, from the first or the second half of each. */
const inTurn = (from) => [0, 1, 2, 3].flatMap((at) => [0, 1, 16, 17].map((byte) => from + at * 2 + byte));

/** Looks up the signs of 16 rows in the two tables of a plane. Bytes are shifted as words, because V8 has no instruction for bytes. */
const lookUpPlane = (planes, plane) => [
  [get(planes), v128Load(plane * 16), set(SIGNS)],
  [get(TABLE), v128Load(TABLES_AT + plane * 32), get(SIGNS), get(NIBBLE), bitwiseAnd, lookUp],
  [get(TABLE), v128Load(TABLES_AT + plane * 32 + 16)],
  [get(SIGNS), i32Const(4), shiftWordsRight, get(NIBBLE), bitwiseAnd, lookUp, addBytes],
];

/** Adds the entries of four planes for 16 rows of a half. */
const addPlanes = ({ plane, all, odds }) => [
  [lookUpPlane(plane, 0), lookUpPlane(plane, 1), addBytes, lookUpPlane(plane, 2), addBytes],
  [lookUpPlane(plane, 3), addBytes, tee(SUM), get(all), addWords, set(all)],
  [get(SUM), i32Const(8), shiftWordsRight, get(odds), addWords, set(odds)],
  [get(plane), i32Const(4 * 16), i32Add, set(plane)],
];

/** Writes the bounds of four rows, whose sums `sums` pushes, and pushes for each whether it reaches the floor. */
const boundFour = (sums, at) => [
  [get(BOUNDS), get(FACTORS), v128Load(FLOATS + at), get(FACTORS), v128Load(at)],
  [sums, toFloats, get(SCALE), multiplyFloats, get(OFFSET), addFloats, multiplyFloats, addFloats, tee(SUM)],
  [v128Store(at), get(SUM), get(FLOOR), greaterOrEqual],
];

/** The same for eight rows, whose sums are words. */
const boundEight = ({ all, odds, at }, half) => [
  [get(all), get(odds), shuffle(inTurn(half * 8)), set(SIGNS)],
  boundFour([get(SIGNS), widenWords[0]], at * 64 + half * 32),
  boundFour([get(SIGNS), widenWords[1]], at * 64 + half * 32 + 16),
  narrowLanes,
];

/** Writes the bounds of 16 rows of a half, and which of them reach the floor. */
const boundBlock = (half) => [
  [get(half.all), get(half.odds), i32Const(8), shiftWordsLeft, subtractWords, set(half.all)],
  [get(MASKS), boundEight(half, 0), boundEight(half, 1), narrowWords, signBits, i32Store(half.at * 4)],
];

/**
 * bounds(query, planes, count, pairs, bounds): computes, for blocks of 16 rows, shift + factor × (sum × scale + offset) from their signs,
 * and after these 256 numbers one word per block whose bits tell which of them reach the floor. A plane has one byte per row, the signs of
 * eight dimensions: its two tables are indexed with the low and the high four. `count` is a multiple of four, and no table entry is above
 * 31, so that eight of them fit into a byte. Words add pairs of rows at once, the odd ones separately. Each block of the first half of a
 * segment is processed together with its counterpart in the second, because reading memory at two places is a fifth faster.
 */
const bounds = block(
  [i32Const(15), splatBytes, set(NIBBLE)],
  [get(QUERY_TABLES), v128Load(), set(SCALE), get(QUERY_TABLES), v128Load(16), set(OFFSET)],
  [get(QUERY_TABLES), v128Load(32), set(FLOOR), get(BOUNDS), i32Const(FLOATS), i32Add, set(MASKS)],
  [get(PLANES), get(COUNT), i32Const(8), i32ShiftLeft, i32Add, set(FACTORS)],
  [get(PLANES), set(HALVES[0].plane), get(PLANES), get(COUNT), i32Const(7), i32ShiftLeft, i32Add, set(HALVES[1].plane)],
  loop(
    [get(PAIRS), i32Eqz, branchIf(1)],
    [get(QUERY_TABLES), set(TABLE), get(COUNT), set(LEFT)],
    HALVES.map(({ all, odds }) => [v128Zero, set(all), v128Zero, set(odds)]),
    loop(
      HALVES.map(addPlanes),
      [get(TABLE), i32Const(4 * 32), i32Add, set(TABLE)],
      [get(LEFT), i32Const(4), i32Sub, tee(LEFT), branchIf(0)],
    ),
    HALVES.map(boundBlock),
    [get(MASKS), i32Const(4), i32Add, set(MASKS)],
    [get(FACTORS), i32Const(64), i32Add, set(FACTORS), get(BOUNDS), i32Const(64), i32Add, set(BOUNDS)],
    [get(PAIRS), i32Const(1), i32Sub, set(PAIRS), branch(0)],
  ),
);

/** The module: one memory, imported as `kernel.memory`, and the functions `scan` and `bounds`, both with five numbers as parameters. */
export function assembleKernel() {
  const bodies = [
    [2, [2, I32], [3, V128], scan, 0x0b].flat(Infinity),
    [2, [6, I32], [10, V128], bounds, 0x0b].flat(Infinity),
  ];
  return Uint8Array.from(
    [
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, 1, 0x60, 5, I32, I32, I32, I32, I32, 0),
      section(2, 1, text('kernel'), text('memory'), 2, 0, 1),
      section(3, 2, 0, 0),
      section(7, 2, text('scan'), 0, 0, text('bounds'), 0, 1),
      section(
        10,
        2,
        bodies.map((body) => [leb(body.length), body]),
      ),
    ].flat(Infinity),
  );
}

/** Returns the expected text of the generated file. */
export function renderKernel() {
  const base64 = Buffer.from(assembleKernel()).toString('base64');
  const lines = base64.match(/.{1,110}/g).map((line) => `  '${line}'`);
  return `// Generated by scripts/assemble-kernel.mjs, which is its source; run it again after each change.
/** The scan kernel as WebAssembly, in base64. */
export const KERNEL_BINARY =
${lines.join(' +\n')};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const wanted = renderKernel();
  if (!process.argv.includes('--check')) writeFileSync(target, wanted);
  else if (readFileSync(target, 'utf8') !== wanted) {
    process.stderr.write('kernel-binary.generated.ts is not current: run node scripts/assemble-kernel.mjs\n');
    process.exitCode = 1;
  }
}
