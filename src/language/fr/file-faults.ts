import { quote } from '../../domain/text.ts';
import type { Language } from '../en/index.ts';

const HEADER_EXAMPLES =
  'Un fichier de mesures a une ligne d’en-tête telle que "module,type,depth,time,value", ou "time,humidity_10,temperature_10" pour un seul module.';
const MEANINGS =
  'Un sens est time (date et heure), date, module, type, depth (profondeur), value (valeur), unit (unité), un capteur tel que humidity_10 ou "température du sol 20 cm", avec son unité si elle diffère ("humidity_10 (m3/m3)"), une profondeur telle que "30 cm", ou ignore.';

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'ce fichier n’existe pas',
  EISDIR: 'c’est un dossier',
  EACCES: 'ses droits d’accès ne le permettent pas',
};

export const frenchFileFaults: Language['fileFaults'] = {
  unreadable: (file, code) => ({
    message: `${quote(file)} ne peut pas être lu : ${WHY_UNREADABLE[code] ?? `échec de la lecture (${code})`}.`,
    hint: 'Rien n’en a été importé. Vérifiez son chemin et ses droits d’accès.',
  }),
  notText: () => ({
    message: 'Le fichier n’est pas du texte.',
    hint: 'Enregistrez-le en CSV (UTF-8) et importez ce fichier.',
  }),
  lineTooLong: (afterLine, maxLength) => ({
    message: `Une ligne après la ligne ${afterLine} dépasse ${maxLength} caractères.`,
    hint: 'acequia import --help décrit les deux formes des fichiers de mesures.',
  }),
  empty: () => ({
    message: 'Le fichier est vide.',
    hint: 'Un fichier de mesures commence par une ligne d’en-tête.',
  }),
  headerTooLong: (maxLength) => ({
    message: `L’en-tête dépasse ${maxLength} caractères.`,
    hint: HEADER_EXAMPLES,
  }),
  tooManyColumns: (count, max) => ({
    message: `L’en-tête a ${count} colonnes, et ${max} au plus sont lues.`,
    hint: 'Divisez le fichier en plusieurs qui aient moins de colonnes, ou écrivez-le sous la forme module,type,depth,time,value.',
  }),
  noExportHeader: (provider) => ({
    message: `Aucune ligne n’est l’en-tête d’un export ${provider}.`,
    hint: 'Retirez --profile : un export connu est reconnu. Pour un autre fichier, dites avec --map ce que sont ses colonnes.',
  }),
  noTimeColumn: (columns, option) => ({
    message: `Aucune colonne de l’en-tête ne donne la date et l’heure : ${columns}.`,
    hint: `${HEADER_EXAMPLES} Ou dites laquelle c’est avec ${option} "NOM=time".`,
  }),
  noSensorColumn: (columns, option, example) => ({
    message: `Aucune colonne ne désigne un capteur : ${columns}.`,
    hint: `Nommez les colonnes par le type et la profondeur en cm, par exemple humidity_10, ou dites ce qu’elles sont avec ${option} "${example}".`,
  }),
  noDepth: (inputs, option, example) => ({
    message: `Le fichier n’indique pas la profondeur de ${inputs}.`,
    hint: `Indiquez-la pour chaque capteur à lire, par exemple ${option} "${example}=30 cm".`,
  }),
  lacksColumns: (lacking, columns) => ({
    message: `Il manque à l’en-tête ${lacking} : ${columns}.`,
    hint: 'Un fichier d’une mesure par ligne a les colonnes module,type,depth,time,value ; depth est vide pour un capteur sans profondeur.',
  }),
  columnTwice: (column) => ({
    message: `L’en-tête contient deux fois la colonne ${column}.`,
    hint: 'Renommez l’une des deux.',
  }),
  sensorTwice: (column, option) => ({
    message: `La colonne ${column} désigne le capteur d’une autre colonne.`,
    hint: `Renommez l’une des deux, ou laissez-la de côté avec ${option} "NOM=ignore".`,
  }),
  noMeaning: (entry, option) => ({
    message: `${option} ${quote(entry)} ne dit pas ce qu’est une colonne.`,
    hint: `Écrivez NOM=SENS, séparés par ; s’il y en a plusieurs. ${MEANINGS}`,
  }),
  otherUnit: (column, option) => ({
    message: `${column} a une unité qui n'est pas lue.`,
    hint: `Donnez l'unité de ses valeurs dans ${option}, comme « NAME=tension_20 (kPa) » ; kPa, cbar, hPa, bar, MPa, cmH2O, %, m3/m3, °C et °F sont lus.`,
  }),
  depthAlone: (column, option) => ({
    message: `${option} donne une profondeur à ${column}, mais son nom ne dit pas ce qu’elle mesure.`,
    hint: `Écrivez les deux dans ${option} : le nom, = et, par exemple, humidity_10, ou avec l’unité "humidity_10 (%)".`,
  }),
  noSuchColumn: (column, columns, option) => ({
    message: `Le fichier n’a pas de colonne ${column} : ${columns}.`,
    hint: `Écrivez le nom dans ${option} comme dans l’en-tête.`,
  }),
  noModule: (option) => ({
    message:
      'Ce fichier, qui a une colonne par capteur, ne dit pas de quel module sont les mesures.',
    hint: `Ajoutez ${option} : la sonde ou la station d’où viennent toutes les mesures.`,
  }),
  moduleInRows: (option, mapOption, column) => ({
    message: 'Ce fichier de mesures nomme un module à chaque ligne.',
    hint: `Retirez ${option}, ou laissez la colonne de côté avec ${mapOption} "${column}=ignore".`,
  }),
  unknownModule: (name, known) => ({
    message: `Aucun module ne s’appelle ${quote(name)}.`,
    hint:
      known === ''
        ? 'Importez d’abord un fichier d’exploitation : il déclare les modules.'
        : `Il y a ${known}.`,
  }),
  severalModules: (name, modules, option, id) => ({
    message: `${quote(name)} peut désigner plusieurs modules : ${modules}.`,
    hint: `Donnez l’identifiant précédé de # dans ${option}, par exemple "#${id}".`,
  }),
  ambiguousDates: (example, option) => ({
    message: `Les dates telles que ${quote(example)} se lisent de deux façons, et aucun jour au-dessus de 12 dans les premières lignes ne dit laquelle.`,
    hint: `Dites-le avec ${option} : dmy si le jour vient en premier, mdy si c’est le mois.`,
  }),
  swappedDates: (one, other, either) => ({
    message: `Les lignes ${one.line} et ${other.line} écrivent les dates de deux façons, ${quote(one.text)} et ${quote(other.text)} : un tableur a peut-être interverti le jour et le mois quand les deux vont jusqu’à 12${either === '' ? '' : ` (${either})`}, à partir de la ligne ${one.line}.`,
    hint: 'Exportez à nouveau le fichier sans l’ouvrir dans un tableur avant l’importation, ou écrivez toutes ses dates de la même façon, par exemple 2025-01-31.',
  }),
  skippedHour: ({ line, text: time }, zone, [winter, summer], option) => ({
    message: `La ligne ${line} a l’heure ${quote(time)}, qui n’existe pas dans ${zone} (passage à l’heure d’été) : l’horloge du fichier reste peut-être la même toute l’année, et d’autres lignes seraient décalées d’une heure.`,
    hint: `Dites laquelle avec ${option} : ${winter} si elle est à l’heure d’hiver toute l’année, ${summer} si elle est à l’heure d’été.`,
  }),
  hourNotRepeated: (day, zone, [winter, summer], option) => ({
    message: `Les lignes du ${day} ne répètent pas l’heure que les horloges de ${zone} répètent : celle du fichier reste peut-être la même toute l’année, et une partie des lignes serait décalée d’une heure.`,
    hint: `Dites laquelle avec ${option} : ${winter} si elle est à l’heure d’hiver toute l’année, ${summer} si elle est à l’heure d’été, ${zone} si elle est retardée et que cette heure manque.`,
  }),
  mayBeFraction: (columns, more, option, map) => ({
    message: `Aucune valeur de ${columns}${more > 0 ? ` et de ${more} autres` : ''} ne dépasse 1 : ce sont peut-être des m3/m3 et non des %, donc rien n’a été enregistré.`,
    hint: `Dites l’unité avec ${option} ${map}, ou avec (%) au lieu de (m3/m3) si ce sont des pour cent.`,
  }),
  /** Empty columns: all of them are known. */
  dailyWeather: (columns) => ({
    message:
      columns === ''
        ? 'Ce sont des données météo par jour, pas des mesures d’un capteur.'
        : `Ce sont des données météo par jour, avec des colonnes inconnues : ${columns}.`,
    hint:
      columns === ''
        ? 'Importez-les depuis un fichier : acequia import weather.csv.'
        : 'La météo par jour a date, parcel, rain, tmin, tmax, rhmin, rhmax, dewpoint, u2 (vent à 2 m) et srad, avec l’unité entre parenthèses si elle diffère : renommez ou retirez les autres.',
  }),
  noWeatherHeader: () => ({
    message: 'Le fichier n’a pas d’en-tête de météo journalière.',
    hint: 'Nommez ses colonnes date et rain (pluie), tmin, tmax, rhmin, rhmax, u2 ou srad.',
  }),
};
