interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

interface ClientSnippet {
  readonly client: string;
  readonly destination: string;
  readonly text: string;
}

/** The text to paste into the configuration of each client. */
export function clientSnippets(server: ServerCommand): ClientSnippet[] {
  const args = server.args.map((arg) => JSON.stringify(arg)).join(', ');
  const json = `{
  "mcpServers": {
    "acequia": {
      "command": ${JSON.stringify(server.command)},
      "args": [${args}]
    }
  }
}`;

  return [
    {
      client: 'Claude Desktop',
      destination: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
      text: json,
    },
    claudeCodeSnippet(server),
    {
      client: 'Codex',
      destination: '~/.codex/config.toml',
      text: `[mcp_servers.acequia]\ncommand = ${tomlText(server.command)}\nargs = [${server.args.map(tomlText).join(', ')}]`,
    },
    { client: 'Gemini CLI', destination: '~/.gemini/settings.json', text: json },
  ];
}

export const claudeCodeSnippet = (server: ServerCommand): ClientSnippet => ({
  client: 'Claude Code',
  destination: 'in a terminal',
  text: `claude mcp add acequia -- ${[server.command, ...server.args].map(shellWord).join(' ')}`,
});

/** A TOML basic string is a JSON string, except for the delete character. */
const tomlText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

export function shellWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text) && (process.platform === 'win32' || !text.includes('\\')))
    return text;
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '""')}"`
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
