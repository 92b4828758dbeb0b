#!/usr/bin/env node
'use strict';
// Plain, committed JavaScript: npm links it and marks it executable before anything is built.
require('node:module').enableCompileCache?.();
void require('../dist/bundle/main.cjs').main(process.argv.slice(2));
