'use strict';
// Scripts compiled from a cache cannot run `import()` in Node 20; this file is loaded normally and does it for them.
module.exports = (specifier) => import(specifier);
