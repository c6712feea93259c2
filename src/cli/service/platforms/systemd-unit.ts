interface ServiceUnit {
  readonly description: string;
  readonly command: readonly string[];
  /** Whom the program runs as; null for the user whose unit it is. */
  readonly user: string | null;
}

const EXIT_OF_WRONG_USAGE = 2;
export const RESTART_PAUSE_S = 5;

/** Source: systemd.unit(5), systemd.service(5). */
export function formatUnit({ description, command, user }: ServiceUnit): string {
  const isSystem = user !== null;
  const network = isSystem ? ['Wants=network-online.target', 'After=network-online.target'] : [];
  return [
    '[Unit]',
    `Description=${description}`,
    ...network,
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `ExecStart=${formatCommand(command)}`,
    'Restart=always',
    `RestartSec=${RESTART_PAUSE_S}`,
    `RestartPreventExitStatus=${EXIT_OF_WRONG_USAGE}`,
    ...(isSystem ? [`User=${user}`] : []),
    'UMask=0077',
    'NoNewPrivileges=true',
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

/**
 * systemd refuses a program whose path has quotes or backslashes, but no argument. The colon turns
 * variables off: in the path of the program a dollar sign cannot be escaped otherwise. It is left
 * out where it is not needed, because it came with systemd 244.
 */
function formatCommand(command: readonly string[]): string {
  const [program = ''] = command;
  const words = /["'\\]/.test(program) ? ['/usr/bin/env', ...command] : command;
  const prefix = words.some((word) => word.includes('$')) ? ':' : '';
  return `${prefix}${words.map(quoteWord).join(' ')}`;
}

const quoteWord = (word: string): string => {
  const escaped = word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%');
  return /^[\w/.:@%+-]+$/.test(escaped) ? escaped : `"${escaped}"`;
};
