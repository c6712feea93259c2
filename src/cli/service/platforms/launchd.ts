import { posix } from 'node:path';
import { keeperCommand } from './keeper-command.ts';
import { formatAgent } from './launchd-plist.ts';
import type { ServiceName, ServicePlatform, SystemCommand } from './service-platform.ts';

interface LaunchdScope {
  readonly home: string;
  /** Number of the user. */
  readonly uid: number;
}

const STATE = 'state = ';

export function launchd({ home, uid }: LaunchdScope): ServicePlatform {
  const domain = `gui/${uid}`;
  const library = posix.join(home, 'Library');
  const envFile = posix.join(library, 'Application Support', 'acequia', 'service.env');
  const logFile = (name: ServiceName): string =>
    posix.join(library, 'Logs', 'acequia', `${name}.log`);
  const definitionFile = (name: ServiceName): string =>
    posix.join(library, 'LaunchAgents', `${name}.plist`);
  const bootout = (name: ServiceName): SystemCommand => ({
    words: ['launchctl', 'bootout', `${domain}/${name}`],
    mayFail: true,
  });

  return {
    kind: 'launchd',
    envFile,
    encoding: 'utf8',
    definitionFile,
    definition: ({ program, installation }) =>
      formatAgent({
        label: program.name,
        command: keeperCommand(installation, program, { envFile, logFile: logFile(program.name) }),
        errorFile: logFile(program.name),
      }),

    check: [{ words: ['launchctl', 'print', domain] }],
    turnOn: (names) =>
      names.flatMap((name) => [
        bootout(name),
        { words: ['launchctl', 'enable', `${domain}/${name}`] },
        { words: ['launchctl', 'bootstrap', domain, definitionFile(name)] },
      ]),
    turnOff: (names) => names.map(bootout),
    restart: (names) =>
      names.map((name) => ({ words: ['launchctl', 'kickstart', '-k', `${domain}/${name}`] })),
    afterRemoval: [],

    stateQuery: (name) => ({ words: ['launchctl', 'print', `${domain}/${name}`] }),
    readState(output, code) {
      const lines = output.split('\n').map((line) => line.trim());
      const state = lines.find((line) => line.startsWith(STATE));
      const words = state?.slice(STATE.length) ?? 'not loaded';
      return { isOn: code === 0 && words === 'running', words };
    },
    log: (names) => names.map(logFile),
    whenOn: () => 'loggedIn',
  };
}
