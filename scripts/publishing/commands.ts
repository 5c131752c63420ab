import { isPreRelease, type Facts } from './facts';

/**
 * The commands that publish, for a maintainer who has the tokens. The package for Open VSX says itself whether it is a
 * prerelease. Of the bridge, `npx` takes what is tagged `latest`, which a prerelease must not become.
 */
export function publishingCommands({ name, version }: Facts): readonly string[] {
  const vsix = `dist-release/${name}-${version}.vsix`;
  const [channel, tag] = isPreRelease(version) ? [' --pre-release', ' --tag next'] : ['', ''];
  return [
    `npx vsce publish${channel} --packagePath ${vsix}`,
    `npx ovsx publish ${vsix}`,
    `npm publish ./dist-bridge --access public${tag}`,
    'mcp-publisher publish dist-bridge/server.json',
  ];
}
