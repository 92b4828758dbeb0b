#!/usr/bin/env node
// Plain, committed JavaScript: npm links it and marks it executable before anything is built.
import process from 'node:process';
import { main } from '../dist/main.js';

process.exitCode = await main(process.argv.slice(2));
