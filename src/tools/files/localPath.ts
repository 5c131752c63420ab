import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { isForeignShare } from '../../debugger/sourcePath';

/**
 * Refuses paths that must not even be checked for existence. These are network shares without a workspace folder
 * (Windows would log in to them), devices, and URLs.
 * @throws Failure `invalid_input`
 */
export function checkLocal(
  file: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): void {
  if (isForeignShare(file, folders, platform)) {
    throw new Failure(
      'invalid_input',
      l10n.t('{0} is on a network share that has no workspace folder.', file),
      'Pass a path of this machine. Nothing was changed.',
    );
  }
  if (ADDRESS.test(file))
    throw new Failure(
      'invalid_input',
      l10n.t('{0} is an address, not a path.', file),
      'Pass the path alone. Nothing was changed.',
    );
}

const ADDRESS = /^[a-z][a-z\d+.-]+:[\\/]{2}/i;
