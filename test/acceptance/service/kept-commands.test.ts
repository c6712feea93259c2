import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keeperCommand } from '../../../src/cli/service/platforms/keeper-command.ts';
import { formatAgent } from '../../../src/cli/service/platforms/launchd-plist.ts';
import { KEPT_PROGRAMS } from '../../../src/cli/service/platforms/service-platform.ts';
import { formatUnit } from '../../../src/cli/service/platforms/systemd-unit.ts';
import { formatTask } from '../../../src/cli/service/platforms/windows-task.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import {
  commandOfAgent,
  commandOfTask,
  commandOfUnit,
} from '../../cli/service/definition-commands.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { newFolder } from '../../temporary-places.ts';
import { BINARY, portForRestarts, waitUntil } from '../program.ts';

const { serve } = KEPT_PROGRAMS;
const UNIT = (command: readonly string[]) =>
  commandOfUnit(formatUnit({ description: 'Acequia', command, user: null }));
const AGENT = (command: readonly string[]) =>
  commandOfAgent(formatAgent({ label: 'acequia', command, errorFile: '/dev/null' }));
const TASK = (command: readonly string[]) =>
  commandOfTask(formatTask({ description: 'Acequia', command, user: 'ana' }));

/** A farm, its settings, and the program in a folder of hard signs. */
async function newInstallation(settings = '') {
  const [folder, db, port] = [await newFolder(), await newBaseFarm(), await portForRestarts()];
  const hardFolder = join(folder, `a b & 'c' 50%d`);
  await symlink(dirname(BINARY), hardFolder);
  const envFile = join(folder, 'service.env');
  await writeFile(envFile, `ACEQUIA_DB='${db}'\nACEQUIA_PORT=${port}\n${settings}`);
  const installation = {
    node: process.execPath,
    program: join(hardFolder, 'acequia.js'),
    user: null,
  };
  const logFile = join(folder, 'log', 'acequia.log');
  return { db, port, envFile, installation, logFile };
}

type Installed = Awaited<ReturnType<typeof newInstallation>>;

const directCommand = ({ installation: { node, program }, envFile }: Installed) => [
  ...[node, program, ...serve.words, '--env-file', envFile],
];
const keptCommand = ({ installation, ...files }: Installed) =>
  keeperCommand(installation, serve, files);

/** Without a variable of the shell, as an operating system starts it. */
function start([file = '', ...args]: readonly string[]): ChildProcess {
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: 'ignore' });
  afterTest(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  return child;
}

const isAnswering = ({ port }: Installed): Promise<boolean> =>
  new Promise((resolve) => {
    // Without an agent, whose open connection would delay the end of the service.
    get({ port, path: '/health', agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
const answering = (installed: Installed) => waitUntil(() => isAnswering(installed));
const silent = (installed: Installed) => waitUntil(async () => !(await isAnswering(installed)));

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  const [code] = await once(child, 'close');
  return code;
}

describe('the command of a unit of systemd', () => {
  it('serves the store of its settings, also started again after a kill', async () => {
    const installed = await newInstallation();
    const command = UNIT(directCommand(installed));
    const first = start(command);
    await answering(installed);
    await end(first, 'SIGKILL');
    expect(await isAnswering(installed)).toBe(false);

    const second = start(command);
    await answering(installed);
    expect(await end(second, 'SIGTERM')).toBe(0);
  });

  it('ends with 2 for wrong settings, after which systemd does not start it again', async () => {
    const child = start(UNIT(directCommand(await newInstallation('ACEQUIA_LANG=xx\n'))));
    expect(await once(child, 'close')).toEqual([2, null]);
  });
});

/** The process that the keeper has started. */
async function childOf(keeper: ChildProcess): Promise<number> {
  const path = `/proc/${keeper.pid}/task/${keeper.pid}/children`;
  const children = (await readFile(path, 'utf8')).trim().split(' ').map(Number);
  expect(children).toHaveLength(1);
  return children[0]!;
}

describe.each([
  ['an agent of launchd', AGENT],
  ['a task of Windows', TASK],
])('the command of %s', (_, throughDefinition) => {
  // Both start the same keeper.
  const itOnLinux =
    throughDefinition === AGENT ? it.skipIf(process.platform !== 'linux') : itInDeepRuns;

  itOnLinux(
    'serves again after the program or its keeper was killed, and logs that for its owner alone',
    async () => {
      const installed = await newInstallation();
      const command = throughDefinition(keptCommand(installed));
      const first = start(command);
      await answering(installed);
      process.kill(await childOf(first), 'SIGKILL');
      await silent(installed);
      await answering(installed);
      expect(await readFile(installed.logFile, 'utf8')).toContain(
        'It ended with SIGKILL, and starts again in 5 s.\n',
      );

      const orphan = await childOf(first);
      await end(first, 'SIGKILL');
      await silent(installed);
      await waitUntil(async () => !(await readdir('/proc')).includes(String(orphan)));

      const second = start(command);
      await answering(installed);
      expect(await end(second, 'SIGTERM')).toBe(0);
      expect(await isAnswering(installed)).toBe(false);
    },
  );

  it('ends with 0 for wrong settings, after which it is not started again, and logs them', async () => {
    const installed = await newInstallation('ACEQUIA_LANG=xx\n');
    const child = start(throughDefinition(keptCommand(installed)));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await readFile(installed.logFile, 'utf8')).toMatch(
      /'xx' from env 'ACEQUIA_LANG' is invalid.*\n(.*\n)*It ended with code 2, and is not started again/,
    );
  });
});
