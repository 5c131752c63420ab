import { strict as assert } from 'node:assert';
import { parse } from 'jsonc-parser';
import { clientConfigurations } from '../../../src/mcp/clientConfigurations';

const URL_ = 'http://127.0.0.1:46321/mcp';
const all = clientConfigurations(URL_, 'k3y');

describe('configurations for clients', () => {
  it('each names the address and the key once, and each client is there once', () => {
    for (const { id, text } of all) {
      assert.equal(text.split(URL_).length, 2, id);
      assert.equal(text.split('Bearer k3y').length, 2, id);
    }
    assert.equal(new Set(all.map((each) => each.id)).size, all.length);
  });

  it('what is JSON is valid JSON, and only Codex and Continue are not JSON', () => {
    const others = all.filter(({ text }) => {
      try {
        JSON.parse(text);
        return false;
      } catch {
        return true;
      }
    });
    assert.deepEqual(others.map((each) => each.id), ['codex', 'continue']);
  });

  it('each has the property for the address that its client reads', () => {
    const servers = (id: string): Record<string, unknown> => ((parse(all.find((each) => each.id === id)?.text ?? '') as Record<string, Record<string, Record<string, unknown>>>)['mcpServers']?.['agent-debugger'] ?? {});
    assert.equal(servers('cursor')['url'], URL_);
    assert.equal(servers('cline')['type'], 'streamableHttp');
    assert.equal(servers('claude-code')['type'], 'http');
    assert.equal(servers('windsurf')['serverUrl'], URL_);
    assert.equal(servers('gemini-cli')['httpUrl'], URL_);
    assert.equal(servers('roo-code')['type'], 'streamable-http');
  });
});
