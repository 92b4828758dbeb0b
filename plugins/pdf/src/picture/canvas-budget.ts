import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';

/** Creates a canvas. */
type MakeCanvas = (width: number, height: number) => Canvas;

/** The canvases that pdf.js requests while it renders, besides the page's own. */
interface CanvasAndContext {
  canvas: Canvas | null;
  context: SKRSContext2D | null;
}

/**
 * The maximum number of pixels while rendering a page: of existing canvases, and of canvases drawn into others, which are copied. 1 GiB.
 */
const MAX_PIXELS = 256e6;
/** The maximum number of draws: a million records take 300 MB. */
const MAX_DRAWS = 1e6;
const DRAWING = ['drawImage', 'fill', 'stroke', 'fillRect', 'fillText', 'strokeText', 'putImageData', 'clip'] as const;

/** The limits of a page. */
interface BudgetLimits {
  readonly timeoutMs: number;
  readonly maxPixels?: number | undefined;
  readonly maxDraws?: number | undefined;
}

/**
 * Creates the canvases for rendering a page, and aborts the rendering by throwing from a drawing call if there are too many pixels or
 * draws, or it takes too long. A pattern of a few hundred bytes can be drawn ten million times in one step, during which no timer runs.
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

  /** Creates a canvas whose context counts draws. */
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

  /** The class with which pdf.js creates further canvases. */
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

/** Rounds a length to whole pixels, at least one. */
function whole(length: number): number {
  return Math.max(1, Math.ceil(length));
}
