const PARAGRAPH = `<p>${'The harbour opens at six, and closes when the tide is out, as everyone knows. '.repeat(6)}</p>`;

/** A typical page: navigation, an article with a table and code, a footer, scripts and styles. */
export const GUIDE = `<!doctype html>
<html lang="en-GB"><head><title>Harbour guide – Port</title><style>p { color: styleword }</style>
<script>const scriptword = 1;</script></head><body>
<nav><a href="/">navword</a></nav>
<article><h1>Harbour guide</h1>${PARAGRAPH}
<h2 id="f">Fees &amp; dues</h2><p hidden>hiddenword</p>
<table><tr><th>Ship</th><th>Fee</th></tr><tr><td>Tug</td><td>12</td></tr></table>
<pre><code class="language-js">const fee = 12;
pay(fee);</code></pre><ul><li>cash<li>card<ul><li>debit</ul></ul><blockquote>No tugs after dark.</blockquote>
<h2>Opening hours</h2>${PARAGRAPH}<img alt="A red lighthouse" src="data:image/png;base64,AAAA"></article>
<footer>© 2026 <script>document.write("scriptword")</script></footer></body></html>`;
