/**
 * Assistants in their command mode. A model on this machine follows a script; what it was sent is
 * the evidence.
 */

/**
 * Returns no results: those of an assistant are read from what it sent to the server and to the
 * model.
 */
const runOnce = async (client, home, args, options) => {
  await client.run(home, args, options);
  return {};
};

const claude = {
  name: 'claude-code',
  title: 'Claude Code',
  packages: ['@anthropic-ai/claude-code'],
  bin: 'claude',
  modes: ['legacy', 'auto', 'default'],
  hasModel: true,
  attempt(client, { home, command, url, headers, mode, steps, model }) {
    const server = url
      ? { type: 'http', url, headers }
      : { command: command[0], args: command.slice(1) };
    const prompt = `/mcp__acequia__${steps.prompt.name} North`;
    const tools = 'mcp__acequia,ReadMcpResourceTool,ListMcpResourcesTool,ToolSearch';
    const args = [
      '-p',
      prompt,
      '--mcp-config',
      'servers.json',
      '--strict-mcp-config',
      '--allowedTools',
      tools,
    ];
    const env = {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...(mode === 'default' ? {} : { MCP_PROTOCOL_NEGOTIATION: mode }),
    };
    return runOnce(client, home, args, {
      files: { 'servers.json': { mcpServers: { acequia: server } } },
      env,
    });
  },
};

/** A JSON string is also a TOML string. */
const toml = JSON.stringify;

const codex = {
  name: 'codex',
  title: 'Codex',
  packages: ['@openai/codex'],
  bin: 'codex',
  modes: ['default'],
  hasModel: true,
  absent: { prompt: "does not request a server's prompts" },
  attempt(client, { home, command, url, headers, model }) {
    const server = url
      ? `url = ${toml(url)}\nhttp_headers = { "x-api-key" = ${toml(headers['x-api-key'])} }`
      : `command = ${toml(command[0])}\nargs = ${toml(command.slice(1))}`;
    const config = [
      'model = "gpt-5-codex"\nmodel_provider = "local"\napproval_policy = "never"\nsandbox_mode = "read-only"',
      `[model_providers.local]\nname = "local"\nbase_url = "${model.url}/v1"\nwire_api = "responses"`,
      `[mcp_servers.acequia]\n${server}\ndefault_tools_approval_mode = "approve"`,
    ].join('\n');
    const args = ['exec', '--skip-git-repo-check', 'I watered North 1. Log it and draw it.'];
    return runOnce(client, home, args, { files: { '.codex/config.toml': config } });
  },
};

const gemini = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  packages: ['@google/gemini-cli'],
  bin: 'gemini',
  modes: ['default'],
  hasModel: true,
  attempt(client, { home, command, url, headers, steps, model }) {
    const server = url
      ? { httpUrl: url, headers }
      : { command: command[0], args: command.slice(1) };
    const files = {
      '.gemini/trustedFolders.json': { '/': 'TRUST_FOLDER' },
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        mcpServers: { acequia: { ...server, trust: true } },
      },
    };
    const env = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.url };
    const args = ['-p', `/${steps.prompt.name} --module=North`, '--yolo', '-m', 'gemini-2.5-pro'];
    return runOnce(client, home, args, { files, env });
  },
};

const opencode = {
  name: 'opencode',
  title: 'opencode',
  packages: ['opencode-ai'],
  bin: 'opencode',
  modes: ['default'],
  hasModel: true,
  attempt(client, { home, command, url, headers, steps, model }) {
    const modalities = { input: ['text', 'image'], output: ['text'] };
    const config = {
      model: 'local/scripted',
      small_model: 'local/scripted',
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${model.url}/v1`, apiKey: 'none' },
          models: { scripted: { name: 'scripted', attachment: true, tool_call: true, modalities } },
        },
      },
      mcp: { acequia: url ? { type: 'remote', url, headers } : { type: 'local', command } },
    };
    const args = ['run', '--command', `acequia:${steps.prompt.name}`, 'North'];
    return runOnce(client, home, args, { files: { 'opencode.json': config } });
  },
};

const copilot = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  packages: ['@github/copilot'],
  bin: 'copilot',
  modes: ['default'],
  hasModel: true,
  absent: {
    picture: 'sends its model no pictures of tools',
    resource: 'does not read resources',
    prompt: "does not request a server's prompts",
  },
  attempt(client, { home, command, url, headers, model }) {
    const server = url
      ? { type: 'http', url, headers, tools: ['*'] }
      : { type: 'local', command: command[0], args: command.slice(1), tools: ['*'] };
    const files = { '.copilot/mcp-config.json': { mcpServers: { acequia: server } } };
    const env = {
      COPILOT_PROVIDER_BASE_URL: model.url,
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_API_KEY: 'none',
      // One that it knows.
      COPILOT_MODEL: 'claude-sonnet-4.5',
    };
    const args = ['-p', 'I watered North 1. Log it and draw it.', '--allow-all-tools'];
    return runOnce(client, home, args, { files, env });
  },
};

export const ASSISTANTS = [claude, codex, gemini, opencode, copilot];
