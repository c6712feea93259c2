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
    kind: isSystem ? 'a systemd unit' : 'a systemd user unit',
    envFile,
    encoding: 'utf8',
    definitionFile: (name) => posix.join(unitFolder, unitOf(name)),
    definition: ({ description, words }, { node, program, user }) =>
      formatUnit({
        description,
        command: [node, program, ...words, '--env-file', envFile],
        user,
      }),

    check: [systemctl('show', '--property=Version')],
    checkHint: isSystem
      ? 'Acequia needs systemd to be kept on. Elsewhere run "acequia serve" with what starts your services.'
      : 'systemd answers in a session of this user: sign in as that user, not by su or sudo. On a server, "sudo acequia service install --system --db FILE" needs no session.',
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
      if (isSystem) return 'It starts with the computer, whether or not anybody is logged in.';
      if (isLingering)
        return 'It is on from the start of the computer, also while you are logged out.';
      return 'It is on while you are logged in. "loginctl enable-linger" keeps it on always.';
    },
  };
}
