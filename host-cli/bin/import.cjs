'use strict';
// Scripts compiled from a cache cannot run `import()` in Node 20; this file is loaded the ordinary way and does it for them.
module.exports = (specifier) => import(specifier);
