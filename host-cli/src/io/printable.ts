/** Making untrusted text safe to show, as every host does. */
export { printable, printableJson, printableLines } from '@kebab/core/app';
