import { isPreRelease, type Facts } from './facts';

/**
 * The commands that publish, for a maintainer who has the tokens. The package itself tells Open VSX whether it is a
 * prerelease. `npx` takes the bridge tagged `latest`, so a prerelease gets another tag.
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
