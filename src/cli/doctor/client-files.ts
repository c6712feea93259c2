import { homedir } from 'node:os';
import { join } from 'node:path';

/** A file in which an assistant's program is told of MCP servers. */
export interface ClientFile {
  readonly client: string;
  readonly path: string;
  readonly format: 'json' | 'jsonc' | 'toml';
  /** Names on the way to the servers; `*` is any name. */
  readonly servers: readonly (readonly string[])[];
}

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the doctor is called in: some programs read a file beside the work. */
  readonly folder: string;
}

/** Where the programs of this platform keep the data of a user. */
function userData({ platform, env }: Surroundings): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
}

/**
 * The files of the assistants that Acequia is known to work with. Sources: the manuals of Claude Desktop, Claude Code,
 * Codex, Gemini CLI, Cursor, Visual Studio Code and opencode.
 */
export function clientFiles(around: Surroundings): ClientFile[] {
  const { env, folder } = around;
  const home = homedir();
  const data = userData(around);
  const opencode = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode');
  const named = [['mcpServers']];
  const files: ClientFile[] = [
    {
      client: 'Claude Desktop',
      path: join(data, 'Claude', 'claude_desktop_config.json'),
      format: 'json',
      servers: named,
    },
    {
      client: 'Claude Code',
      path: join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json'),
      format: 'json',
      servers: [['mcpServers'], ['projects', '*', 'mcpServers']],
    },
    { client: 'Claude Code', path: join(folder, '.mcp.json'), format: 'json', servers: named },
    {
      client: 'Codex',
      path: join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
      format: 'toml',
      servers: [['mcp_servers']],
    },
    { client: 'Gemini CLI', path: join(home, '.gemini', 'settings.json'), format: 'jsonc', servers: named },
    { client: 'Gemini CLI', path: join(folder, '.gemini', 'settings.json'), format: 'jsonc', servers: named },
    { client: 'Cursor', path: join(home, '.cursor', 'mcp.json'), format: 'jsonc', servers: named },
    { client: 'Cursor', path: join(folder, '.cursor', 'mcp.json'), format: 'jsonc', servers: named },
    { client: 'VS Code', path: join(data, 'Code', 'User', 'mcp.json'), format: 'jsonc', servers: [['servers']] },
    { client: 'VS Code', path: join(folder, '.vscode', 'mcp.json'), format: 'jsonc', servers: [['servers']] },
    ...['opencode.json', 'opencode.jsonc'].flatMap((name): ClientFile[] => [
      { client: 'opencode', path: join(opencode, name), format: 'jsonc', servers: [['mcp']] },
      { client: 'opencode', path: join(folder, name), format: 'jsonc', servers: [['mcp']] },
    ]),
  ];
  // In the home folder a file beside the work is the user's own.
  return files.filter((file, place) => files.findIndex(({ path }) => path === file.path) === place);
}
