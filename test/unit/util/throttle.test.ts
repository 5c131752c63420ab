import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { Throttle } from '../../../src/util/throttle';

describe('a throttle', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('acts at once, then at most once in an interval, and never loses the last request', () => {
    let acted = 0;
    const throttle = new Throttle(() => (acted += 1), 100);
    throttle.request();
    assert.equal(acted, 1);
    for (let index = 0; index < 50; index += 1) throttle.request();
    assert.equal(acted, 1);
    mock.timers.tick(100);
    assert.equal(acted, 2);
    mock.timers.tick(100);
    assert.equal(acted, 2, 'nothing was asked since');
    throttle.request();
    assert.equal(acted, 3);
  });

  it('does nothing once it is disposed', () => {
    let acted = 0;
    const throttle = new Throttle(() => (acted += 1), 100);
    throttle.request();
    throttle.request();
    throttle.dispose();
    mock.timers.tick(1000);
    assert.equal(acted, 1);
  });
});
