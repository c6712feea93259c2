import { win32 } from 'node:path';
import type { Environment } from '../../process/environment.ts';
import { keeperCommand } from './keeper-command.ts';
import type { ServiceName, ServicePlatform, SystemCommand } from './service-platform.ts';
import { formatTask } from './windows-task.ts';

interface TaskSchedulerScope {
  readonly home: string;
  readonly env: Environment;
}

export function taskScheduler({ home, env }: TaskSchedulerScope): ServicePlatform {
  const folder = win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'acequia');
  const envFile = win32.join(folder, 'Config', 'service.env');
  const logFile = (name: ServiceName): string => win32.join(folder, 'Log', `${name}.log`);
  const definitionFile = (name: ServiceName): string => win32.join(folder, 'Config', `${name}.xml`);
  const user = [env.USERDOMAIN, env.USERNAME].filter(Boolean).join('\\');

  const schtasks = (verb: string, name: ServiceName, ...words: string[]): SystemCommand => ({
    words: ['schtasks', verb, '/TN', name, ...words],
  });
  const end = (name: ServiceName): SystemCommand => ({ ...schtasks('/End', name), mayFail: true });
  const endAndRun = (name: ServiceName): SystemCommand[] => [end(name), schtasks('/Run', name)];

  return {
    kind: 'windows',
    envFile,
    encoding: 'utf16le',
    definitionFile,
    definition: ({ program, description, installation }) =>
      formatTask({
        description,
        command: keeperCommand(installation, program, { envFile, logFile: logFile(program.name) }),
        user,
      }),

    check: [],
    turnOn: (names) =>
      names.flatMap((name) => [
        schtasks('/Create', name, '/XML', definitionFile(name), '/F'),
        ...endAndRun(name),
      ]),
    turnOff: (names) => names.flatMap((name) => [end(name), schtasks('/Delete', name, '/F')]),
    restart: (names) => names.flatMap(endAndRun),
    afterRemoval: [],

    stateQuery: (name) => schtasks('/Query', name, '/FO', 'CSV', '/NH'),
    // The last column is the state, in the language of Windows.
    readState: (output, code) => ({
      isOn: code === 0,
      words: output.trim().split(',').at(-1)?.replaceAll('"', '') || 'not registered',
    }),
    log: (names) => names.map(logFile),
    whenOn: () => 'loggedIn',
  };
}
