import { argument } from '../../domain/text/program-names.ts';
import { isEmpty, quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay } from '../../domain/text/times.ts';
import type { Language } from '../en/index.ts';

const HEADER_EXAMPLES = say`Un fichier de mesures a une ligne d’en-tête telle que "module,type,depth,time,value", ou "time,humidity_10,temperature_10" pour un seul module.`;
const MEANINGS = say`Un sens est time (date et heure), date, module, type, depth (profondeur), value (valeur), unit (unité), un capteur tel que humidity_10 ou "température du sol 20 cm", avec son unité si elle diffère ("humidity_10 (m3/m3)"), une profondeur telle que "30 cm", ou ignore.`;

const WHY_UNREADABLE: Readonly<Record<string, Text>> = {
  ENOENT: say`ce fichier n’existe pas`,
  EISDIR: say`c’est un dossier`,
  EACCES: say`ses droits d’accès ne le permettent pas`,
  NOT_A_FILE: say`c’est un tube ou un périphérique ; passez-le par l’entrée standard, avec - pour fichier`,
};

export const frenchFileFaults: Language['fileFaults'] = {
  unreadable: (file, code) => ({
    message: say`${quotedName(file)} ne peut pas être lu : ${WHY_UNREADABLE[code] ?? say`échec de la lecture (${verbatim(code)})`}.`,
    hint: say`Rien n’en a été importé. Vérifiez son chemin et ses droits d’accès.`,
  }),
  notText: () => ({
    message: say`Le fichier n’est pas du texte.`,
    hint: say`Enregistrez-le en CSV (UTF-8) et importez ce fichier.`,
  }),
  lineTooLong: (afterLine, maxLength) => ({
    message: say`Une ligne après la ligne ${afterLine} dépasse ${maxLength} caractères.`,
    hint: say`acequia import --help décrit les deux formes des fichiers de mesures.`,
  }),
  empty: () => ({
    message: say`Le fichier est vide.`,
    hint: say`Un fichier de mesures commence par une ligne d’en-tête.`,
  }),
  headerTooLong: (maxLength) => ({
    message: say`L’en-tête dépasse ${maxLength} caractères.`,
    hint: HEADER_EXAMPLES,
  }),
  tooManyColumns: (count, max) => ({
    message: say`L’en-tête a ${count} colonnes, et ${max} au plus sont lues.`,
    hint: say`Divisez le fichier en plusieurs qui aient moins de colonnes, ou écrivez-le sous la forme module,type,depth,time,value.`,
  }),
  noExportHeader: (provider) => ({
    message: say`Aucune ligne n’est l’en-tête d’un export ${verbatim(provider)}.`,
    hint: say`Retirez --profile : un export connu est reconnu. Pour un autre fichier, dites avec --map ce que sont ses colonnes.`,
  }),
  noTimeColumn: (columns, option) => ({
    message: say`Aucune colonne de l’en-tête ne donne la date et l’heure : ${verbatim(columns)}.`,
    hint: say`${HEADER_EXAMPLES} Ou dites laquelle c’est avec ${argument(option)} "NOM=time".`,
  }),
  noSensorColumn: (columns, option, example) => ({
    message: say`Aucune colonne ne désigne un capteur : ${verbatim(columns)}.`,
    hint: say`Nommez les colonnes par le type et la profondeur en cm, par exemple humidity_10, ou dites ce qu’elles sont avec ${argument(option)} "${verbatim(example)}".`,
  }),
  noDepth: (inputs, option, example) => ({
    message: say`Le fichier n’indique pas la profondeur de ${verbatim(inputs)}.`,
    hint: say`Indiquez-la pour chaque capteur à lire, par exemple ${argument(option)} "${verbatim(example)}=30 cm".`,
  }),
  lacksColumns: (lacking, columns) => ({
    message: say`Il manque à l’en-tête ${verbatim(lacking)} : ${verbatim(columns)}.`,
    hint: say`Un fichier d’une mesure par ligne a les colonnes module,type,depth,time,value ; depth est vide pour un capteur sans profondeur.`,
  }),
  columnTwice: (column) => ({
    message: say`L’en-tête contient deux fois la colonne ${verbatim(column)}.`,
    hint: say`Renommez l’une des deux.`,
  }),
  sensorTwice: (column, option) => ({
    message: say`La colonne ${verbatim(column)} désigne le capteur d’une autre colonne.`,
    hint: say`Renommez l’une des deux, ou laissez-la de côté avec ${argument(option)} "NOM=ignore".`,
  }),
  noMeaning: (entry, option) => ({
    message: say`${argument(option)} ${quotedName(entry)} ne dit pas ce qu’est une colonne.`,
    hint: say`Écrivez NOM=SENS, séparés par ; s’il y en a plusieurs. ${MEANINGS}`,
  }),
  otherUnit: (column, option) => ({
    message: say`${verbatim(column)} a une unité qui n'est pas lue.`,
    hint: say`Donnez l'unité de ses valeurs dans ${argument(option)}, comme « NAME=tension_20 (kPa) » ; kPa, cbar, hPa, bar, MPa, cmH2O, %, m3/m3, °C et °F sont lus.`,
  }),
  depthAlone: (column, option) => ({
    message: say`${argument(option)} donne une profondeur à ${verbatim(column)}, mais son nom ne dit pas ce qu’elle mesure.`,
    hint: say`Écrivez les deux dans ${argument(option)} : le nom, = et, par exemple, humidity_10, ou avec l’unité "humidity_10 (%)".`,
  }),
  noSuchColumn: (column, columns, option) => ({
    message: say`Le fichier n’a pas de colonne ${verbatim(column)} : ${verbatim(columns)}.`,
    hint: say`Écrivez le nom dans ${argument(option)} comme dans l’en-tête.`,
  }),
  noModule: (option) => ({
    message: say`Ce fichier, qui a une colonne par capteur, ne dit pas de quel module sont les mesures.`,
    hint: say`Ajoutez ${argument(option)} : la sonde ou la station d’où viennent toutes les mesures.`,
  }),
  moduleInRows: (option, mapOption, column) => ({
    message: say`Ce fichier de mesures nomme un module à chaque ligne.`,
    hint: say`Retirez ${argument(option)}, ou laissez la colonne de côté avec ${argument(mapOption)} "${verbatim(column)}=ignore".`,
  }),
  unknownModule: (name, known) => ({
    message: say`Aucun module ne s’appelle ${quotedName(name)}.`,
    hint: isEmpty(known)
      ? say`Importez d’abord un fichier d’exploitation : il déclare les modules.`
      : say`Il y a ${known}.`,
  }),
  severalModules: (name, modules, option, id) => ({
    message: say`${quotedName(name)} peut désigner plusieurs modules : ${modules}.`,
    hint: say`Donnez l’identifiant précédé de # dans ${argument(option)}, par exemple "#${id}".`,
  }),
  ambiguousDates: (example, option) => ({
    message: say`Les dates telles que ${quotedName(example)} se lisent de deux façons, et aucun jour au-dessus de 12 dans les premières lignes ne dit laquelle.`,
    hint: say`Dites-le avec ${argument(option)} : dmy si le jour vient en premier, mdy si c’est le mois.`,
  }),
  swappedDates: (one, other, either) => ({
    message: say`Les lignes ${one.line} et ${other.line} écrivent les dates de deux façons, ${quotedName(one.text)} et ${quotedName(other.text)} : un tableur a peut-être interverti le jour et le mois quand les deux vont jusqu’à 12${either && say` (${either})`}, à partir de la ligne ${one.line}.`,
    hint: say`Exportez à nouveau le fichier sans l’ouvrir dans un tableur avant l’importation, ou écrivez toutes ses dates de la même façon, par exemple 2025-01-31.`,
  }),
  skippedHour: ({ line, text: time }, zone, [winter, summer], option) => ({
    message: say`La ligne ${line} a l’heure ${quotedName(time)}, qui n’existe pas dans ${verbatim(zone)} (passage à l’heure d’été) : l’horloge du fichier reste peut-être la même toute l’année, et d’autres lignes seraient décalées d’une heure.`,
    hint: say`Dites laquelle avec ${argument(option)} : ${verbatim(winter)} si elle est à l’heure d’hiver toute l’année, ${verbatim(summer)} si elle est à l’heure d’été.`,
  }),
  hourNotRepeated: (day, zone, [winter, summer], option) => ({
    message: say`Les lignes du ${localDay(day)} ne répètent pas l’heure que les horloges de ${verbatim(zone)} répètent : celle du fichier reste peut-être la même toute l’année, et une partie des lignes serait décalée d’une heure.`,
    hint: say`Dites laquelle avec ${argument(option)} : ${verbatim(winter)} si elle est à l’heure d’hiver toute l’année, ${verbatim(summer)} si elle est à l’heure d’été, ${verbatim(zone)} si elle est retardée et que cette heure manque.`,
  }),
  mayBeFraction: (columns, more, option, map) => ({
    message: say`Aucune valeur de ${verbatim(columns)}${more > 0 ? say` et de ${more} autres` : null} ne dépasse 1 : ce sont peut-être des m3/m3 et non des %, donc rien n’a été enregistré.`,
    hint: say`Dites l’unité avec ${argument(option)} ${verbatim(map)}, ou avec (%) au lieu de (m3/m3) si ce sont des pour cent.`,
  }),
  /** Empty columns: all of them are known. */
  dailyWeather: (columns) => ({
    message:
      columns === ''
        ? say`Ce sont des données météo par jour, pas des mesures d’un capteur.`
        : say`Ce sont des données météo par jour, avec des colonnes inconnues : ${verbatim(columns)}.`,
    hint:
      columns === ''
        ? say`Importez-les depuis un fichier : acequia import weather.csv.`
        : say`La météo par jour a date, parcel, rain, tmin, tmax, rhmin, rhmax, dewpoint, u2 (vent à 2 m) et srad, avec l’unité entre parenthèses si elle diffère : renommez ou retirez les autres.`,
  }),
  noWeatherHeader: () => ({
    message: say`Le fichier n’a pas d’en-tête de météo journalière.`,
    hint: say`Nommez ses colonnes date et rain (pluie), tmin, tmax, rhmin, rhmax, u2 ou srad.`,
  }),
};
