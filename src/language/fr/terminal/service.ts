import type { Language } from '../../en/index.ts';

export const frenchService: Language['service'] = {
  kinds: {
    systemdUser: 'une unité systemd de l’utilisateur',
    systemdSystem: 'une unité systemd',
    launchd: 'un agent launchd',
    windows: 'une tâche de Windows',
  },
  descriptions: {
    acequia: 'Acequia : tâches de fond, courriel, page et webhooks',
    'acequia-mqtt': 'Acequia : mesures d’un broker MQTT',
  },
  settingsHeader: [
    'Les réglages d’Acequia, tenue en marche par : acequia service install',
    'Après une modification : acequia service restart',
  ],
  keptOnBy: (kind) => `Acequia est tenue en marche par ${kind}.`,
  fileStates: { new: 'nouveau', changed: 'modifié', deleted: 'supprimé' },
  ownerAlone: 'pour son propriétaire seul',
  commandsAfter: (commands) => `Ensuite : ${commands}`,
  nothingToChange: (kind, settings) =>
    `Rien à modifier : Acequia est en marche, par ${kind}, avec ${settings}.`,
  writeAndTurnOn: 'Écrire cela et la mettre en marche ?',
  turnOn: 'Elle est arrêtée. La mettre en marche ?',
  declined: 'Rien n’a été modifié. Avec --yes, elle est installée sans question.',
  silent: 'Elle est lancée, mais ne répond pas encore : voir « acequia service logs ».',
  isOn: (address) =>
    `Acequia est en marche${address === null ? '' : `, et répond sur ${address}`}.`,
  settings: (file) => `Ses réglages : ${file}`,
  linger: 'La garder en marche aussi quand vous êtes déconnecté (loginctl enable-linger) ?',
  administrator: 'Un administrateur peut la lancer pour vous.',
  whenOn: {
    always: 'Elle démarre avec l’ordinateur, que quelqu’un soit connecté ou non.',
    lingering: 'Elle est en marche dès le démarrage, aussi quand vous êtes déconnecté.',
    loggedIn: 'Elle est en marche tant que vous êtes connecté.',
    loggedInUnlessLingering:
      'Elle est en marche tant que vous êtes connecté. « loginctl enable-linger » la garde toujours en marche.',
  },
  managerHints: {
    systemdUser:
      'systemd répond dans une session de cet utilisateur : connectez-vous avec son compte, sans su ni sudo. Sur un serveur, « sudo acequia service install --system --db FICHIER » se passe de session.',
    systemdSystem:
      'Il faut systemd pour garder Acequia en marche. Ailleurs, lancez « acequia serve » avec ce qui lance vos services.',
    launchd: 'launchd répond dans une session de cet utilisateur : ouvrez-la sur l’écran du Mac.',
    windows: '',
  },
  filesAreWritten:
    'Les fichiers sont écrits. Corrigez cela, puis relancez « acequia service install ».',
  mail: {
    accepted: (server, details) => `Courriel : ${server} accepte la connexion (${details}).`,
    details: (isEncrypted, user, from) =>
      [
        isEncrypted ? 'chiffrée' : 'non chiffrée',
        user === null ? 'sans identifiant' : `en tant que « ${user} »`,
        `expéditeur ${from}`,
      ].join(', '),
    failures: {
      connection: 'est injoignable ou ne répond pas',
      encryption: 'n’offre pas de chiffrement fiable',
      login: 'refuse l’identifiant',
      sender: 'n’accepte pas notre adresse d’expéditeur',
      recipient: 'interrompt l’échange',
    },
    advice: {
      connection:
        'Vérifiez l’hôte et le port dans ACEQUIA_SMTP_URL, et que cet ordinateur peut s’y connecter : 587 avec smtp://, 465 avec smtps://.',
      encryption:
        'Prenez smtps:// pour le port 465 et smtp:// pour 587. NODE_EXTRA_CA_CERTS fait accepter votre propre certificat ; ?startTls=never à la fin de l’URL désactive le chiffrement.',
      login:
        'Corrigez l’utilisateur et le mot de passe dans ACEQUIA_SMTP_URL ; beaucoup de fournisseurs exigent un mot de passe d’application.',
      sender: 'Donnez dans ACEQUIA_MAIL_FROM une adresse pour laquelle ce serveur envoie.',
      recipient: 'Demandez à l’administrateur du serveur de courriel ce qu’il transmet.',
    },
    failed: (server, failure, answer) => `Courriel : ${server} ${failure} (${answer}).`,
  },
  refusals: {
    addressInUse: (address) => ({
      message: `Un autre programme écoute déjà sur ${address}.`,
      hint: 'Si c’est un « acequia serve » à vous, arrêtez-le ; sinon donnez un autre numéro à --port.',
    }),
    command: (command, { reason, code, hint }) => ({
      message: `« ${command} » a échoué : ${reason ?? `code de sortie ${code}`}`,
      hint,
    }),
    unreadableFile: (file, reason) => ({
      message: `${file} ne peut pas être lu (${reason}).`,
      hint: 'Vérifiez qui peut écrire dans son dossier ; les fichiers du système exigent sudo.',
    }),
    unwritableFile: (file, reason) => ({
      message: `${file} ne peut pas être écrit (${reason}).`,
      hint: 'Vérifiez qui peut écrire dans son dossier ; les fichiers du système exigent sudo.',
    }),
  },
};
