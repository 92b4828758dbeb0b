import { serveExtraction } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';

// The program of an extraction process, which kebab starts.
void serveExtraction(builtins);
