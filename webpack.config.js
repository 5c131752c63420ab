// @ts-check
'use strict';
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { IgnorePlugin, sources } = require('webpack');

/** The grammars of Tree-sitter that `src/syntax` reads, and its runtime. */
const GRAMMARS = [
  'tree-sitter.wasm',
  ...['c-sharp', 'cpp', 'go', 'java', 'php', 'ruby', 'rust'].map(
    (language) => `tree-sitter-${language}.wasm`,
  ),
];

/** Copies the grammars beside the bundles. They are read when a file of their language is. */
class GrammarsPlugin {
  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    const folder = path.dirname(require.resolve('@vscode/tree-sitter-wasm'));
    compiler.hooks.thisCompilation.tap('GrammarsPlugin', (compilation) => {
      compilation.hooks.processAssets.tap('GrammarsPlugin', () => {
        for (const name of GRAMMARS)
          compilation.emitAsset(name, new sources.RawSource(readFileSync(path.join(folder, name))));
      });
    });
  }
}

/** @type {(env: unknown, argv: { mode?: string }) => import('webpack').Configuration} */
module.exports = (_env, argv) => {
  const production = argv.mode === 'production';
  return {
    name: 'extension',
    target: 'node',
    mode: production ? 'production' : 'development',
    entry: {
      extension: './src/extension.ts',
      stdio: './src/mcp/stdio/main.ts',
      syntaxWorker: './src/syntaxWorker.ts',
    },
    output: {
      path: path.resolve(__dirname, 'dist'),
      filename: '[name].js',
      libraryTarget: 'commonjs2',
      clean: true,
    },
    externals: { vscode: 'commonjs vscode' },
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          use: {
            loader: 'ts-loader',
            options: {
              transpileOnly: true,
              compilerOptions: { module: 'es2022', moduleResolution: 'bundler' },
            },
          },
        },
      ],
    },
    optimization: { splitChunks: false },
    plugins: [
      new GrammarsPlugin(),
      // Optional native parts of ws.
      new IgnorePlugin({ resourceRegExp: /^(?:bufferutil|utf-8-validate)$/ }),
      // A parser of binary key stores. Results are text, so its half megabyte would never be loaded.
      new IgnorePlugin({
        checkResource: (resource, context) =>
          context.includes('secretlint-rule-preset-recommend') &&
          resource.startsWith('./') &&
          readFileSync(path.join(context, resource), 'utf8').includes('requireForge'),
      }),
    ],
    // In production, source maps are written but neither linked nor packaged.
    devtool: production ? 'hidden-source-map' : 'source-map',
    performance: { hints: false },
    stats: 'errors-warnings',
  };
};
