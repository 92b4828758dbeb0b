// `node --import ./scripts/run-ts.mjs file.ts`: runs TypeScript sources of the repository on every supported Node.
import { register } from 'node:module';

register('./ts-hooks.mjs', import.meta.url);
