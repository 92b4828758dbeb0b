import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { CanvasBudget } from '../../src/picture/canvas-budget.ts';

const LONG = { timeoutMs: 60_000 };

interface Made {
  readonly canvas: { readonly width: number; readonly height: number };
}
interface Factory {
  create(width: number, height: number): Made;
  reset(made: Made, width: number, height: number): void;
  destroy(made: Made): void;
}

const factoryOf = (budget: CanvasBudget): Factory => new budget.factory() as Factory;

describe('the canvases of a page', () => {
  it('are limited in pixels', () => {
    const factory = factoryOf(new CanvasBudget(createCanvas, { ...LONG, maxPixels: 1000 }));
    const first = factory.create(20, 30);
    expect(() => factory.create(20, 30)).toThrow('more than 1000 pixels');
    factory.destroy(first);
    const smaller = factoryOf(new CanvasBudget(createCanvas, { ...LONG, maxPixels: 1000 }));
    const made = smaller.create(20, 30);
    expect(() => smaller.reset(made, 100, 100)).toThrow('more than 1000 pixels');
  });

  it('count canvases drawn into others, since these are copied', () => {
    const budget = new CanvasBudget(createCanvas, { ...LONG, maxPixels: 1000 });
    const page = budget.create(10, 10);
    const part = budget.create(10, 10);
    for (let i = 0; i < 8; i++) page.context.drawImage(part.canvas, 0, 0);
    expect(() => page.context.drawImage(part.canvas, 0, 0)).toThrow('more than 1000 pixels');
  });

  it('are limited in draws and time', () => {
    const often = new CanvasBudget(createCanvas, { ...LONG, maxDraws: 3 }).create(10, 10).context;
    for (let i = 0; i < 3; i++) often.fillRect(0, 0, 1, 1);
    expect(() => often.fillRect(0, 0, 1, 1)).toThrow('more than 3 times');
    const late = new CanvasBudget(createCanvas, { timeoutMs: -1 }).create(10, 10).context;
    expect(() => late.fillRect(0, 0, 1, 1)).toThrow('takes too long');
  });
});
