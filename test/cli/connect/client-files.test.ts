import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientId, clientFiles } from '../../../src/cli/connect/client-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-clients-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pathsOf = (
  client: ClientId,
  platform: NodeJS.Platform,
  env: Record<string, string> = {},
): string[] =>
  clientFiles({ platform, env, folder: '/project' })
    .filter(({ id, scope }) => id === client && scope === 'user')
    .map(({ path }) => path);

describe('the file of Claude Desktop', () => {
  it('is in the folder of the platform', () => {
    const [mac] = pathsOf('claude-desktop', 'darwin');
    expect(mac).toMatch(/Library.Application Support.Claude.claude_desktop_config\.json$/);
    expect(pathsOf('claude-desktop', 'linux', { XDG_CONFIG_HOME: '/c' })).toEqual([
      join('/c', 'Claude', 'claude_desktop_config.json'),
    ]);
  });

  it('is in the folder of the user where XDG_CONFIG_HOME is empty', () => {
    const [path] = pathsOf('claude-desktop', 'linux', { XDG_CONFIG_HOME: '' });
    expect(path).toBe(join(homedir(), '.config', 'Claude', 'claude_desktop_config.json'));
    expect(pathsOf('opencode', 'linux', { XDG_CONFIG_HOME: '' })).toEqual(
      pathsOf('opencode', 'linux'),
    );
  });

  it('is on Windows in the folder of its package, or in the usual one for a plain program', async () => {
    const env = { APPDATA: join(folder, 'Roaming'), LOCALAPPDATA: join(folder, 'Local') };
    const usual = join(folder, 'Roaming', 'Claude', 'claude_desktop_config.json');
    expect(pathsOf('claude-desktop', 'win32', env)).toEqual([usual]);
    await mkdir(join(folder, 'Local', 'Packages', 'Claude_0123456789abc'), { recursive: true });
    await mkdir(join(folder, 'Local', 'Packages', 'Other.App_xyz'));
    const packaged = join(
      folder,
      'Local',
      'Packages',
      'Claude_0123456789abc',
      'LocalCache',
      'Roaming',
      'Claude',
    );
    expect(pathsOf('claude-desktop', 'win32', env)).toEqual([
      join(packaged, 'claude_desktop_config.json'),
    ]);
  });
});

it('finds files where the variables of the clients point', () => {
  expect(pathsOf('codex', 'linux', { CODEX_HOME: '/x' })).toEqual([join('/x', 'config.toml')]);
  expect(pathsOf('claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/x' })).toEqual([
    join('/x', '.claude.json'),
  ]);
  expect(pathsOf('vscode', 'win32', { APPDATA: '/x' })).toEqual([
    join('/x', 'Code', 'User', 'mcp.json'),
  ]);
});
