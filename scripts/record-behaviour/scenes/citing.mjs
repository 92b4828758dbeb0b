// Citations: whether they are valid, before and after their files change.

const MAX_CITATIONS = 150;

/** Some citations of hits, from all kinds of files, in a fixed order. */
export function citationsOf(hits) {
  const byUri = new Map(hits.map(({ citation }) => [`${citation.source_id ?? ''} ${citation.uri}`, citation]));
  const sorted = [...byUri.values()].toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
  const step = Math.max(1, Math.floor(sorted.length / MAX_CITATIONS));
  return sorted.filter((_, i) => i % step === 0).slice(0, MAX_CITATIONS);
}

/** Checks many citations at once, as returned with hits. */
export async function recordManyChecks(recorder, world, citations, { when }) {
  const stdin = citations.map((citation) => `${JSON.stringify(citation)}\n`).join('');
  await recorder.cli(world, 'cite verify', ['cite', 'verify', '-'], { name: `many, ${when}`, stdin, human: true });
}

/** Single checks with good, bad and missing hashes. */
export async function recordChecks(recorder, world, citations, { when }) {
  const pick = (test) => citations.find(test) ?? citations[0];
  const cited = [
    pick(({ path }) => path.startsWith('manual/')),
    pick(({ path }) => path.startsWith('papers/')),
    pick(({ path }) => path.startsWith('korean/')),
    pick(({ kind, path }) => kind === 'code' && path.startsWith('web/')),
  ];
  const others = [
    ['README.md#L1'],
    ['README.md#L1', '--source', 'code'],
    ['odd/structures.md#L99999'],
    ['odd/structures.md#L0'],
    ['odd/structures.md#L1', '--hash', 'xyz'],
    ['odd/structures.md#L1', '--source', 'nowhere'],
    ['nowhere.md#L1'],
    ['papers/multicolumn.pdf#p=2'],
    ['pictures/line.jpg#xywh=0,0,10,10'],
  ];
  const named = new Map([
    ...cited.flatMap(({ uri, content_hash: hash }) => [
      [`${uri} with its hash, ${when}`, [uri, '--hash', hash]],
      [`${uri} with another hash, ${when}`, [uri, '--hash', 'ffffffffffffffff']],
      [`${uri} without a hash, ${when}`, [uri]],
    ]),
    ...others.map((args) => [`${args.join(' ')}, ${when}`, args]),
  ]);
  await Promise.all(
    [...named].map(([name, args]) =>
      recorder.cli(world, 'cite verify', ['cite', 'verify', ...args], { name, human: true }),
    ),
  );
}
