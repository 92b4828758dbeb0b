import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../src/index.ts';

/** An archive of one file of so many zeros, which says that it has another size. */
function claiming(size: number, { holding }: { readonly holding: number }): Uint8Array {
  const archive = zipSync({ 'a.bin': new Uint8Array(holding) });
  const view = new DataView(archive.buffer, archive.byteOffset);
  for (let at = 0; at < archive.length - 4; at++)
    if (view.getUint32(at, true) === holding) view.setUint32(at, size, true);
  return archive;
}

describe('an archive', () => {
  it('returns the selected files, as bytes and as text', async () => {
    const archive = await openArchive(zipSync({ 'a.txt': strToU8('\uFEFFtide'), 'b/c.bin': new Uint8Array([1]) }));
    expect(archive.names).toEqual(['a.txt', 'b/c.bin']);
    expect(archive.text('a.txt')).toBe('tide');
    expect(archive.bytes('b/c.bin')).toEqual(new Uint8Array([1]));
    expect(archive.bytes('__proto__')).toBeUndefined();
  });

  it('that unpacks to more than 128 MiB is rejected', async () => {
    await expect(openArchive(claiming(140 * 2 ** 20, { holding: 1000 }))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('that unpacks to more than its declared size yields only the declared size', async () => {
    const read = openArchive(claiming(1000, { holding: 100_000 })).then(
      (archive) => archive.bytes('a.bin')?.length,
      ({ code }: { readonly code: string }) => code,
    );
    await expect(read).resolves.toSatisfy((size) => size === 'invalid_input' || Number(size) < 10_000);
  });

  it('that is invalid or truncated is rejected', async () => {
    const whole = zipSync({ 'a.txt': strToU8('tide'.repeat(100)) });
    for (const bytes of [new Uint8Array(), strToU8('PK no zip'), whole.slice(0, -30)])
      await expect(openArchive(bytes)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('with a damaged file has the others, and names it', async () => {
    const whole = zipSync({
      'a.txt': strToU8('tide'.repeat(100)),
      'b.txt': strToU8('pier'.repeat(100)),
      'c.txt': strToU8('quay'),
    });
    const at = Buffer.from(whole).indexOf('b.txt') + 'b.txt'.length;
    const archive = await openArchive(whole.fill(0xff, at, at + 8));
    expect([archive.names, archive.damaged, archive.bytes('b.txt')]).toEqual([
      ['a.txt', 'c.txt'],
      ['b.txt'],
      undefined,
    ]);
  });

  it.each([
    ['EncryptedPackage', /encrypted with a password/],
    ['WordDocument', /an older format/],
  ])('that is an OLE container is rejected with its reason: %s', async (stream, reason) => {
    const bytes = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from(stream, 'utf16le'),
    ]);
    await expect(openArchive(bytes)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(reason) as string,
    });
  });
});
