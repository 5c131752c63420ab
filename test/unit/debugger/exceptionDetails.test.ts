import { strict as assert } from 'node:assert';
import { readException } from '../../../src/debugger/exceptionDetails';

describe('an exception as adapters tell it', () => {
  it('its full type and message, else its short type, else its id and description', () => {
    assert.deepEqual(readException({ exceptionId: 'E', details: { typeName: 'T', fullTypeName: 'a.T', message: 'bad' } }), { type: 'a.T', message: 'bad' });
    assert.deepEqual(readException({ exceptionId: 'E', details: { typeName: 'T' } }), { type: 'T' });
    assert.deepEqual(readException({ exceptionId: 'E', description: 'words' }), { type: 'E', message: 'words' });
    assert.equal(readException({ details: 5 }), undefined);
  });

  it('its causes, nearest first, and theirs', () => {
    const body = { exceptionId: 'E', details: { innerException: [{ typeName: 'One', message: '1', innerException: [{ fullTypeName: 'b.Two' }] }, null] } };
    assert.deepEqual(readException(body)?.inner, [{ type: 'One', message: '1' }, { type: 'unknown' }, { type: 'b.Two' }]);
  });

  it('a circle of causes ends', () => {
    const cause: Record<string, unknown> = { typeName: 'Circle' };
    cause['innerException'] = [cause];
    assert.equal(readException({ exceptionId: 'E', details: { innerException: [cause] } })?.inner?.length, 5);
  });
});
