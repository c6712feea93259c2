import { posix } from 'node:path';
import type { Environment } from '../../process/environment.ts';
import type { ServiceName, ServicePlatform, SystemCommand } from './service-platform.ts';
import { formatUnit } from './systemd-unit.ts';

interface SystemdScope {
  readonly home: string;
  readonly env: Environment;
  /** Otherwise units of this user. */
  readonly isSystem: boolean;
}

export function systemd({ home, env, isSystem }: SystemdScope): ServicePlatform {
  const config = env.XDG_CONFIG_HOME || posix.join(home, '.config');
  const scope = isSystem ? [] : ['--user'];
  const systemctl = (...words: string[]): SystemCommand => ({
    words: ['systemctl', ...scope, ...words],
  });

  const unitOf = (name: ServiceName): string => `${name}.service`;
  const unitFolder = isSystem ? '/etc/systemd/system' : posix.join(config, 'systemd', 'user');
  const envFile = posix.join(isSystem ? '/etc' : config, 'acequia', 'service.env');

  return {
    kind: isSystem ? 'systemdSystem' : 'systemdUser',
    envFile,
    encoding: 'utf8',
    definitionFile: (name) => posix.join(unitFolder, unitOf(name)),
    definition: ({ description, program: { words }, installation: { node, program, user } }) =>
      formatUnit({
        description,
        command: [node, program, ...words, '--env-file', envFile],
        user,
      }),

    check: [systemctl('show', '--property=Version')],
    turnOn: (names) => [
      systemctl('daemon-reload'),
      systemctl('enable', ...names.map(unitOf)),
      systemctl('restart', ...names.map(unitOf)),
    ],
    turnOff: (names) => [systemctl('disable', '--now', ...names.map(unitOf))],
    restart: (names) => [systemctl('restart', ...names.map(unitOf))],
    afterRemoval: [systemctl('daemon-reload')],

    stateQuery: (name) => systemctl('is-active', unitOf(name)),
    readState: (output) => ({ isOn: output.trim() === 'active', words: output.trim() }),
    log(names, lines) {
      const units = names.flatMap((name) => ['-u', unitOf(name)]);
      return { words: ['journalctl', ...scope, ...units, '-n', String(lines), '--no-pager'] };
    },
    whenOn(isLingering) {
      if (isSystem) return 'always';
      return isLingering ? 'lingering' : 'loggedInUnlessLingering';
    },
  };
}
