import { serveExtraction } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';

// The program of a process that reads files; kebab starts it.
void serveExtraction(builtins);
