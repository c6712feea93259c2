import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { startMailServer } from '../../mail-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { startTestBroker } from '../ingest/mqtt-broker.ts';
import { portForRestarts, runCommand, waitUntil } from '../program.ts';

/** Starts and kills what units say, as systemd does, without the variables of the shell. */
const SYSTEMCTL = `#!/bin/bash
shift
verb=$1; shift
cd "$HOME"
stop() { [ -f "$1.pid" ] && kill "$(cat "$1.pid")" 2>/dev/null && tail --pid="$(cat "$1.pid")" -f /dev/null; rm -f "$1.pid"; }
case $verb in
  restart) for unit; do
      stop "$unit"
      line=$(sed -n 's/^ExecStart=//p' ".config/systemd/user/$unit")
      env -i bash -c "exec $line" > "$unit.log" 2>&1 < /dev/null &
      echo $! > "$unit.pid"
    done;;
  disable) shift; for unit; do stop "$unit"; done;;
  is-active) if kill -0 "$(cat "$1.pid")" 2>/dev/null; then echo active; else echo inactive; exit 3; fi;;
esac
`;

async function newHome() {
  const home = await newFolder();
  const bin = join(home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'systemctl'), SYSTEMCTL);
  await chmod(join(bin, 'systemctl'), 0o755);
  const env = { HOME: home, PATH: `${bin}:${process.env.PATH}` };
  const service = (...words: string[]) => runCommand(['service', ...words], { env });
  return { home, env, service };
}

it.skipIf(process.platform !== 'linux')(
  'acequia service keeps serve and ingest mqtt on, starts them again after a kill, and leaves the farm when it is removed',
  async () => {
    const { home, env, service } = await newHome();
    const withMail = {
      env: { ...env, ACEQUIA_SMTP_URL: (await startMailServer()).url },
    };
    const [db, broker, port] = [
      await newBaseFarm(),
      await startTestBroker(),
      await portForRestarts(),
    ];
    const pid = async (unit: string) => Number(await readFile(join(home, `${unit}.pid`), 'utf8'));
    afterTest(async () => {
      for (const unit of ['acequia.service', 'acequia-mqtt.service'])
        await pid(unit)
          .then((id) => process.kill(id, 'SIGKILL'))
          .catch(() => undefined);
    });

    const install = ['install', '--yes', '--db', db, '--port', `${port}`];
    const installed = await runCommand(
      ['service', ...install, '--broker', broker.url, '--preset', 'ttn/any'],
      withMail,
    );
    expect(installed, installed.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Acequia is on, and answers on http://127.0.0.1:${port}.`),
    });
    const isTried = 'select 1 from job_rounds where tried_at is not null';
    await waitUntil(async () => (await rowsOf(db, isTried)).length > 0);
    const alert = await runCommand(
      ['call', 'create_alert', 'module=North 1', 'threshold=20', '--db', db],
      { env },
    );
    expect(alert.stdout).toContain('Ana will be notified by e-mail');
    const mqttLog = join(home, 'acequia-mqtt.service.log');
    await waitUntil(async () => (await readFile(mqttLog, 'utf8')).includes('Listening to'));

    process.kill(await pid('acequia.service'), 'SIGKILL');
    await waitUntil(async () => (await service('status')).code === 1);
    expect((await service('restart')).stdout).toBe(`It answers on http://127.0.0.1:${port}.\n`);
    expect(await service('status')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('acequia: active\nacequia-mqtt: active\nIt answers'),
    });

    expect(await service('remove', '--yes')).toMatchObject({ code: 0 });
    const brief = await runCommand(['call', 'farm_overview', '--db', db], { env });
    expect(brief.code, brief.stderr).toBe(0);
  },
);

it.skipIf(process.platform !== 'linux')(
  'acequia service install refuses an address where another program listens',
  async () => {
    const { service } = await newHome();
    const { port } = await startTestBroker();
    const args = ['install', '--yes', '--db', await newBaseFarm(), '--port', `${port}`];
    expect(await service(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `Another program already listens on http://127.0.0.1:${port}.`,
      ),
    });
  },
);
