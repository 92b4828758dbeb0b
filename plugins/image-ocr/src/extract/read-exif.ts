import readTags from 'exif-reader';

/** EXIF metadata of an image; null where missing. */
export interface ExifFacts {
  /** When it was taken, in the camera's local time: `2024-05-01T13:37:00`. */
  readonly date: string | null;
  /** Degrees north and east. */
  readonly position: { readonly lat: number; readonly lon: number } | null;
  /** Maker and model. */
  readonly camera: string | null;
}

const NOTHING: ExifFacts = { date: null, position: null, camera: null };
const MAX_TEXT = 200;

/** Reads the few useful fields of an Exif segment. A damaged segment yields what is readable, possibly nothing. */
export function readExif(segment: Buffer): ExifFacts {
  try {
    const { Image, Photo, GPSInfo } = readTags(segment);
    return {
      date: dateOf(Photo?.DateTimeOriginal ?? Image?.DateTime),
      position: positionOf(GPSInfo ?? {}),
      camera: cameraOf(textOf(Image?.Make), textOf(Image?.Model)),
    };
  } catch {
    return NOTHING; // not a segment, or an offset outside of it
  }
}

/** What the library makes of zeros, which a camera writes whose clock was not set. */
const UNSET = '1899-11-30T00:00:00';

/** The library takes the camera's local time for UTC. */
function dateOf(date: Date | null | undefined): string | null {
  const text = date?.toISOString().slice(0, 19) ?? UNSET;
  return text === UNSET ? null : text;
}

/** The library returns a text with characters outside ASCII as bytes. */
function textOf(value: unknown): string {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  return typeof text === 'string' && text.length <= MAX_TEXT ? text.replaceAll('\0', '').trim() : '';
}

function cameraOf(make: string, model: string): string | null {
  const camera = model.startsWith(make) ? model : `${make} ${model}`.trim();
  return camera === '' ? null : camera;
}

type Gps = Readonly<Record<'GPSLatitude' | 'GPSLatitudeRef' | 'GPSLongitude' | 'GPSLongitudeRef', unknown>>;

function positionOf({
  GPSLatitude,
  GPSLatitudeRef,
  GPSLongitude,
  GPSLongitudeRef,
}: Partial<Gps>): ExifFacts['position'] {
  const lat = degreesOf(GPSLatitude);
  const lon = degreesOf(GPSLongitude);
  if (lat === null || lon === null || lat > 90 || lon > 180) return null;
  return {
    lat: textOf(GPSLatitudeRef) === 'S' ? -lat : lat,
    lon: textOf(GPSLongitudeRef) === 'W' ? -lon : lon,
  };
}

/** Converts degrees, minutes and seconds to degrees, rounded to about a metre. */
function degreesOf(value: unknown): number | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [degrees, minutes, seconds] = value as unknown as readonly [number, number, number];
  const sum = degrees + minutes / 60 + seconds / 3600;
  return Number.isFinite(sum) && sum >= 0 ? Math.round(sum * 1e6) / 1e6 : null;
}
