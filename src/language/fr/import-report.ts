import {
  CURVES,
  MEASUREMENT_TYPES,
  MEASUREMENTS,
  type MeasurementType,
} from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import { alternatives } from '../../domain/strings.ts';
import { exact } from '../../domain/text/figures.ts';
import { code } from '../../domain/text/program-names.ts';
import { commaSeparated, counted, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { outOfRangeCode } from '../../schema/ingest/rejection.ts';
import type { Language } from '../en/index.ts';
import { frenchFormat } from './grammar.ts';
import { frenchMeasurements, frenchMeasurementTexts } from './measurements.ts';

const TEXTS = frenchMeasurementTexts();

/** "tension hors de la plage de -1500 à 1500 kPa" */
function describeRange(type: MeasurementType): Text {
  const { min, max } = MEASUREMENTS[type];
  return say`${TEXTS[type].outOfRange} de ${min} à ${exact(max, CURVES[type].symbol)}`;
}

export const frenchRejections: Language['rejections'] = {
  row_too_long: say`ligne trop longue`,
  cell_too_long: say`une cellule est trop longue`,
  unclosed_quote: say`guillemet non fermé`,
  too_few_cells: say`moins de cellules que l’en-tête`,
  too_many_cells: say`plus de cellules que l’en-tête (une virgule décimale ?)`,
  unknown_module: say`module inconnu`,
  several_modules: say`plusieurs modules portent ce nom`,
  no_such_sensor: say`le module n’a pas ce capteur`,
  unknown_type: say`le type n’est ${commaSeparated(MEASUREMENT_TYPES.map((type) => say`ni ${code(type)}`))}`,
  invalid_depth: say`la profondeur n’est pas un nombre de cm`,
  unknown_unit: say`l’unité ne convient pas à ce type de mesure`,
  no_time: say`date et heure absentes`,
  unreadable_time: say`date ou heure illisible (ISO 8601, par exemple 2026-07-01T06:00)`,
  serial_date: say`date en numéro de série d’un tableur : mettez la colonne au format date et heure, puis enregistrez à nouveau`,
  time_before_1970: say`date antérieure à 1970`,
  before_kept: say`plus ancienne que les mesures conservées une à une : il ne reste que les sommes de son heure (acequia retain)`,
  time_ahead: say`date de plus d’un jour dans le futur`,
  skipped_hour: say`heure locale inexistante (passage à l’heure d’été) : indiquez le décalage ou un autre fuseau horaire`,
  after_stop: say`après la ligne à laquelle l’importation s’est arrêtée`,
  no_value: say`valeur absente`,
  two_readings: say`le signe de la valeur peut séparer des décimales ou des milliers : écrivez de même toutes les valeurs du fichier, sans milliers`,
  infinite_value: say`valeur infinie ou indéfinie`,
  not_a_number: say`la valeur n’est pas un nombre`,
  ...recordOf(MEASUREMENT_TYPES.map((type) => [outOfRangeCode(type), describeRange(type)])),
};

const NOUNS = MEASUREMENT_TYPES.map((type) => frenchMeasurements[type].noun);

export const frenchSkippedColumns: Language['skippedColumns'] = {
  unknown_column: 'ne désigne aucun capteur',
  other_measurement: `autre chose que ${alternatives(NOUNS, 'ou')} du sol`,
  unknown_unit: "son unité n'est pas de celles qui sont lues",
  no_depth: 'le fichier n’indique pas la profondeur',
  other_time_column: 'une autre colonne donne l’heure',
  no_such_sensor: 'le module n’a pas ce capteur',
};

const { groupedCount } = frenchFormat;

export const frenchImportReport: Language['importReport'] = {
  read: ({ file, rows, readings, sensors, span, isDryRun }) =>
    `${file} : ${groupedCount(rows, 'ligne lue', 'lignes lues')}, ${isDryRun ? groupedCount(readings, 'mesure à enregistrer', 'mesures à enregistrer') : groupedCount(readings, 'mesure enregistrée', 'mesures enregistrées')} de ${groupedCount(sensors, 'capteur')}${span === null ? '' : `, ${span}`}.`,
  span: (from, to, zone) => `du ${from} au ${to} (${zone})`,
  dryRun: 'rien n’est encore enregistré ; les premières lignes telles qu’elles le seraient :',
  firstReading: ({ line, module, sensor, time, value }) =>
    `ligne ${line} : ${module}, ${sensor}, ${time} : ${value}`,
  repeated: (readings) =>
    `${groupedCount(readings, 'mesure répétée', 'mesures répétées')} : pour un même capteur et un même instant, la dernière valeur du fichier est enregistrée`,
  profile: (provider) => `lu comme un export ${provider}`,
  missing: (readings) =>
    groupedCount(readings, 'mesure en échec, ignorée', 'mesures en échec, ignorées'),
  columns: (columns) => `colonnes lues : ${columns}`,
  column: (name, meaning, convertedFrom) =>
    `${name} comme ${meaning}${convertedFrom === null ? '' : `, converti de ${convertedFrom}`}`,
  meanings: {
    date: 'date',
    time: 'date et heure',
    time_of_day: 'heure',
    time_at_noon: 'date, à 12:00',
    depth: 'profondeur',
    value: 'valeur',
    unit: 'unité',
  },
  dates: { dmy: 'dates lues jour/mois/année', mdy: 'dates lues mois/jour/année' },
  skipped: (count, why, names) =>
    `${groupedCount(count, 'colonne non lue', 'colonnes non lues')} (${why}) : ${names}`,
  nearest: (name, nearest) => `${name} (la plus proche : ${nearest})`,
  rejected: (rows) =>
    `${groupedCount(rows, 'ligne refusée', 'lignes refusées')}, en tout ou en partie :`,
  saveRejects: 'pour les enregistrer : --rejects FICHIER',
  rejectsSaved: (file) => `enregistrées dans ${file}`,
  stopped:
    'arrêt avant la fin : les mesures ci-dessus restent enregistrées ; importez à nouveau le fichier pour avoir le reste',
  clockStop: ({ line, time }, zone) =>
    `arrêt à la ligne ${line} : ${time} n’existe pas dans ${zone} (passage à l’heure d’été), donc l’horloge du fichier reste peut-être la même toute l’année. Les lignes d’avant sont justes dans les deux cas.`,
  goOnWithOffset: (offset, command) => `pour continuer, si elle reste à ${offset} : ${command}`,
  goOnAfterLine: (command) => `si seule cette ligne est fausse : ${command}`,
  failedHalfway:
    'Les mesures déjà enregistrées restent ; importez à nouveau le fichier pour avoir le reste.',
  either: (reason, one, other) => `${one} ou ${other} ? ${reason}`,
  inColumn: (column, reason) => `${column} : ${reason}`,
  reasons: (texts) => texts.join(' ; '),
  firstReject: (line, reasons, text) => `ligne ${line} : ${reasons} : ${text}`,
};

export const frenchWeatherFile: Language['weatherFile'] = {
  read: (file, days, rejected) =>
    `${file} : ${groupedCount(days, 'jour lu', 'jours lus')}, ${groupedCount(rejected, 'ligne refusée', 'lignes refusées')}${rejected === 0 ? '' : ', au moins en partie'}.`,
  rain: 'jours de pluie',
  weather: 'jours de météo',
  outcomes: { added: 'ajoutés', changed: 'modifiés', unchanged: 'inchangés' },
  replaced: (days) =>
    `${groupedCount(days, 'jour avait', 'jours avaient')} déjà une autre pluie : le total du fichier la remplace`,
  preferred: (days) =>
    `${groupedCount(days, 'jour')} dont la pluie a été saisie plus tard par une personne : cette saisie est gardée`,
  line: (line, reason) => `ligne ${line} : ${reason}`,
  more: (lines) => `et ${lines} autres`,
  impossible: (column, cell) => `${column} « ${cell} » n’est pas une valeur possible`,
  tooManyCells:
    'plus de cellules que l’en-tête : mettez les virgules décimales entre guillemets, ou séparez les colonnes par des points-virgules',
  timeOfDay: 'elle a une heure : donnez un seul total par jour',
  unreadableDay: 'date illisible : écrivez 2026-07-01, ou dites l’ordre avec --dates',
  futureDay: 'son jour est à venir',
  dayTwice: (line) => `son jour est déjà à la ligne ${line} : donnez une seule ligne par jour`,
  noParcel: (name) => `aucune parcelle, ou plusieurs, ne s’appelle « ${name} »`,
  weatherOfParcel:
    'la météo est celle de toute l’exploitation : laissez la parcelle vide, ou importez seulement sa pluie',
  faults: {
    temperature: say`la température minimale est au-dessus de la maximale`,
    humidity: say`l’humidité minimale est au-dessus de la maximale`,
    dewPoint: say`le point de rosée est au-dessus de la température maximale`,
  },
};

/** Nouns, which need not agree with what was imported. */
const OUTCOMES = {
  created: ['création', 'créations'],
  added: ['ajout', 'ajouts'],
  changed: ['modification', 'modifications'],
  removed: ['suppression', 'suppressions'],
  unchanged: ['sans changement', 'sans changement'],
} as const;

export const frenchFarmReport: Language['farmReport'] = {
  company: (file, company, outcome) =>
    `${file} : exploitation ${company}, ${OUTCOMES[outcome][0]}.`,
  kinds: {
    users: (count) => groupedCount(count, 'utilisateur', 'utilisateurs'),
    waterSources: (count) => groupedCount(count, 'source d’eau', 'sources d’eau'),
    parcels: (count) => groupedCount(count, 'parcelle', 'parcelles'),
    gateways: (count) => groupedCount(count, 'passerelle', 'passerelles'),
    modules: (count) => groupedCount(count, 'module', 'modules'),
    sensors: (count) => groupedCount(count, 'capteur', 'capteurs'),
    soilLayers: (count) => groupedCount(count, 'couche de sol', 'couches de sol'),
    installations: (count) => groupedCount(count, 'équipement', 'équipements'),
  },
  counts: (what, counts) => `${what} : ${counts.join(', ')}`,
  count: (count, outcome) => groupedCount(count, OUTCOMES[outcome][0], OUTCOMES[outcome][1]),
  module: (module, outcome) => `module ${module}, ${OUTCOMES[outcome][0]}`,
  moreModules: (count) => `et ${groupedCount(count, 'autre module', 'autres modules')}`,
  completedDoses: (count) =>
    groupedCount(count, 'arrosage a reçu sa dose', 'arrosages ont reçu leur dose'),
  plans: 'arrosages prévus par les programmes',
};

export const frenchZoneChange: Language['zoneChange'] = {
  schedules: (count, schedules) =>
    say`${counted(count, 'programme garde son propre fuseau horaire et prévoit ses arrosages', 'programmes gardent leur propre fuseau horaire et prévoient leurs arrosages')} aux mêmes instants qu’avant. Dans le nouveau fuseau de l’exploitation : ${schedules}.`,
  schedule: (name, starts, zone) => say`${name} à ${starts} (il garde ${zone})`,
  reminders: (count, alerts) =>
    say`Les rappels quotidiens de ${counted(count, 'alerte')} suivent le nouveau fuseau horaire : ${alerts}.`,
  others: (count) => say`et ${count} de plus`,
  separator: say` ; `,
};
