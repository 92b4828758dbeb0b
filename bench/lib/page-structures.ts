/** Parts that pages have, each with a word of its own in place of `§`, so that a difference names the part. */
const STRUCTURES: readonly string[] = [
  '<header><a class="skip-link" href="#main">§ skip</a><nav><ul><li><a href="/">§ home</a><li><a href="/b">§ about</a></ul></nav></header>',
  '<p>§ one<br>§ two<br>\n§ three</p>',
  '<p>Unclosed § paragraph<p>Another § one<ul><li>§ first<li>§ second <b>bold § text</ul>',
  '<h2>§ heading <a class="anchor" href="#x" aria-hidden="true">#</a></h2><p>under § it</p>',
  '<h3><button aria-expanded="false">§ question</button></h3><div class="panel"><p>§ answer</p></div>',
  '<details><summary>§ summary</summary><p>§ folded words</p></details>',
  '<details open><summary>§ summary</summary>§ bare words</details>',
  '<dialog><p>§ closed dialog</p></dialog>',
  '<dialog open><p>§ open dialog</p></dialog>',
  '<div hidden>§ hidden</div><p>§ shown</p>',
  '<div hidden="until-found">§ until found</div>',
  '<div style="display:none">§ no display</div><div style="DISPLAY : NONE !important">§ none either</div>',
  '<span style="visibility:hidden">§ not visible</span><p>§ visible</p>',
  '<div style="visibility:hidden">§ outside <span style="visibility:visible">§ inside</span></div>',
  '<style>.gone-§{display:none} #away-§ { color: red; display: none }</style><p class="note gone-§">§ gone</p><p id="away-§">§ away</p><p>§ left</p>',
  '<style>/* menu */ @media print { .paper-§ { display: none } } @media screen { .screen-§ { display: none } }</style><p class="paper-§">§ on screen</p><p class="screen-§">§ on paper</p>',
  '<style>.box-§ > .cell { visibility: hidden } .box-§ p { margin: 0 }</style><div class="box-§"><p class="cell">§ direct</p><div><p class="cell">§ deeper</p></div></div>',
  '<style>.p-§{display:none} .p-§.q{display:block}</style><p class="p-§ q">§ shown again</p>',
  '<style>p.r-§{display:block} .r-§{display:none}</style><p class="r-§">§ shown by the stronger rule</p>',
  '<template><p>§ template</p></template><p>§ after it</p>',
  '<div popover id="pop">§ popover</div><button popovertarget="pop">§ opens it</button>',
  '<script>document.write("§ script")</script><script type="application/ld+json">{"name":"§"}</script>',
  '<svg width="20" height="20"><title>§ title</title><desc>§ desc</desc><text x="0" y="10">§ drawn</text></svg>',
  '<math><mi>x</mi><mo>=</mo><mn>§</mn></math>',
  '<figure><img src="a.png" alt="§ picture"><figcaption>§ caption</figcaption></figure>',
  '<picture><source srcset="a.webp"><img src="a.png" alt="§ in picture"></picture>',
  '<img src="b.png" alt="§ not shown" style="display:none">',
  '<map name="m"><area alt="§ area" href="#"></map>',
  '<dl><dt>§ term<dd>§ definition<dt>§ other<dd>§ meaning</dl>',
  '<ol start="5"><li>§ fifth<li value="9">§ ninth<ol type="a"><li>§ inner</ol></ol><ol reversed type="i"><li>§ two<li>§ one</ol>',
  '<table><caption>§ caption</caption><thead><tr><th>§ head<th>§ other</thead><tbody><tr><td rowspan="2">§ tall<td>§ a<tr><td>§ b</table>',
  '<table>§ fostered<tr><td>§ cell</td><td><ul><li>§ item</ul></td></tr></table>',
  '<table><tr><td><h3>§ in a layout</h3><p>§ of tables</p></td><td><table><tr><td>§ nested</td><td>§ pair</td></tr></table></td></tr></table>',
  '<pre><code class="language-js"><span class="k">const</span> § = <span>1</span>;\n  indented_§()</code></pre>',
  '<p>Code <code>a.§()</code>, <kbd>Ctrl-§</kbd>, <samp>§</samp>, <var>§</var>, H<sub>2§</sub>O, m<sup>2§</sup></p>',
  '<p>He said <q>§ quoted</q>. <abbr title="not shown">§</abbr> <del>§ deleted</del> <ins>§ inserted</ins> <s>§ struck</s></p>',
  '<blockquote cite="x"><p>§ quote</p><footer>— § author</footer></blockquote>',
  '<p>Long§<wbr>word and soft&shy;hyphen§ and no&nbsp;break§ and zero&#8203;width§</p>',
  '<p>&lt;§&gt; &amp; &copy; &eacute;t&eacute;§ &#x4e2d;&#25991;§ &NotEqualTilde; &unknown; &amp;lt;</p>',
  '<p dir="rtl" lang="ar">مرحبا § بالعالم</p><p lang="ko">등대 § 지기</p><p lang="ja">灯台§の<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby></p>',
  '<form><fieldset><legend>§ legend</legend><label>§ name <input name="a" value="§ value"></label><input type="hidden" value="§ secret"><input type="password" value="§"><input placeholder="§ hint"><input type="checkbox" value="§"><input type="submit" value="§ send"></fieldset></form>',
  '<select><optgroup label="group"><option>§ one<option selected>§ two</optgroup></select><textarea>§ typed\n§ lines</textarea><button type="button">§ press</button><output>§ result</output>',
  '<datalist id="d"><option>§ suggestion</datalist><meter value="0.5">§ half</meter><progress value="1">§ done</progress>',
  '<iframe src="about:blank">§ fallback</iframe><object data="x.bin" type="application/x-unknown-kind"></object><video>§ no video</video><audio>§ no audio</audio><canvas>§ no canvas</canvas>',
  '<center><font color="red">§ centred</font></center><big>§ big</big> <tt>§ teletype</tt><marquee>§ moving</marquee>',
  '<b>bold <i>§ both</b> italic §</i> <p>mis<b>nested § <p>formatting</b> §</p>',
  '<div><span>§ left</span><span>§right</span></div><div>in§</div>side',
  '<!-- § comment --><p>§ beside<!-- § inside --> it</p><!--[if IE]><p>§ old browser</p><![endif]-->',
  '<aside class="sidebar related share"><h4>§ related</h4><p>§ aside</p></aside><footer>§ footer © <time datetime="2024-01-01">§ time</time></footer>',
  '<div class="visually-hidden" style="position:absolute;left:-9999px">§ for readers</div><p aria-hidden="true">§ for eyes</p>',
  '<p contenteditable>§ editable</p><address>§ street<br>§ town</address><hr>§ bare text after a rule',
  '<ul><li><p>§ paragraph in item</p><pre>§ code in item</pre></li><li><input type="checkbox" checked> § task</li></ul>',
  '<main id="main"><article><h1>§ article</h1><p>§ body of it</p><section><h2>§ part</h2><p>§ of the article</p></section></article></main>',
  '<div style="opacity:0">§ transparent</div><div style="height:0;overflow:hidden">§ clipped</div><div style="font-size:0">§ tiny</div>',
  '<noframes>§ no frames</noframes><noembed>§ no embed</noembed><xmp><b>§ raw</b></xmp><listing>§ listing</listing>',
  '<details name="x"><summary>§ a</summary><details><summary>§ b</summary><p>§ c</p></details></details>',
  '<menu><li>§ command</li></menu><dir><li>§ file</dir><hgroup><h2>§ group</h2><p>§ tagline</p></hgroup><search>§ search</search>',
  '<div><template shadowrootmode="open"><p>§ shadow</p><slot></slot></template><p>§ slotted</p></div>',
  '<p>a<span>b§</span>c <a href="#">§<span>joined</span></a><em>§</em>.</p><p><img alt="§icon" src="i.png">§text</p>',
  '<tr><td>§ no table</td></tr><li>§ no list</li><option>§ no select</option></p>§ stray',
];

const BEFORE = [
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head><body>',
  '<meta charset=utf-8><title>P</title>',
  '<html><meta charset="utf-8"><body class="js no-touch">',
];

/** A page of some structures, which begin with the number of the page, with words that no other page has. */
export function pageOfStructures(number: number, size: number): string {
  let word = 0;
  const chosen = Array.from(
    { length: size },
    (_, at) => STRUCTURES[(number * 7 + at * (1 + (number % 5) * 2)) % STRUCTURES.length] ?? '',
  );
  const body = chosen.map((structure, at) => {
    const own = structure.replaceAll(/(?<=[-.#])§/g, `k${number}x${at}`);
    return own.replaceAll('§', () => `w${number}x${++word}`);
  });
  return `${BEFORE[number % BEFORE.length]}${body.join('\n')}`;
}
