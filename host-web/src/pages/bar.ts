import { html, type Html, type Part } from '../html.ts';

/** A share from 0 to 1 as a bar, with its value. */
export function bar(share: number, label: Part): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" class="ground" />
      <rect width="${width}" height="8" /></svg
    ><span class="count">${label}</span>`;
}
