import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webHome, type WebHome } from '../fakes/web-home.ts';

const FILES = {
  'a.md':
    '---\ntags: [sea]\ndate: 2023-04-01\n---\n# Keels\n\nThe keel of a boat is long, and the keel of a ship is longer.\n',
  'b.md': '---\ndate: 2024-05-01\n---\n# Sails\n\nA boat needs wind in its sails.\n',
  'boat.py': 'def boat():\n    return "keel"\n',
  'mast.html': '<h1>Masts</h1><p>The mast holds the sail.</p>',
  'broken.zip': 'not an archive',
  'photo.heif': 'not a picture',
};

let home: WebHome;
beforeAll(async () => {
  home = await webHome(FILES);
});
afterAll(() => home.close());

/** The bars of a page: the number beside each by its name. */
function barsIn(body: string): ReadonlyMap<string, string> {
  const rows = [...body.matchAll(/<th scope="row"\s*>(.*?)<\/th\s*>.*?<span class="count"\s*>([^<]*)</gs)];
  return new Map(rows.map(([, name = '', count = '']) => [name.replaceAll(/<[^>]*>/g, '').trim(), count.trim()]));
}

describe('the page about the base', () => {
  it('draws the documents by type, language, year and tag, each with a link to these documents', async () => {
    const { body } = await home.get('/about');
    const bars = barsIn(body);
    expect([bars.get('markdown'), bars.get('python'), bars.get('sea')]).toEqual(['2', '1', '1']);
    expect([bars.get('2023'), bars.get('2024')]).toEqual(['1', '1']);
    expect([bars.has('image'), bars.has('other'), bars.get('html')]).toEqual([false, false, '1']);
    const links = [...body.matchAll(/<th scope="row"\s*>\s*<a href="(\/\?q=[^"]+)"[^>]*>([^<]+)</g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [, address = '', name = ''] of links) {
      const found = await home.get(address.replaceAll('&amp;', '&'));
      const [, documents] = /in (\d+) documents?/.exec(found.body) ?? [];
      expect([name, documents]).toEqual([name, bars.get(name.trim())]);
    }
  });

  it('lists the newest documents, and what is left out by its reason', async () => {
    const { body } = await home.get('/about');
    expect(body).toMatch(/Newest documents.*?<a href="\/doc\/default\/b\.md">b\.md<.*?a\.md</s);
    expect(body).toMatch(/<td>broken\.zip<\/td>/);
    expect(body).not.toContain('class="checks"');
    const checked = (await home.get('/about?checks=1')).body;
    expect(checked).toMatch(/sqlite open.*<span class="why">[^`]*<code>ollama [^`]*<\/span>/s);
    const about = JSON.parse((await home.get('/about.json')).body);
    expect(about).toMatchObject({ status: { documents: 4 }, doctor: { schema_version: 'doctor.v1' } });
  });

  it('names each failed file once, in the list of what is left out', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `broken-${at}.ipynb`);
    const broken = await webHome({ 'a.md': '# Keels\n', ...Object.fromEntries(names.map((name) => [name, '{'])) });
    const { body } = await broken.get('/about');
    await broken.close();
    const [leftOut = ''] = /<h2 id="skipped"[^]*?<h2 /.exec(body) ?? [];
    expect(names.filter((name) => leftOut.split(`>${name}<`).length === 2)).toEqual(names);
    expect(leftOut).not.toMatch(/and \d+ more/);
  });

  it('shows how much is indexed while files wait, and what changes meanwhile', async () => {
    expect((await home.get('/about')).body).not.toContain('Not indexed yet');
    writeFileSync(path.join(home.folder, 'notes/c.md'), '# New\n');
    writeFileSync(path.join(home.folder, 'notes/b.md'), '# Sails\n\nAltered, and much longer than it was before.\n');
    for (const address of ['/about', '/progress']) {
      const { body } = await home.get(address);
      expect(body).toMatch(/id="progress"\s+class="open"/);
      expect(body).toContain('Not indexed yet: 1 new, 1 changed, 0 deleted files.');
      expect(body).toMatch(/3 \/ 5</);
    }
  });

  it('is in Korean too', async () => {
    const { body } = await home.get('/about?checks=1', { 'accept-language': 'ko' });
    expect(body).toMatch(/>종류<.*>프로그래밍 언어<.*>연도<.*>최근 문서</s);
    expect(body).toContain('읽는 플러그인이 없는 형식');
    const doctor = body.slice(body.indexOf('>진단<'));
    expect(doctor).not.toMatch(/<b>[a-z_]+<\/b>/);
  });
});
