/** EXIF metadata of an image; null where missing. */
export interface ExifFacts {
  /** When it was taken, in the camera's local time: `2024-05-01T13:37:00`. */
  readonly date: string | null;
  /** Degrees north and east. */
  readonly position: { readonly lat: number; readonly lon: number } | null;
  /** Maker and model. */
  readonly camera: string | null;
}

/** One field of a directory: its type, the number of its values, and their offset. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

type Directory = ReadonlyMap<number, Field>;

const NOTHING: ExifFacts = { date: null, position: null, camera: null };
const PREAMBLE = 'Exif\0\0';
const TAGS = { make: 0x10f, model: 0x110, changed: 0x132, exif: 0x8769, gps: 0x8825, taken: 0x9003 } as const;
const GPS = { northOrSouth: 1, latitude: 2, eastOrWest: 3, longitude: 4 } as const;
const TEXT = 2;
const LONG = 4;
const RATIONAL = 5;
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };
const MAX_TEXT = 200;

/** Reads the few useful fields of an Exif segment. A damaged segment yields what is readable, possibly nothing. */
export function readExif(segment: Uint8Array): ExifFacts {
  try {
    return new Exif(segment).facts();
  } catch {
    return NOTHING; // an offset outside the segment
  }
}

/** Reads the directories of a segment, which is a small TIFF file. */
class Exif {
  readonly #view: DataView;
  readonly #isLittle: boolean;

  constructor(segment: Uint8Array) {
    const start = textOf(segment.subarray(0, PREAMBLE.length)) === PREAMBLE ? PREAMBLE.length : 0;
    this.#view = new DataView(segment.buffer, segment.byteOffset + start, segment.byteLength - start);
    this.#isLittle = this.#view.getUint16(0) === 0x4949;
  }

  facts(): ExifFacts {
    const main = this.#directory(this.#view.getUint32(4, this.#isLittle));
    const exif = this.#linked(main, TAGS.exif);
    const parts = [this.#text(main, TAGS.make), this.#text(main, TAGS.model)].filter((part) => part !== null);
    const [make, model] = parts;
    const camera = make !== undefined && model?.startsWith(make) === true ? model : parts.join(' ');
    return {
      date: dateOf(this.#text(exif, TAGS.taken) ?? this.#text(main, TAGS.changed)),
      position: this.#position(this.#linked(main, TAGS.gps)),
      camera: camera === '' ? null : camera,
    };
  }

  #directory(start: number): Directory {
    const count = this.#view.getUint16(start, this.#isLittle);
    const fields = new Map<number, Field>();
    for (let i = 0; i < count; i++) {
      const entry = start + 2 + i * 12;
      const type = this.#view.getUint16(entry + 2, this.#isLittle);
      const values = this.#view.getUint32(entry + 4, this.#isLittle);
      const isInPlace = values * (TYPE_BYTES[type] ?? 4) <= 4;
      const at = isInPlace ? entry + 8 : this.#view.getUint32(entry + 8, this.#isLittle);
      fields.set(this.#view.getUint16(entry, this.#isLittle), { type, count: values, at });
    }
    return fields;
  }

  #linked(from: Directory, tag: number): Directory {
    const field = from.get(tag);
    return field?.type === LONG ? this.#directory(this.#view.getUint32(field.at, this.#isLittle)) : new Map();
  }

  #text(from: Directory, tag: number): string | null {
    const field = from.get(tag);
    if (field?.type !== TEXT || field.count > MAX_TEXT) return null;
    const { buffer, byteOffset } = this.#view;
    const text = textOf(new Uint8Array(buffer, byteOffset + field.at, field.count));
    return text.replaceAll('\0', '').trim() || null;
  }

  #position(gps: Directory): ExifFacts['position'] {
    const lat = this.#degrees(gps, GPS.latitude);
    const lon = this.#degrees(gps, GPS.longitude);
    if (lat === null || lon === null || lat > 90 || lon > 180) return null;
    const isSouth = this.#text(gps, GPS.northOrSouth) === 'S';
    const isWest = this.#text(gps, GPS.eastOrWest) === 'W';
    return { lat: isSouth ? -lat : lat, lon: isWest ? -lon : lon };
  }

  /** Converts degrees, minutes and seconds to degrees, rounded to about a metre. */
  #degrees(from: Directory, tag: number): number | null {
    const field = from.get(tag);
    if (field?.type !== RATIONAL || field.count !== 3) return null;
    const [degrees = 0, minutes = 0, seconds = 0] = [0, 8, 16].map((offset) => this.#rational(field.at + offset));
    const value = degrees + minutes / 60 + seconds / 3600;
    return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : null;
  }

  #rational(at: number): number {
    return this.#view.getUint32(at, this.#isLittle) / this.#view.getUint32(at + 4, this.#isLittle);
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Converts `2024:05:01 13:37:00` to ISO 8601. */
function dateOf(text: string | null): string | null {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text ?? '') ?? [];
  return year === undefined || year === '0000' ? null : `${year}-${month}-${day}T${time}`;
}
