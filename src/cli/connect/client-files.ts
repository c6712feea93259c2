import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../process/environment.ts';

/** Programs that start MCP servers; texts for people call them assistants. */
export const CLIENT_NAMES = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  cursor: 'Cursor',
  vscode: 'VS Code',
  opencode: 'opencode',
} as const;

export type ClientId = keyof typeof CLIENT_NAMES;

/** The name of the entry that "acequia connect" writes without --name. */
export const DEFAULT_ENTRY_NAME = 'acequia';

export interface ClientFile {
  readonly id: ClientId;
  readonly client: string;
  /** `project`: applies only in its own folder. */
  readonly scope: 'user' | 'project';
  readonly path: string;
  readonly format: 'json' | 'jsonc' | 'toml';
  /** Paths to the objects of servers, `*` for any name; a new server is added to the first. */
  readonly serverPaths: readonly (readonly string[])[];
  /** The name of the entry that "acequia connect" writes there. */
  readonly entryName: string;
}

interface ClientEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly folder: string;
  readonly entryName?: string | undefined;
}

/** A variable that is set but empty counts as unset. Source: XDG Base Directory Specification 0.8. */
const xdgFolder = ({ XDG_CONFIG_HOME }: Environment, home: string): string =>
  XDG_CONFIG_HOME || join(home, '.config');

function userDataFolder({ platform, env }: ClientEnvironment): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  return xdgFolder(env, homedir());
}

/**
 * On Windows, Claude Desktop is either a packaged app with a folder of its own, or an ordinary
 * program.
 */
function claudeDesktopFolders(environment: ClientEnvironment): string[] {
  const usual = [join(userDataFolder(environment), 'Claude')];
  if (environment.platform !== 'win32') return usual;

  const packages = join(
    environment.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'),
    'Packages',
  );
  const packageNames = folderNames(packages).filter((name) => name.startsWith('Claude_'));

  return packageNames.length === 0
    ? usual
    : packageNames.map((name) => join(packages, name, 'LocalCache', 'Roaming', 'Claude'));
}

function folderNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** User files come first. Sources: the clients' manuals. */
export function clientFiles(environment: ClientEnvironment): ClientFile[] {
  const { env, folder, entryName = DEFAULT_ENTRY_NAME } = environment;
  const home = homedir();
  const data = userDataFolder(environment);
  const opencodeFolder = join(xdgFolder(env, home), 'opencode');
  const mcpServers = [['mcpServers']];

  const file = (
    id: ClientId,
    scope: ClientFile['scope'],
    path: string,
    format: ClientFile['format'],
    serverPaths: ClientFile['serverPaths'],
  ): ClientFile => ({
    id,
    client: CLIENT_NAMES[id],
    scope,
    path,
    format,
    serverPaths,
    entryName,
  });

  const files = [
    ...claudeDesktopFolders(environment).map((desktopFolder) =>
      file(
        'claude-desktop',
        'user',
        join(desktopFolder, 'claude_desktop_config.json'),
        'json',
        mcpServers,
      ),
    ),
    file('claude-code', 'user', join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json'), 'json', [
      ['mcpServers'],
      ['projects', '*', 'mcpServers'],
    ]),
    file('claude-code', 'project', join(folder, '.mcp.json'), 'json', mcpServers),
    file('codex', 'user', join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'), 'toml', [
      ['mcp_servers'],
    ]),
    file('codex', 'project', join(folder, '.codex', 'config.toml'), 'toml', [['mcp_servers']]),
    file('gemini', 'user', join(home, '.gemini', 'settings.json'), 'jsonc', mcpServers),
    file('gemini', 'project', join(folder, '.gemini', 'settings.json'), 'jsonc', mcpServers),
    file('cursor', 'user', join(home, '.cursor', 'mcp.json'), 'jsonc', mcpServers),
    file('cursor', 'project', join(folder, '.cursor', 'mcp.json'), 'jsonc', mcpServers),
    file('vscode', 'user', join(data, 'Code', 'User', 'mcp.json'), 'jsonc', [['servers']]),
    file('vscode', 'project', join(folder, '.vscode', 'mcp.json'), 'jsonc', [['servers']]),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      file('opencode', 'user', join(opencodeFolder, name), 'jsonc', [['mcp']]),
      file('opencode', 'project', join(folder, name), 'jsonc', [['mcp']]),
    ]),
  ];

  // Run in the home folder, a client may have the same path for its project and its user file.
  return files.filter(({ path }, index) => files.findIndex((each) => each.path === path) === index);
}
