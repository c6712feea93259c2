/** How assistants start the server: the command and its arguments, all paths absolute. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What to paste where, for one assistant. */
export interface Connection {
  readonly assistant: string;
  readonly where: string;
  readonly text: string;
}

/** What to paste into each assistant so that it starts this server. */
export function connections(server: ServerCommand): Connection[] {
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
      where: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
      text: json,
    },
    {
      assistant: 'Claude Code',
      where: 'in a terminal',
      text: `claude mcp add acequia -- ${[server.command, ...server.args].map(shellWord).join(' ')}`,
    },
    {
      assistant: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.acequia]\ncommand = ${tomlText(server.command)}\nargs = [${server.args.map(tomlText).join(', ')}]`,
    },
    { assistant: 'Gemini CLI', where: '~/.gemini/settings.json', text: json },
  ];
}

/** A basic string of TOML is written as in JSON, but for the delete character. */
const tomlText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/** A word of the command line, quoted where it has to be. */
function shellWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text) && (process.platform === 'win32' || !text.includes('\\'))) return text;
  return process.platform === 'win32' ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
