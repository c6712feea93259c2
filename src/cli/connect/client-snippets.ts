interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a person pastes into the configuration of each assistant. */
export function clientSnippets(server: ServerCommand) {
  const args = server.args.map((each) => JSON.stringify(each)).join(', ');
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
      assistant: 'Claude Desktop',
      destination: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
      text: json,
    },
    {
      assistant: 'Claude Code',
      destination: 'in a terminal',
      text: `claude mcp add acequia -- ${[server.command, ...server.args].map(shellWord).join(' ')}`,
    },
    {
      assistant: 'Codex',
      destination: '~/.codex/config.toml',
      text: `[mcp_servers.acequia]\ncommand = ${tomlText(server.command)}\nargs = [${server.args.map(tomlText).join(', ')}]`,
    },
    { assistant: 'Gemini CLI', destination: '~/.gemini/settings.json', text: json },
  ];
}

/** A TOML basic string is a JSON string, except for the delete character. */
const tomlText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

export function shellWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text) && (process.platform === 'win32' || !text.includes('\\')))
    return text;
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '""')}"`
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
