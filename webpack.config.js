// @ts-check
'use strict';
const path = require('node:path');

/** @type {(env: unknown, argv: { mode?: string }) => import('webpack').Configuration} */
module.exports = (_env, argv) => {
  const production = argv.mode === 'production';
  return {
    name: 'extension',
    target: 'node',
    mode: production ? 'production' : 'development',
    entry: { extension: './src/extension.ts' },
    output: { path: path.resolve(__dirname, 'dist'), filename: '[name].js', libraryTarget: 'commonjs2', clean: true },
    externals: { vscode: 'commonjs vscode' },
    resolve: { extensions: ['.ts', '.tsx', '.js'] },
    module: { rules: [{ test: /\.tsx?$/, exclude: /node_modules/, use: { loader: 'ts-loader', options: { transpileOnly: true, compilerOptions: { module: 'es2022', moduleResolution: 'bundler' } } } }] },
    // Production: mapped, but the maps are not linked and not packaged.
    devtool: production ? 'hidden-source-map' : 'source-map',
    performance: { hints: false },
    stats: 'errors-warnings',
  };
};
