import { strict as assert } from 'node:assert';
import { shareOf } from '../../../../src/debugger/sourcePath';
import { checkLocal } from '../../../../src/tools/files/localPath';
import { ask } from '../../support/asking';
import { bench, failsWith, paused } from '../../support/services';

describe('a path that is refused without access', () => {
  const SHARES = [
    '\\\\server\\share\\x',
    '//server/share/x',
    '\\/server\\share',
    '/\\server/share',
    '\\\\?\\UNC\\server\\share\\x',
    '\\\\?\\C:\\x',
    '\\\\.\\pipe\\x',
    '//?/UNC/server/share',
    '\\??\\UNC\\server\\share',
    '\\\\server',
    '\\\\\\server\\share',
    '\\\\server@SSL\\share',
  ];

  it('is a network share on Windows, in any spelling', () => {
    for (const file of SHARES)
      assert.throws(
        () => checkLocal(file, ['C:\\shop\\app'], 'win32'),
        failsWith('invalid_input'),
        file,
      );
    for (const file of [
      'C:\\shop\\app\\main.js',
      'c:/shop/app/main.js',
      'src\\main.js',
      'src/main.js',
      '\\shop',
      '/shop',
    ])
      checkLocal(file, ['C:\\shop\\app'], 'win32');
    for (const file of ['//home/ada/app/main.js', '\\\\odd name'])
      checkLocal(file, ['/home/ada/app'], 'linux');
  });

  it('is not a path on the share of a workspace folder', () => {
    const folders = ['\\\\Server\\Share\\app'];
    for (const file of ['\\\\server\\share\\app\\main.js', '//SERVER/share/other/main.js'])
      checkLocal(file, folders, 'win32');
    for (const file of [
      '\\\\server\\other\\x',
      '\\\\server2\\share\\x',
      '\\\\?\\UNC\\server\\share\\app\\x',
      '\\\\server\\share2\\x',
    ])
      assert.throws(() => checkLocal(file, folders, 'win32'), failsWith('invalid_input'), file);
    assert.throws(
      () => checkLocal('\\\\?\\C:\\x', ['\\\\?\\C:\\app'], 'win32'),
      failsWith('invalid_input'),
    );
    assert.deepEqual(
      [
        shareOf('\\\\Server\\Share\\app', 'win32'),
        shareOf('C:\\app', 'win32'),
        shareOf('\\\\server\\share', 'linux'),
      ],
      ['\\\\server\\share', undefined, undefined],
    );
  });

  it('is a URI', () => {
    for (const platform of ['win32', 'linux'] as const)
      for (const file of [
        'file:///etc/passwd',
        'file://server/share',
        'FILE:\\\\server\\share',
        'vscode-remote://x/y',
        'http://x/y',
      ])
        assert.throws(
          () => checkLocal(file, ['/home'], platform),
          failsWith('invalid_input'),
          file,
        );
  });

  it('is refused by every tool that takes a path', async () => {
    for (const [name, input] of [
      ['set_breakpoint', { line_number: 1 }],
      ['set_breakpoint', { line_content: 'x' }],
      ['remove_breakpoint', undefined],
      ['start_debugging', undefined],
      ['continue_debugging', { thread_id: 1, until_line: 1 }],
    ] as const) {
      const on = paused(bench());
      const file_path = 'file://server/share/x';
      const given =
        name === 'start_debugging'
          ? { program: file_path }
          : name === 'remove_breakpoint'
            ? { location: { file_path, line_number: 1 } }
            : { ...input, file_path };
      assert.equal((await ask(on, name, given))['code'], 'invalid_input', name);
      assert.deepEqual(on.workspace.looked, []);
    }
  });
});
