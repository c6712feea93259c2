import { appendFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newServiceHome } from './service-manager.ts';

async function newInstalledHome() {
  const [home, db] = [await newServiceHome(), await newBaseFarm()];
  const service = (words: readonly string[], env: Record<string, string> = {}) =>
    runInProcess(['service', ...words], { env: { ...home.env, ...env } });
  await service(['install', '--yes', '--db', db]);
  await home.calls();
  return { home, db, service };
}

describe.skipIf(process.platform !== 'linux')('acequia service', () => {
  it('status says what is on, where its settings are, and until when it is on', async () => {
    const { home, service } = await newInstalledHome();
    const settings = `Its settings: ${home.envFile}\n`;
    expect(await service(['status'])).toMatchObject({
      code: 0,
      stdout: `acequia: active\n${settings}It is on while you are logged in. "loginctl enable-linger" keeps it on always.\n`,
    });
    await service(['install', '--yes', '--linger', '--lang', 'fr']);
    expect((await service(['status'])).stdout).toContain('also while you are logged out');
  });

  it('status fails where nothing answers', async () => {
    const { home, service } = await newInstalledHome();
    // Below those that programs may take.
    await appendFile(home.envFile, 'ACEQUIA_PORT=1\n');
    expect(await service(['status'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Nothing answers on http://127.0.0.1:1.'),
    });
  });

  it('logs prints the newest lines of its journal', async () => {
    const { home, service } = await newInstalledHome();
    expect((await service(['logs', '--lines', '7'])).stdout).toBe('a line of the log\n');
    expect(await home.calls()).toEqual(['journalctl --user -u acequia.service -n 7 --no-pager']);
  });

  it('restart starts it again, and passes on why that failed', async () => {
    const { home, service } = await newInstalledHome();
    expect(await service(['restart'])).toMatchObject({ code: 0 });
    expect(await home.calls()).toEqual(['systemctl --user restart acequia.service']);
    await home.fail('restart', 'Access denied');
    expect((await service(['restart'])).stderr).toContain('failed: Access denied');
  });

  it('remove turns it off and deletes what was installed, and the farm stays', async () => {
    const { home, db, service } = await newInstalledHome();
    expect(await service(['remove'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`The farm stays: ${db}.`),
    });
    expect((await stat(home.envFile)).isFile()).toBe(true);

    expect(await service(['remove', '--yes'])).toMatchObject({ code: 0 });
    expect(await home.calls()).toEqual([
      'systemctl --user disable --now acequia.service',
      'systemctl --user daemon-reload',
    ]);
    for (const file of [home.envFile, home.unitFile('acequia')])
      await expect(stat(file)).rejects.toThrow('ENOENT');
    expect((await stat(db)).isFile()).toBe(true);
  });

  it.each(['status', 'logs', 'restart', 'remove'])(
    '%s says how to install what is not there',
    async (word) => {
      const { env } = await newServiceHome();
      expect(await runInProcess(['service', word], { env })).toMatchObject({
        code: 1,
        stderr: 'No service of Acequia is installed.\nInstall it with "acequia service install".\n',
      });
    },
  );
});
