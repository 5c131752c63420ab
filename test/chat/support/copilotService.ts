import type { ServerResponse } from 'node:http';

/** The one model that the service offers. */
const MODEL = {
  id: 'gpt-4.1',
  name: 'Scripted',
  vendor: 'OpenAI',
  version: 'gpt-4.1',
  object: 'model',
  preview: false,
  model_picker_enabled: true,
  model_picker_category: 'versatile',
  is_chat_default: true,
  is_chat_fallback: true,
  policy: { state: 'enabled', terms: '' },
  billing: { is_premium: false, multiplier: 0 },
  supported_endpoints: ['/chat/completions'],
  capabilities: {
    family: 'gpt-4.1',
    object: 'model_capabilities',
    type: 'chat',
    tokenizer: 'o200k_base',
    limits: {
      max_context_window_tokens: 128_000,
      max_output_tokens: 16_384,
      max_prompt_tokens: 111_616,
    },
    supports: { streaming: true, tool_calls: true, parallel_tool_calls: true, vision: false },
  },
};

const NEVER = 9_999_999_999;

/** Answers the Agent Host's requests to Copilot's service besides the model's turns: the account and the models. */
export function answerAsService(path: string, address: string, response: ServerResponse): void {
  // Copilot's own MCP servers.
  if (path.includes('/mcp/')) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'scripted' });
  response.end(JSON.stringify(contentOf(path, address)));
}

function contentOf(path: string, address: string): object {
  if (path.endsWith('/models')) return { object: 'list', data: [MODEL] };
  if (path === '/models/session')
    return {
      available_models: [MODEL.id],
      selected_model: MODEL.id,
      session_token: 'none',
      expires_at: NEVER,
      discounted_costs: {},
    };
  if (/\/copilot_internal\/(?:v2\/)?(?:user|token)/.test(path)) return accountAt(address);
  return path.endsWith('/user') ? { login: 'person', id: 1, name: 'Person', type: 'User' } : {};
}

function accountAt(address: string): object {
  return {
    login: 'person',
    access_type_sku: 'monthly_subscriber_quota',
    copilot_plan: 'individual_pro',
    chat_enabled: true,
    can_signup_for_limited: false,
    is_mcp_enabled: true,
    assigned_date: null,
    analytics_tracking_id: 'none',
    organization_login_list: [],
    organization_list: [],
    endpoints: { api: address, proxy: address, telemetry: address, 'origin-tracker': address },
    token: `none;exp=${NEVER};sku=monthly`,
    expires_at: NEVER,
    refresh_in: 1500,
    quota_snapshots: {},
  };
}
