import sharp, { type Exif } from 'sharp';
import { describe, expect, it } from 'vitest';
import { readExif } from '../../src/extract/read-exif.ts';
import { samplePicture } from '../sample-images.ts';

/** An Exif segment as written by a camera. */
async function exifWith(exif: Exif): Promise<Buffer> {
  const jpeg = await samplePicture().withExif(exif).jpeg().toBuffer();
  return (await sharp(jpeg).metadata()).exif ?? Buffer.alloc(0);
}

const CAMERA = { Make: 'Kamera', Model: 'K 100' };

describe('the metadata of a camera', () => {
  it('is read from EXIF as date, position and camera', async () => {
    const segment = await exifWith({
      IFD0: CAMERA,
      IFD2: { DateTimeOriginal: '2024:05:01 13:37:00' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 51/1 3000/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '151/1 12/1 0/1',
      },
    });
    expect(readExif(segment)).toEqual({
      date: '2024-05-01T13:37:00',
      position: { lat: -33.858333, lon: 151.2 },
      camera: 'Kamera K 100',
    });
  });

  it('names a maker once, and uses the date of the file if there is no date of capture', async () => {
    const segment = await exifWith({
      IFD0: { Make: 'Kamera', Model: 'Kamera K 100', DateTime: '2023:01:02 03:04:05' },
    });
    expect(readExif(segment)).toMatchObject({ camera: 'Kamera K 100', date: '2023-01-02T03:04:05' });
  });

  it('has no date if the clock of the camera was not set', async () => {
    const segment = await exifWith({ IFD0: { ...CAMERA, DateTime: '0000:00:00 00:00:00' } });
    expect(readExif(segment)).toMatchObject({ camera: 'Kamera K 100', date: null });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1')],
    ['a directory that leads out of the segment', Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x09', 'latin1')],
  ])('is nothing in %s', (_, segment) => {
    expect(readExif(segment)).toEqual({ date: null, position: null, camera: null });
  });

  it('is read as far as possible when truncated anywhere', async () => {
    const segment = await exifWith({ IFD0: CAMERA });
    for (let length = 0; length < segment.length; length++)
      expect(Object.keys(readExif(segment.subarray(0, length)))).toEqual(['date', 'position', 'camera']);
  });
});
