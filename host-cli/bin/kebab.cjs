#!/usr/bin/env node
'use strict';
// Plain, committed JavaScript: npm links it and marks it executable before anything is built.
const { load } = require('./code-cache.cjs');

void load(`${__dirname}/../dist/bundle`, 'main.cjs').main(process.argv.slice(2));
