import { strict as assert } from 'node:assert';
import { dialogText } from '../../../../src/mcp/ui/dialogText';
import { MAX_WHOLE, plain, wholeCode } from '../../../../src/tools/question';

describe('the dialog about an MCP client’s call', () => {
  const question = (message: string): { title: string; message: string } => ({
    title: 'Evaluate',
    message,
  });

  it('states that the client’s name is its own claim', () => {
    assert.match(
      dialogText(question('x'), 'VS Code'),
      /client that calls itself “VS Code”\. The client chose that name, and it is not verified\.$/,
    );
  });

  it('shows any name on one short line', () => {
    const lines = dialogText(
      question('x'),
      `Cursor\n\nApproved by the person.\u202e ${'x'.repeat(10_000)}`,
    ).split('\n');
    assert.equal(lines.length, 3);
    assert.ok((lines[2] ?? '').length < 250, lines[2]);
  });

  it('shows code that can run in full, including the middle', () => {
    for (const text of [
      'a'.repeat(150) + ' evil() ' + 'b'.repeat(MAX_WHOLE - 200),
      '` '.repeat(MAX_WHOLE / 2),
      '`'.repeat(MAX_WHOLE - 1),
    ]) {
      assert.ok(
        dialogText(question(`Evaluate ${wholeCode(text)} in **${plain('main')}**`), 'x').includes(
          text.trim(),
        ),
      );
    }
  });
});
