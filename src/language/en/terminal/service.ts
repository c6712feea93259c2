/**
 * The texts of "acequia service", and of the doctor about services and mail; also within "acequia
 * init".
 */
export const englishService = {
  kinds: {
    systemdUser: 'a systemd user unit',
    systemdSystem: 'a systemd unit',
    launchd: 'a launchd agent',
    windows: 'a task of Windows',
  },
  descriptions: {
    acequia: 'Acequia: background jobs, mail, page and webhooks',
    'acequia-mqtt': 'Acequia: readings from an MQTT broker',
  },
  settingsHeader: [
    'What Acequia runs with, kept on by: acequia service install',
    'After a change here: acequia service restart',
  ],
  keptOnBy: (kind: string) => `Acequia is kept on by ${kind}.`,
  fileStates: { new: 'new', changed: 'changed', deleted: 'deleted' },
  ownerAlone: 'for its owner alone',
  commandsAfter: (commands: string) => `Then: ${commands}`,
  nothingToChange: (kind: string, settings: string) =>
    `Nothing to change: Acequia is on, as ${kind}, with ${settings}.`,
  writeAndTurnOn: 'Write this and turn it on?',
  turnOn: 'It is off. Turn it on?',
  declined: 'Nothing was changed. Use --yes to install without being asked.',
  silent: 'It was started, but does not answer yet: see "acequia service logs".',
  isOn: (address: string | null) =>
    `Acequia is on${address === null ? '' : `, and answers on ${address}`}.`,
  settings: (file: string) => `Its settings: ${file}`,
  linger: 'Keep it on also while you are logged out (loginctl enable-linger)?',
  administrator: 'An administrator can run it for you.',
  whenOn: {
    always: 'It starts with the computer, whether or not anybody is logged in.',
    lingering: 'It is on from the start of the computer, also while you are logged out.',
    loggedIn: 'It is on while you are logged in.',
    loggedInUnlessLingering:
      'It is on while you are logged in. "loginctl enable-linger" keeps it on always.',
  },
  managerHints: {
    systemdUser:
      'systemd answers in a session of this user: sign in as that user, not by su or sudo. On a server, "sudo acequia service install --system --db FILE" needs no session.',
    systemdSystem:
      'Acequia needs systemd to be kept on. Elsewhere run "acequia serve" with what starts your services.',
    launchd: 'launchd answers in a session of this user: log in at the screen of the Mac.',
    windows: '',
  },
  filesAreWritten:
    'The files are written. Put this right, then run "acequia service install" again.',
  mail: {
    accepted: (server: string, details: string) =>
      `Mail: ${server} accepts the login (${details}).`,
    details: (isEncrypted: boolean, user: string | null, from: string) =>
      [
        isEncrypted ? 'encrypted' : 'not encrypted',
        user === null ? 'without a login' : `logged in as "${user}"`,
        `from ${from}`,
      ].join(', '),
    failures: {
      connection: 'cannot be reached or does not answer',
      encryption: 'offers no trusted encryption',
      login: 'does not let us log in',
      sender: 'does not accept our sender address',
      recipient: 'breaks off',
    },
    advice: {
      connection:
        'Check host and port in ACEQUIA_SMTP_URL, and that this machine may connect to it: 587 with smtp://, 465 with smtps://.',
      encryption:
        'Use smtps:// for port 465 and smtp:// for 587. A certificate of your own is trusted with NODE_EXTRA_CA_CERTS; ?startTls=never at the end of the URL turns encryption off.',
      login:
        'Correct user and password in ACEQUIA_SMTP_URL; many providers require an app password.',
      sender: 'Set ACEQUIA_MAIL_FROM to an address that this server sends for.',
      recipient:
        'If the address is right, ask the administrator of the mail server what it relays. If it is not, disable the alert and create it again as a member whose address is right.',
    },
    failed: (server: string, failure: string, answer: string) =>
      `Mail: ${server} ${failure}: ${answer}.`,
  },
  refusals: {
    addressInUse: (address: string) => ({
      message: `Another program already listens on ${address}.`,
      hint: 'If it is an "acequia serve" of yours, end it; otherwise give --port another number.',
    }),
    command: (
      command: string,
      {
        reason,
        code,
        hint,
      }: { readonly reason: string | null; readonly code: number; readonly hint: string },
    ) => ({
      message: `"${command}" failed: ${reason ?? `it ended with ${code}`}`,
      hint,
    }),
    unreadableFile: (file: string, reason: string) => ({
      message: `${file} cannot be read: ${reason}.`,
      hint: 'Check who may write to its folder; files of the system need sudo.',
    }),
    unwritableFile: (file: string, reason: string) => ({
      message: `${file} cannot be written: ${reason}.`,
      hint: 'Check who may write to its folder; files of the system need sudo.',
    }),
  },
};
