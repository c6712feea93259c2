import type { Language } from '../../en/index.ts';

export const spanishService: Language['service'] = {
  kinds: {
    systemdUser: 'una unidad de systemd del usuario',
    systemdSystem: 'una unidad de systemd',
    launchd: 'un agente de launchd',
    windows: 'una tarea de Windows',
  },
  descriptions: {
    acequia: 'Acequia: tareas de fondo, correo, página y webhooks',
    'acequia-mqtt': 'Acequia: lecturas de un broker MQTT',
  },
  settingsHeader: [
    'Los ajustes de Acequia, que mantiene en marcha: acequia service install',
    'Tras un cambio aquí: acequia service restart',
  ],
  keptOnBy: (kind) => `Acequia se mantiene en marcha con ${kind}.`,
  fileStates: { new: 'nuevo', changed: 'cambiado', deleted: 'borrado' },
  ownerAlone: 'solo para su dueño',
  commandsAfter: (commands) => `Después: ${commands}`,
  nothingToChange: (kind, settings) =>
    `No hay nada que cambiar: Acequia está en marcha, con ${kind} y ${settings}.`,
  writeAndTurnOn: '¿Escribir esto y ponerla en marcha?',
  turnOn: 'Está parada. ¿Ponerla en marcha?',
  declined: 'No se ha cambiado nada. Con --yes se instala sin preguntar.',
  silent: 'Se ha iniciado, pero aún no responde: véase «acequia service logs».',
  isOn: (address) =>
    `Acequia está en marcha${address === null ? '' : ` y responde en ${address}`}.`,
  settings: (file) => `Sus ajustes: ${file}`,
  linger: '¿Mantenerla en marcha también sin sesión abierta (loginctl enable-linger)?',
  administrator: 'Un administrador puede ejecutarla por usted.',
  whenOn: {
    always: 'Arranca con el ordenador, haya o no una sesión abierta.',
    lingering: 'Está en marcha desde el arranque, también sin sesión abierta.',
    loggedIn: 'Está en marcha mientras su sesión está abierta.',
    loggedInUnlessLingering:
      'Está en marcha mientras su sesión está abierta. «loginctl enable-linger» la mantiene siempre.',
  },
  managerHints: {
    systemdUser:
      'systemd responde en una sesión de este usuario: entre con su cuenta, sin su ni sudo. En un servidor, «sudo acequia service install --system --db ARCHIVO» no necesita sesión.',
    systemdSystem:
      'Hace falta systemd para mantener Acequia en marcha. En otro caso, ejecute «acequia serve» con lo que inicia sus servicios.',
    launchd: 'launchd responde en una sesión de este usuario: ábrala en la pantalla del Mac.',
    windows: '',
  },
  filesAreWritten:
    'Los archivos están escritos. Corrija esto y ejecute «acequia service install» de nuevo.',
  mail: {
    accepted: (server, details) => `Correo: ${server} acepta la conexión (${details}).`,
    details: (isEncrypted, user, from) =>
      [
        isEncrypted ? 'cifrada' : 'sin cifrar',
        user === null ? 'sin usuario' : `como «${user}»`,
        `remitente ${from}`,
      ].join(', '),
    failures: {
      connection: 'no se alcanza o no responde',
      encryption: 'no ofrece un cifrado de confianza',
      login: 'no acepta el usuario',
      sender: 'no acepta nuestra dirección de remitente',
      recipient: 'interrumpe el intercambio',
    },
    advice: {
      connection:
        'Compruebe el servidor y el puerto de ACEQUIA_SMTP_URL, y que este ordenador puede conectarse: 587 con smtp://, 465 con smtps://.',
      encryption:
        'Use smtps:// para el puerto 465 y smtp:// para 587. Con NODE_EXTRA_CA_CERTS se acepta un certificado propio; ?startTls=never al final de la URL desactiva el cifrado.',
      login:
        'Corrija el usuario y la contraseña de ACEQUIA_SMTP_URL; muchos proveedores exigen una contraseña de aplicación.',
      sender: 'Dé en ACEQUIA_MAIL_FROM una dirección con la que envíe este servidor.',
      recipient: 'Pregunte al administrador del servidor de correo qué reenvía.',
    },
    failed: (server, failure, answer) => `Correo: ${server} ${failure} (${answer}).`,
  },
  refusals: {
    addressInUse: (address) => ({
      message: `Otro programa escucha ya en ${address}.`,
      hint: 'Si es un «acequia serve» suyo, termínelo; si no, dé otro número a --port.',
    }),
    command: (command, { reason, code, hint }) => ({
      message: `«${command}» ha fallado: ${reason ?? `terminó con ${code}`}`,
      hint,
    }),
    unreadableFile: (file, reason) => ({
      message: `${file} no se puede leer (${reason}).`,
      hint: 'Compruebe quién puede escribir en su carpeta; los archivos del sistema necesitan sudo.',
    }),
    unwritableFile: (file, reason) => ({
      message: `${file} no se puede escribir (${reason}).`,
      hint: 'Compruebe quién puede escribir en su carpeta; los archivos del sistema necesitan sudo.',
    }),
  },
};
