import type { Language } from '../../en/index.ts';
import { frenchCount } from '../grammar.ts';

export const frenchInterview: Language['interview'] = {
  begin:
    'Acequia pose des questions sur votre exploitation. Entrée accepte la valeur entre crochets, « < » revient à la question précédente, et Ctrl-C arrête sans rien écrire.',
  yesOrNo: (isDefaultYes) => (isDefaultYes ? '[O/n]' : '[o/N]'),
  none: ['aucun', 'aucune', 'n', 'non'],
  firstQuestion: 'C’est la première question.',
  continueDraft: (farm, answers) =>
    `Il y a un brouillon de « ${farm} » avec ${frenchCount(answers, 'réponse')}. Continuer ?`,
  draftKept: (command) => `Vos réponses sont conservées : ${command} les reprend.`,
  ended: (question) => `Les réponses se sont arrêtées à « ${question} ».`,
  nothingWritten: 'Rien n’a été écrit.',
  notAnAnswer: (answer, question) => `« ${answer} » ne répond pas à « ${question} ».`,
  expected: {
    answer: () => 'Donnez une réponse : elle est nécessaire.',
    shortName: () => 'Donnez un nom de 200 caractères au plus.',
    otherParcel: (name) => `Donnez-en un autre : il y a déjà une parcelle « ${name} ».`,
    otherProbe: (name) => `Donnez-en un autre : il y a déjà une sonde « ${name} ».`,
    country: () => 'Donnez un pays, par exemple France ou FR.',
    zone: (example) => `Donnez un fuseau horaire, par exemple ${example}.`,
    zoneOfPlace: (places) => `Donnez le fuseau d’un lieu : ${places}.`,
    email: () => 'Donnez une adresse de courriel.',
    text: (length) => `Donnez ${length} caractères au plus.`,
    oneOf: (names) => `Donnez un de ces mots : ${names}.`,
    depths: () => 'Donnez des profondeurs en cm, par exemple 10, 30.',
    measurement: () => 'Donnez humidité ou tension.',
    texture: () => 'Donnez une texture, par exemple limon ou sable limoneux.',
    date: () => 'Donnez une date, par exemple 15/3/2025, mars 2025 ou 2024.',
    pastDate: () => 'Donnez une date qui n’est pas dans le futur.',
    quantity: (example) => `Donnez une quantité, par exemple ${example}.`,
    emitters: (example) =>
      `Donnez les goutteurs par m2, par exemple 2, ou les deux écartements, par exemple ${example}.`,
  },
  holdsFarm: (store, farm) => ({
    message: `${store} contient déjà l’exploitation « ${farm} ».`,
    hint: 'Dites à l’assistant ce qui doit changer, ou importez un fichier d’exploitation. Pour une autre exploitation, nommez un autre dépôt avec --db.',
  }),
  storeFails: (store, command) =>
    `Le dépôt ${store} ne peut pas servir : « ${command} » dit pourquoi.`,
  refused: (code) => `C’est refusé (${code}). Avec --lang en, la raison s’affiche en anglais.`,
  figures: {
    emitterFlowLph: 'le débit d’un goutteur',
    emittersPerM2: 'le nombre de goutteurs par m2',
    emitterSpacingM: 'l’écartement des goutteurs',
    lineSpacingM: 'l’écartement des lignes',
    flowMmPerH: 'la pluviométrie',
    irrigatedAreaM2: 'la surface irriguée',
  },
  implausible: ({ figure, value, rate, meant }) =>
    `Aucun équipement n’est ainsi : ${figure} est de ${value}${rate === null ? '' : `, ce qui donne ${rate}`}. ${meant === null ? 'Donnez un autre chiffre.' : `S’il s’agit de ${meant}, donnez-le avec cette unité.`}`,
  farmName: 'Nom de l’exploitation : ',
  country: 'Pays',
  countryOrNone: 'Pays (Entrée pour passer) : ',
  timeZone: 'Fuseau horaire',
  email: 'Votre adresse de courriel, pour les alertes (Entrée pour passer) : ',
  userName: 'Votre nom : ',
  firstParcel: 'Nom d’une parcelle (Entrée s’il n’y en a pas) : ',
  nextParcel: 'Nom de la parcelle suivante (Entrée si c’était la dernière) : ',
  crop: '  Culture, par exemple olivier (Entrée pour passer) : ',
  system:
    '  Irrigation : goutte-à-goutte, micro-aspersion, aspersion, pivot, gravitaire, manuel ou autre (Entrée s’il n’y en a pas) : ',
  emitterFlow: (example) => `  Débit d’un goutteur, par exemple ${example} (Entrée si inconnu) : `,
  emitters: (example) =>
    `  Goutteurs par m2, ou leur écartement, par exemple ${example} (Entrée si inconnu) : `,
  rate: (example) => `  Pluviométrie, par exemple ${example} (Entrée si inconnue) : `,
  area: (example) => `  Surface irriguée, par exemple ${example} (Entrée si inconnue) : `,
  soil: '  Sol, par exemple limon ou sable limoneux (Entrée si inconnu) : ',
  roots: (example) => `  Profondeur des racines, par exemple ${example} (Entrée si inconnue) : `,
  firstProbe: (isOnParcel) =>
    `Nom d’une sonde${isOnParcel ? ' de la parcelle' : ''} (Entrée s’il n’y en a pas) : `,
  nextProbe: (isOnParcel) =>
    `Nom de la sonde suivante${isOnParcel ? ' de la parcelle' : ''} (Entrée si c’était la dernière) : `,
  measures: '  Elle mesure humidité ou tension',
  moisture: 'humidité',
  depths: '  Profondeurs de ses capteurs',
  number: '  Numéro que porte la sonde ou qu’elle envoie',
  since: '  En terre depuis, par exemple 15/3/2025 (Entrée si inconnu) : ',
  rateUnknown: 'pluviométrie inconnue',
  rootsTo: (depth) => `racines ${depth}`,
  on: (area) => `sur ${area}`,
  at: (depths) => `à ${depths}`,
  numbered: (number) => `numéro « ${number} »`,
  installedOn: (date) => `depuis ${date}`,
  write: (store) => `Écrire cette exploitation dans ${store} ?`,
  farmWritten: (farm, store, parcels, probes) =>
    `« ${farm} » est dans ${store} : ${frenchCount(parcels, 'parcelle')}, ${frenchCount(probes, 'sonde')}.`,
  notStored: (command) =>
    `L’exploitation n’a pas pu être écrite. Vos réponses, à importer plus tard avec ${command} :`,
  saveAsFile:
    'L’enregistrer aussi comme fichier d’exploitation, à modifier et à importer de nouveau ? Nom du fichier (Entrée sinon) : ',
  fileWritten: (file) => `${file} : écrit.`,
  fileExists: (file) => `${file} existe déjà.`,
  fileOfStore: (file) => `« ${file} » est un fichier d’un dépôt.`,
  fileFails: (file, code) => `${file} ne peut pas être écrit (${code}).`,
  noAssistant: (command) => `Aucun assistant n’a été trouvé. Dès qu’il y en a un : ${command}`,
  connect: (assistants) => `Connecter un assistant (${assistants}, ou aucun)`,
  connectLater: (command) => `Pour connecter un assistant plus tard : ${command}`,
  keepOn: (kind, sendsMail) =>
    `${sendsMail ? 'Les alertes sont vérifiées et les courriels envoyés' : 'Les alertes sont vérifiées'} seulement quand Acequia tourne. La garder en arrière-plan (${kind}) ?`,
  onWhileOpen: (serve, install, sendsMail) =>
    `${sendsMail ? 'Les alertes sont vérifiées et les courriels envoyés' : 'Les alertes sont vérifiées'} tant qu’un assistant ou « ${serve} » est ouvert. « ${install} » garde Acequia en marche.`,
  bringReadings: 'Pour apporter des mesures :',
  mail: 'Pour les courriels des alertes :',
  say: 'Dites à l’assistant :',
  wateredProbe: (probe) => `J’ai arrosé ${probe} 45 minutes, ce matin à six heures.`,
  twoProbes: 'J’ai deux sondes dans les oliviers.',
};
