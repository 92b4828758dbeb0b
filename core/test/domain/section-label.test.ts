import { describe, expect, it } from 'vitest';
import { sectionLabel } from '../../src/domain/section-label.ts';

describe('sectionLabel', () => {
  it.each([
    ['14. Chunking policy', '§14 Chunking policy'],
    ['14 Chunking policy', '§14 Chunking policy'],
    ['3.2.1 Exit codes', '§3.2.1 Exit codes'],
    ['7) Traps', '§7 Traps'],
    ['§14 Chunking policy', '§14 Chunking policy'],
    ['Chunking policy', 'Chunking policy'],
    ['2024 in review', '2024 in review'],
    ['14', '14'],
    ['3D printing', '3D printing'],
    ['1장 시작', '1장 시작'],
  ])('shows %j as %j', (heading, label) => {
    expect(sectionLabel(['Part', heading])).toBe(label);
  });

  it('has no section label for a chunk without headings', () => {
    expect(sectionLabel([])).toBeNull();
  });
});
