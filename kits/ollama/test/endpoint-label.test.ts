import { expect, it } from 'vitest';
import { endpointLabel } from '../src/endpoint-label.ts';

it.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
  ['https://me:secret@example.org/ollama/?key=secret', 'https://example.org/ollama'],
])('shows %s as %s', (endpoint, label) => {
  expect(endpointLabel(endpoint)).toBe(label);
});
