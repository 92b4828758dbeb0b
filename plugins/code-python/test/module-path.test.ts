import { describe, expect, it } from 'vitest';
import { modulePath } from '../src/module-path.ts';

describe('the module path of a Python file', () => {
  it.each([
    ['kebab_eval/metrics.py', 'kebab_eval.metrics'],
    ['src/kebab_eval/metrics.py', 'kebab_eval.metrics'],
    ['lib/kebab_eval/metrics.pyi', 'kebab_eval.metrics'],
    ['src/lib/metrics.py', 'lib.metrics'],
    ['app/src/metrics.py', 'app.src.metrics'],
    ['src/kebab_eval/__init__.py', 'kebab_eval'],
    ['kebab_eval/__main__.py', 'kebab_eval.__main__'],
    ['lib.py', 'lib'],
    ['src.py', 'src'],
    ['src/__init__.py', ''],
    ['__init__.py', ''],
    ['노트/점수.py', '노트.점수'],
  ])('%s holds %s', (path, module) => {
    expect(modulePath(path)).toBe(module);
  });
});
