// @ts-check
'use strict';
const { readFileSync } = require('node:fs');
const path = require('node:path');

const file = path.join(__dirname, '../../.vscode-test/adapters/toolchain.json');

/**
 * The path of a program that `npm run adapters:setup` chose.
 * @param {string} name
 * @returns {string}
 */
exports.toolPath = (name) => {
  const chosen = JSON.parse(readFileSync(file, 'utf8'))[name];
  if (!chosen) throw new Error(`no ${name} on this machine: run npm run adapters:setup`);
  return chosen.path;
};
