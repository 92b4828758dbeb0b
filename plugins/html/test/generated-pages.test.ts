import { extractDocument } from '@kebab/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHtmlExtractor } from '../src/html-extractor.ts';

/** Elements around text that a browser shows; some leave out their end tag, as pages do. */
const SHOWN = [
  '<p>@',
  '<p>@</p>',
  '<div class="sidebar share">@</div>',
  '<section><h2>@</h2></section>',
  '<h3><button>@</button></h3>',
  '<ul><li>@<li>@</ul>',
  '<ol start=4><li>@<ol type=a><li>@</ol></ol>',
  '<table><tr><td>@<td>@<tr><td>@<td>@</table>',
  '<table><tr><td><h4>@</h4><td>@</table>',
  '<dl><dt>@<dd>@</dl>',
  '<pre>@\n  @</pre>',
  '<ul><li>@<pre>@\n  @</pre></ul>',
  '<blockquote>@<p>@</blockquote>',
  '<details><summary>@</summary>@</details>',
  '<figure><img alt="@"><figcaption>@</figcaption></figure>',
  '<a href="#x"><h2>@</h2></a>',
  '<aside>@</aside>',
  '<nav><a href=x>@</a></nav>',
  '<footer>@</footer>',
  '<form><label>@</label><input value="@"><textarea>@</textarea><select><option>@</select></form>',
  '<custom-card>@</custom-card>',
  '<b>@<i>@</b>@</i>',
  '@<br>@',
  '<article><header><h1>@</h1></header>@</article>',
];
const HIDDEN = [
  '<script>@</script>',
  '<style>@</style>',
  '<!-- @ -->',
  '<p hidden>@</p>',
  '<div style="display:none"><p>@</div>',
  '<template>@</template>',
  '<input type=hidden value="@">',
];
const page = fc.tuple(
  fc.array(fc.constantFrom(...SHOWN, ...HIDDEN), { minLength: 1, maxLength: 14 }),
  fc.constantFrom('@', '<body>@</body>', '<html><head><title>Page</title></head><body>@', '<title>Page</title>@'),
);

describe('pages of any structure', () => {
  it('have each word that a browser shows once, and none that it hides', async () => {
    await fc.assert(
      fc.asyncProperty(page, async ([pieces, frame]) => {
        const [shown, hidden]: [string[], string[]] = [[], []];
        const html = pieces.map((piece) =>
          piece.replaceAll('@', () => {
            const all = HIDDEN.includes(piece) ? hidden : shown;
            const word = `${HIDDEN.includes(piece) ? 'lee' : 'luv'}${all.length}x`;
            all.push(word);
            return ` ${word} `;
          }),
        );
        const source = frame.replace('@', () => html.join('\n'));
        const { text, blocks } = await extractDocument(createHtmlExtractor(), 'a.html', source);
        expect(
          blocks
            .map(({ start, end }) => text.slice(start, end))
            .join(' ')
            .match(/luv\d+x/g)
            ?.toSorted() ?? [],
        ).toEqual(shown.toSorted());
        for (const word of hidden) expect(text).not.toContain(word);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 300), seed: 40 },
    );
  }, 600_000);
});
