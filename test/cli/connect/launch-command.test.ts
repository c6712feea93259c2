import { describe, expect, it } from 'vitest';
import { buildLaunchCommand } from '../../../src/cli/connect/launch-command.ts';
import type { Settings } from '../../../src/cli/process/settings.ts';

const SETTINGS: Settings = {
  db: '/farm.db',
  remote: null,
  apiKey: null,
  clock: () => 0,
  clockStartsAt: null,
  toolFilter: { toolsets: null, isReadOnly: false },
  lang: undefined,
  logLevel: 'warn',
};
const RUNNING = { execPath: '/bin/node', program: '/opt/acequia.js', env: {} } as const;

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
      clockStartsAt: Date.parse('2026-07-14T10:30:00Z'),
      logLevel: 'info',
    } as const;
    expect(buildLaunchCommand(chosen, { db: 'env', logLevel: 'cli' }, RUNNING).args.join(' ')).toBe(
      '/opt/acequia.js --db /farm.db --toolsets irrigation,soil --read-only --lang fr --clock 2026-07-14T10:30:00.000Z --log-level info',
    );
  });

  it.each(['/home/ana/.npm/_npx/0f1e/node_modules/.bin/acequia', 'C:\\npm\\_npx\\0f\\a.js'])(
    'is refused for %s, which npx may delete',
    (program) => {
      expect(() => buildLaunchCommand(SETTINGS, {}, { ...RUNNING, program })).toThrow(
        expect.objectContaining({
          code: 'NOT_INSTALLED',
          hint: expect.stringContaining('into a folder that stays'),
        }),
      );
    },
  );

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

  it('has the variables that log in to the database, and a password once', () => {
    const env = { PGPASSWORD: 's3cret', PGSSLMODE: 'require', PGUSER: '', SHELL: '/bin/sh' };
    const secretsFor = (db: string) =>
      buildLaunchCommand({ ...SETTINGS, db }, { db: 'env' }, { ...RUNNING, env }).secrets;
    expect(secretsFor('postgres://ana@db.example.org/farm')).toEqual({
      PGPASSWORD: 's3cret',
      PGSSLMODE: 'require',
    });
    expect(secretsFor('postgres://ana:other@db.example.org/farm')).toEqual({
      ACEQUIA_DB: 'postgres://ana:other@db.example.org/farm',
      PGSSLMODE: 'require',
    });
    expect(secretsFor('/farm.db')).toEqual({});
  });
});
