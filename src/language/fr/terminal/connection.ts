import type { Language } from '../../en/index.ts';

export const frenchConnection: Language['connection'] = {
  newFile: 'nouveau',
  unchanged: (client, path, name) =>
    `${client} a déjà cette entrée${name === undefined ? '' : ` « ${name} »`} pour Acequia : ${path}`,
  noEntry: (client, path, name) =>
    `${client} n’a pas d’entrée${name === undefined ? '' : ` « ${name} »`} pour Acequia : ${path}`,
  twin: (name) =>
    `L’entrée « ${name} » lance aussi Acequia : avec les deux, chaque outil apparaît deux fois.`,
  otherFarms: (names) =>
    `Entrées d’autres exploitations : ${names}. L’assistant distingue leurs outils par ces noms.`,
  losesProgram: (name) => `L’entrée « ${name} » lance un autre programme.`,
  losesFarm: (name) =>
    `L’entrée « ${name} » mène à un autre dépôt, un autre service ou une autre clé ; --name garde les deux.`,
  write: 'L’écrire ?',
  replace: 'La remplacer ?',
  remove: 'L’enlever ?',
  declined: 'Rien n’a été modifié. Avec --yes, elle est écrite sans question.',
  keyAccepted: (company) => `La clé est acceptée pour la société « ${company} ».`,
  starts: (client) =>
    `${client} lance désormais Acequia ; redémarrez-le pour que cela prenne effet.`,
  startsNoLonger: (client) =>
    `${client} ne lance plus Acequia ; redémarrez-le pour que cela prenne effet.`,
  backup: (path) => `Copie du fichier précédent : ${path}`,
  mustBeSet: (names, client) =>
    `${names.join(' et ')} : à définir là où ${client} est lancé ; le fichier ne fait qu’y renvoyer.`,
  holds: (names) => `Le fichier contient maintenant ${names.join(' et ')} : gardez-le privé.`,
  refusals: {
    key: (command) => ({
      message: 'Le dépôt n’accepte pas la clé, et chaque outil refuserait donc.',
      hint: `Rien n’a été écrit. Créez une clé avec « ${command} », et donnez-la à cette commande dans ACEQUIA_API_KEY.`,
    }),
    folderOfNpx: (program) => ({
      message: `${program} est dans le dossier de npx, qui peut le supprimer à tout moment.`,
      hint: 'Mettez Acequia dans un dossier qui reste, et lancez la même commande de cette copie.',
    }),
    notUtf8: (path) => ({
      message: `${path} n’est pas écrit en UTF-8.`,
      hint: 'Rien n’a été écrit. Convertissez d’abord le fichier en UTF-8.',
    }),
    deadLink: (path) => ({
      message: `${path} est un lien vers un fichier qui n’existe pas.`,
      hint: 'Rien n’a été écrit. Créez d’abord ce fichier, ou enlevez le lien.',
    }),
    changedMeanwhile: (path) => ({
      message: `${path} a été modifié entre-temps par un autre programme.`,
      hint: 'Rien n’a été écrit. Relancez la commande.',
    }),
    notAFile: (path) => ({
      message: `${path} est un tube ou un périphérique, pas un fichier.`,
      hint: 'Rien n’a été modifié. Mettez un fichier à sa place.',
    }),
    noAccess: (path, code) => ({
      message: `Cet utilisateur ne peut pas lire et écrire ${path} (${code}).`,
      hint: 'Rien n’a été modifié. Vérifiez les droits du fichier et de son dossier.',
    }),
    notAnObject: (path, client, where) => ({
      message: `${path} contient autre chose qu’un objet ${where === '' ? 'à sa racine' : `à ${where}`}.`,
      hint: `Rien n’a été écrit. ${client} y attend ses serveurs ; corrigez d’abord le fichier.`,
    }),
    unreadable: (path, client, { line, column }) => ({
      message: `${client} ne peut pas lire ${path} (ligne ${line}, colonne ${column}).`,
      hint: 'Rien n’a été écrit. Corrigez d’abord le fichier à cet endroit ; d’ici là, le client ne lance aucun serveur.',
    }),
    fixedForm: (path, entry) => ({
      message: `${path} écrit ${entry} sous une forme qui ne se modifie pas sans toucher au reste du fichier.`,
      hint: 'Rien n’a été écrit. Modifiez-le à la main ; « acequia connect --print » montre l’entrée.',
    }),
  },
};
