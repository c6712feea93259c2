import { describe, expect, it } from 'vitest';
import { buildEntry, mergeEntry } from '../../../src/cli/connect/entry-fields.ts';
import type { LaunchCommand } from '../../../src/cli/connect/launch-command.ts';

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
    const entry = buildEntry({ id: client, entryName: 'acequia' }, started);
    expect(entry).toMatchObject(wanted);
    expect(JSON.stringify(entry)).not.toContain('s3cret');
  });

  it('holds the key itself only for a client without references, and nothing when it is unknown', () => {
    expect(buildEntry({ id: 'claude-desktop', entryName: 'acequia' }, started).env).toEqual({
      ACEQUIA_API_KEY: 'acequia_s3cret',
    });
    const unknown = { ...started, secrets: { ACEQUIA_API_KEY: null } };
    expect(buildEntry({ id: 'claude-desktop', entryName: 'acequia' }, unknown)).toEqual({
      command: 'node',
      args: ['a.js'],
    });
  });

  it.each([
    ['claude-code', { env: { ACEQUIA_API_KEY: '$' + '{ACEQUIA_API_KEY_VALLEY_2:-}' } }],
    ['gemini', { env: { ACEQUIA_API_KEY: '$ACEQUIA_API_KEY_VALLEY_2' } }],
    ['opencode', { environment: { ACEQUIA_API_KEY: '{env:ACEQUIA_API_KEY_VALLEY_2}' } }],
    // It can pass on a variable only under the same name.
    ['codex', { env: { ACEQUIA_API_KEY: 'acequia_s3cret' }, env_vars: ['PGPASSWORD'] }],
  ] as const)('of %s with a name of its own has a variable of its own', (id, wanted) => {
    const secrets = { ...started.secrets, PGPASSWORD: 'pw' };
    expect(buildEntry({ id, entryName: 'valley-2' }, { ...started, secrets })).toMatchObject(
      wanted,
    );
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
