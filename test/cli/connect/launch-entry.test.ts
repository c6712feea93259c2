import { describe, expect, it } from 'vitest';
import {
  buildEntry,
  buildLaunchCommand,
  type LaunchCommand,
  mergeEntry,
} from '../../../src/cli/connect/launch-entry.ts';
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

describe('an entry', () => {
  const started: LaunchCommand = {
    command: 'node',
    args: ['a.js'],
    secrets: { ACEQUIA_API_KEY: 'acequia_s3cret' },
  };

  it.each([
    ['claude-code', { env: { ACEQUIA_API_KEY: '$' + '{ACEQUIA_API_KEY:-}' } }],
    ['codex', { env_vars: ['ACEQUIA_API_KEY'] }],
    ['gemini', { env: { ACEQUIA_API_KEY: '$ACEQUIA_API_KEY' } }],
    ['cursor', { env: { ACEQUIA_API_KEY: '$' + '{env:ACEQUIA_API_KEY}' } }],
    ['vscode', { env: { ACEQUIA_API_KEY: '$' + '{env:ACEQUIA_API_KEY}' } }],
    ['opencode', { environment: { ACEQUIA_API_KEY: '{env:ACEQUIA_API_KEY}' } }],
  ] as const)('of %s names the variable of the key, not the key', (client, wanted) => {
    const entry = buildEntry(client, started);
    expect(entry).toMatchObject(wanted);
    expect(JSON.stringify(entry)).not.toContain('s3cret');
  });

  it('holds the key itself only for a client without references, and nothing when it is unknown', () => {
    expect(buildEntry('claude-desktop', started).env).toEqual({
      ACEQUIA_API_KEY: 'acequia_s3cret',
    });
    const unknown = { ...started, secrets: { ACEQUIA_API_KEY: null } };
    expect(buildEntry('claude-desktop', unknown)).toEqual({ command: 'node', args: ['a.js'] });
  });

  it('keeps what a person added, and drops settings that are no longer set', () => {
    const existing = {
      command: 'node',
      args: ['a.js', '--lang', 'fr'],
      timeout: 30,
      trust: true,
      env: { ACEQUIA_DB: 'old.db', ACEQUIA_SMTP_URL: 'smtp://mail', TZ: 'UTC' },
      env_vars: ['ACEQUIA_API_KEY', 'LANG'],
    };
    expect(mergeEntry(existing, { command: 'node', args: ['b.js'] })).toEqual({
      command: 'node',
      args: ['b.js'],
      timeout: 30,
      trust: true,
      env: { ACEQUIA_SMTP_URL: 'smtp://mail', TZ: 'UTC' },
      env_vars: ['LANG'],
    });
  });
});
