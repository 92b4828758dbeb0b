import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';

/** How canvases are made. */
type MakeCanvas = (width: number, height: number) => Canvas;

/** What pdf.js asks for canvases while it renders, beside the one of the page. */
interface CanvasAndContext {
  canvas: Canvas | null;
  context: SKRSContext2D | null;
}

/** Pixels that rendering a page may hold: of canvases that are there, and of those drawn into others, which are copied. 1 GiB. */
const MAX_PIXELS = 256e6;
/** How often something may be drawn: a million records take 300 MB. */
const MAX_DRAWS = 1e6;
const DRAWING = ['drawImage', 'fill', 'stroke', 'fillRect', 'fillText', 'strokeText', 'putImageData', 'clip'] as const;

/** How much a page may take. */
interface BudgetLimits {
  readonly timeoutMs: number;
  readonly maxPixels?: number | undefined;
  readonly maxDraws?: number | undefined;
}

/**
 * Makes the canvases that a page is rendered with, and ends the rendering, with an error out of the call that is too much, when they
 * hold too many pixels, too much is drawn, or it takes too long. A pattern of a few hundred bytes can be drawn ten million
 * times in one step, in which no timer has its turn.
 */
export class CanvasBudget {
  readonly #make: MakeCanvas;
  readonly #endsAt: number;
  readonly #maxPixels: number;
  readonly #maxDraws: number;
  #pixels = 0;
  #draws = 0;

  constructor(make: MakeCanvas, { timeoutMs, maxPixels = MAX_PIXELS, maxDraws = MAX_DRAWS }: BudgetLimits) {
    this.#make = make;
    this.#maxPixels = maxPixels;
    this.#maxDraws = maxDraws;
    this.#endsAt = performance.now() + timeoutMs;
  }

  /** A canvas whose context counts. */
  create(width: number, height: number): { readonly canvas: Canvas; readonly context: SKRSContext2D } {
    this.#hold(width * height);
    const canvas = this.#make(width, height);
    const context = canvas.getContext('2d');
    const methods = context as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
    for (const name of DRAWING) {
      const draw = methods[name]?.bind(context);
      if (draw === undefined) continue;
      methods[name] = (...values) => {
        this.#draw(values[0]);
        return draw(...values);
      };
    }
    return { canvas, context };
  }

  /** The class that pdf.js makes further canvases with. */
  get factory(): new () => object {
    const create = (width: number, height: number): CanvasAndContext => this.create(whole(width), whole(height));
    const hold = (pixels: number): void => this.#hold(pixels);
    return class {
      create(width: number, height: number): CanvasAndContext {
        return create(width, height);
      }

      reset({ canvas }: CanvasAndContext, width: number, height: number): void {
        if (canvas === null) throw new Error('there is no canvas');
        hold(whole(width) * whole(height) - canvas.width * canvas.height);
        canvas.width = whole(width);
        canvas.height = whole(height);
      }

      destroy(made: CanvasAndContext): void {
        if (made.canvas !== null) hold(-made.canvas.width * made.canvas.height);
        made.canvas = null;
        made.context = null;
      }
    };
  }

  #hold(pixels: number): void {
    this.#pixels += pixels;
    if (this.#pixels > this.#maxPixels) throw new Error(`it takes more than ${this.#maxPixels} pixels to render`);
  }

  #draw(source: unknown): void {
    if (++this.#draws > this.#maxDraws) throw new Error(`it draws more than ${this.#maxDraws} times`);
    if (performance.now() > this.#endsAt) throw new Error('it takes too long to render');
    const { width, height, getContext } = (source ?? {}) as Partial<Canvas>;
    if (getContext !== undefined && width !== undefined && height !== undefined) this.#hold(width * height);
  }
}

/** Canvases have whole numbers of pixels, and one at least. */
function whole(length: number): number {
  return Math.max(1, Math.ceil(length));
}
