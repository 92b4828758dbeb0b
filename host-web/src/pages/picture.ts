import type { PlacedText } from '@kebab/core/app';
import { documentHref, placeHref, type PlaceAddress } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';

/** A picture of a page or an image, and the text in it. */
export interface ShownPicture {
  readonly width: number;
  readonly height: number;
  /** In pixels of the picture. */
  readonly texts: readonly PlacedText[];
}

/** How many times the width of its column a picture can have. */
export const ZOOMS: readonly number[] = [1, 2, 3];
const MAX_LINES = 400;

/** A picture with its text over it, transparent, so that it can be selected and found; and links that enlarge it. */
export function pictureFigure(place: PlaceAddress, { width, height, texts: placed }: ShownPicture, texts: Texts): Html {
  const zoom = place.zoom ?? 1;
  return html`<figure class="sheet zoom${zoom}">
    <nav class="zooms" aria-label="${texts.zoom}">
      ${ZOOMS.map((one) => (one === zoom ? html`<b>${one}×</b>` : html`<a href="${documentHref({ ...place, zoom: one })}">${one}×</a>`))}
    </nav>
    <div class="wide" tabindex="0" role="region" aria-label="${texts.picture}">
      <svg viewBox="0 0 ${width} ${height}" width="${100 * zoom}%" role="img" aria-label="${texts.picture}">
        <image href="${placeHref('/snap', place)}" width="${width}" height="${height}" />
        ${linesOf(placed).slice(0, MAX_LINES).map(textLine)}
      </svg>
    </div>
  </figure>`;
}

/** Joins the pieces of a line that stand close to each other. */
function linesOf(pieces: readonly PlacedText[]): readonly PlacedText[] {
  const lines: PlacedText[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const gap = last === undefined ? 0 : piece.x - last.x - last.w;
    const isNext = last?.line === piece.line && last.turn === 0 && piece.turn === 0;
    if (last === undefined || !isNext || gap < -piece.h || gap > 2 * piece.h) lines.push(piece);
    else {
      const top = Math.min(last.y, piece.y);
      lines[lines.length - 1] = {
        ...last,
        text: `${last.text}${gap > piece.h / 8 ? ' ' : ''}${piece.text}`,
        y: top,
        w: piece.x + piece.w - last.x,
        h: Math.max(last.y + last.h, piece.y + piece.h) - top,
      };
    }
  }
  return lines;
}

/** The share of a line that is above its baseline. */
const ASCENT = 0.78;

function textLine({ text, turn, x, y, w, h }: PlacedText): Part {
  const [length, size] = turn === 0 || turn === 2 ? [w, h] : [h, w];
  if (length <= 0 || size <= 0) return null;
  const [left, top] = [turn === 1 || turn === 2 ? x + w : x, turn > 1 ? y + h : y];
  const turned = turn > 0 && html` transform="rotate(${90 * turn} ${Math.round(left)} ${Math.round(top)})"`;
  return html`<text
    x="${Math.round(left)}"
    y="${Math.round(top + ASCENT * size)}"
    font-size="${Math.round(size)}"
    textLength="${Math.round(length)}"
    lengthAdjust="spacingAndGlyphs"
    ${turned}
    >${text}</text
  > `;
}
