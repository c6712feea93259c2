import { describe, expect, it } from 'vitest';
import { buildLaunchCommand } from '../../../src/cli/connect/launch-command.ts';
import type { Settings } from '../../../src/cli/process/settings.ts';

const SETTINGS: Settings = {
  db: '/farm.db',
  remote: null,
  apiKey: null,
  clock: () => 0,
  toolFilter: { toolsets: null, isReadOnly: false },
  lang: undefined,
  logLevel: 'warn',
};
const RUNNING = { platform: 'linux', execPath: '/bin/node', program: '/opt/acequia.js' } as const;

describe('the launch command', () => {
  it('is this program with the explicit settings', () => {
    expect(buildLaunchCommand(SETTINGS, {}, RUNNING)).toEqual({
      command: '/bin/node',
      args: ['/opt/acequia.js'],
      secrets: {},
    });
    const chosen = {
      ...SETTINGS,
      toolFilter: { toolsets: ['irrigation', 'soil'], isReadOnly: true },
      lang: 'fr',
      logLevel: 'info',
    } as const;
    expect(buildLaunchCommand(chosen, { db: 'env', logLevel: 'cli' }, RUNNING).args.join(' ')).toBe(
      '/opt/acequia.js --db /farm.db --toolsets irrigation,soil --read-only --lang fr --log-level info',
    );
  });

  it('goes through npx when npx runs it, on Windows through the shell', () => {
    const program = '/home/ana/.npm/_npx/0f1e/node_modules/.bin/acequia';
    const { command, args } = buildLaunchCommand(SETTINGS, {}, { ...RUNNING, program });
    expect([command, ...args]).toEqual(['npx', '-y', 'acequia-mcp']);
    const windows = buildLaunchCommand(
      SETTINGS,
      {},
      { ...RUNNING, platform: 'win32', program: 'C:\\npm\\_npx\\0f\\a.js' },
    );
    expect([windows.command, ...windows.args]).toEqual(['cmd', '/c', 'npx', '-y', 'acequia-mcp']);
  });

  it('has neither the key nor the password of an address on the command line', () => {
    const db = 'postgres://ana:s3cret@db.example.org/farm';
    const { args, secrets } = buildLaunchCommand(
      { ...SETTINGS, db, apiKey: 'acequia_k' },
      { db: 'cli' },
      RUNNING,
    );
    expect(args).toEqual(['/opt/acequia.js']);
    expect(secrets).toEqual({ ACEQUIA_DB: db, ACEQUIA_API_KEY: 'acequia_k' });
  });
});
