import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { LossFacts } from '../en/advice.ts';
import type { Language } from '../en/index.ts';
import { frenchCount, frenchNoun, withDe, withDici } from './grammar.ts';

const formatPoints = (points: number, text: string): string =>
  `${text} ${frenchNoun(points, 'point', 'points')}`;

function describeLosses(losses: LossFacts | null): string {
  if (losses === null) return 'sans compter les pertes ni le lessivage';
  const efficiency =
    losses.efficiency === null ? 'sans pertes' : `efficience ${losses.efficiency} %`;
  const leaching = losses.leaching === null ? 'sans lessivage' : `lessivage ${losses.leaching} %`;
  return `dont ${losses.netMm} mm pour les racines : ${efficiency}, ${leaching}`;
}

function describeFurtherDays(each: string, furtherDays: number | null): string {
  if (furtherDays === 1) return `${each} demain`;
  return `puis ${each} par jour pendant ${furtherDays === null ? 'plus de deux semaines' : `${furtherDays} jours`}`;
}

export const frenchAdvicePhrases: Language['advice'] = {
  reasons: {
    NO_SOIL_MOISTURE: () =>
      'Aucune humidité du sol n’y est mesurée : prenez une sonde de sol de cette parcelle (list_modules).',
    NO_DATA: () =>
      'Aucune mesure n’a jamais été transmise : voyez avec get_module_health si la sonde émet.',
    STALE_DATA: () =>
      'Voyez avec get_module_health pourquoi la sonde se tait, et regardez le sol sur place en attendant.',
    UNCONFIRMED_WATERING: () =>
      'Un arrosage prévu ces dernières 24 heures attend d’être confirmé : demandez s’il a eu lieu avant d’arroser de nouveau.',
    RECENT_WATERING: () =>
      'Un arrosage des dernières heures n’a peut-être pas encore atteint les capteurs : redemandez quand il se sera infiltré.',
    TENSION_ONLY: () =>
      'Un tensiomètre dit s’il faut arroser, pas combien : donnez la dose habituelle, ou suivez une sonde de la parcelle, et voyez si la tension baisse.',
    NO_SOIL_PROFILE: () =>
      'La réserve en eau de son sol est inconnue : demandez la texture de sa parcelle, puis déclarez-la avec set_soil_profile (hors parcelle : tracez la capacité au champ avec create_annotation).',
    FIELD_CAPACITY_ESTIMATED: () =>
      'La capacité au champ est celle d’une classe de texture, elle n’a pas été mesurée ici : même dans la bonne classe, le déficit peut être faux de 15 mm. suggest_thresholds la trouve d’après les arrosages passés ; tracée avec create_annotation, elle compte.',
    NO_INSTALLATION: () =>
      'Aucune installation d’irrigation n’est déclarée : demandez quel est l’équipement et déclarez-le avec set_module_installation.',
    MISSING_FLOW_RATE: () =>
      'Pour des minutes, il faut le débit en mm/h, qui manque ou est bien trop faible : demandez-le et indiquez-le comme flowMmPerH avec correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'Pour des mètres cubes, il faut la surface irriguée en m2 : demandez-la et ajoutez-la comme irrigatedAreaM2 avec correct_installation.',
    GAPS: () =>
      'Plus d’un dixième des mesures de la dernière semaine manquent (get_module_health).',
    NO_ROOT_DEPTH: () =>
      'Aucune profondeur d’enracinement n’est indiquée (rootDepthCm avec set_probe_settings), donc toutes les profondeurs mesurées comptent.',
    SLICE_WITHOUT_VALUE: ({ isKnown }) =>
      isKnown
        ? 'Une profondeur sans valeur a été supposée aussi humide que les autres.'
        : 'Aucune profondeur n’a de valeur utilisable (un 0 isolé est ignoré) : redemandez après la prochaine mesure.',
    DEPTH_WITHOUT_LAYER: () =>
      'Une profondeur sans couche de sol a été supposée retenir ce que dit la ligne tracée, ou autant que le sol voisin : déclarez-la avec set_soil_profile.',
    DEFAULT_FRACTION_WETTED: () =>
      'La fraction humectée est celle du système par défaut, et non une valeur mesurée.',
    EXPECTED_RAIN: ({ rainMm, effectiveRainMm }) =>
      `Ce conseil compte sur ${rainMm} mm de pluie attendue, dont ${effectiveRainMm} mm pour les racines : s’il en tombe moins, redemandez.`,
    EXPECTED_DEMAND: ({ demandPercent }) =>
      `Le délai avant le stress repose sur votre prévision : un sol qui sèche à ${demandPercent} % du rythme des deux dernières semaines.`,
    DAILY_LIMIT_TOO_SHORT: ({ dailyLimit }) =>
      `Au plus ${dailyLimit} par jour, c’est trop peu pour rattraper le retard : vérifiez le débit et, si possible, permettez plus d’heures par jour (hoursPerDay avec set_probe_settings).`,
    NO_STRESS_POINT: () => 'Sans seuil de stress, aucun jour de stress ne peut être prévu.',
    THRESHOLDS_CROSSED: () =>
      'Le point de flétrissement n’est pas sous la capacité au champ, donc aucun jour de stress ne peut être prévu : déplacez ou supprimez une ligne (update_annotation, delete_annotation).',
    FEW_DRY_DAYS: () =>
      'Ces deux dernières semaines ont laissé trop peu de temps sans eau (trois jours secs, ou trois périodes d’une demi-journée) pour prévoir un jour de stress.',
    NOT_DRYING: () =>
      'Le sol ne sèche pas entre les arrosages, donc aucun jour de stress ne peut être prévu.',
  },
  staleData: (name, age, at) =>
    `Données anciennes, donc pas de conseil : la dernière mesure d’humidité ${withDe(name)} date ${withDe(at)}, il y a ${age}.`,
  needUnknown: (name) => `Le besoin en eau ${withDe(name)} est inconnu.`,
  noNeed: (name, at) =>
    `${name} n’a pas besoin d’eau : le sol est à la capacité au champ ou au-dessus, ${at}.`,
  negligibleDeficit: (name, mm, at) =>
    `${name} n’a pas besoin d’eau : il manque ${mm} mm pour atteindre la capacité au champ, moins que ce que les mesures permettent d’affirmer, ${at}.`,
  deficit: (name, mm, at) =>
    `Il manque ${mm} mm à ${name} dans la zone humectée pour atteindre la capacité au champ, ${at}.`,
  refill: (percent, amount, losses) =>
    `Pour ${percent === null ? 'tout combler' : `en combler ${percent} %`}, donnez ${amount}, ${describeLosses(losses)}.`,
  split: (limit, each, isToday, furtherDays) =>
    `À raison de ${limit} par jour au plus : ${each} ${isToday ? 'aujourd’hui' : 'ce soir'}, ${describeFurtherDays(each, furtherDays)} ; à partir du deuxième jour, vérifiez de nouveau avant d’arroser.`,
  rainSuffices: (isExpected) =>
    `La pluie ${isExpected ? 'attendue' : 'tombée'} suffirait : il n’y a rien à donner pour l’instant.`,
  wholeArea: (mm) => `${mm} mm sur toute la surface`,
  inStress: 'Le sol est déjà au seuil de stress ou en dessous.',
  stressIn: (days) => `Au rythme actuel, le sol atteindra le seuil de stress dans ${days}.`,
  stressInExpectedWeather: (days) =>
    `Avec le temps attendu, le sol atteindra le seuil de stress dans ${days}.`,
  dryingPace: {
    newest: (points, text, count) =>
      `Le sol perd ${formatPoints(points, text)} par jour : moyenne entre le dernier jour sec et la médiane de ${frenchCount(count, 'jour sec', 'jours secs')} des deux dernières semaines, chaque heure comparée à la même heure de la veille.`,
    days: (points, text, count) =>
      `Le sol perd ${formatPoints(points, text)} par jour : médiane de ${frenchCount(count, 'jour sec', 'jours secs')} des deux dernières semaines, chaque heure comparée à la même heure de la veille.`,
    parts: (points, text, count) =>
      `Le sol perd environ ${formatPoints(points, text)} par jour : médiane de ${count} périodes sèches des deux dernières semaines, la plupart de moins d’un jour et ramenées à leur part d’ensoleillement de la journée.`,
  },
  nothingPlanned: (until) => `Rien n’est prévu ${withDici(until)}.`,
  planned: ({ until, count, mm, next, zone }) =>
    `Prévu ${withDici(until)} : ${frenchCount(count, 'arrosage')}, ${mm === null ? 'dose inconnue' : `${mm} mm en tout`}, ${next.isUnderWay ? frenchNoun(count, 'en cours depuis', 'l’un est en cours depuis') : 'le prochain'} ${next.at} (${zone}).`,
  readingAge: (age) => `Cela repose sur une mesure qui date d’il y a ${age}.`,
  alreadyPlanned: 'Les arrosages prévus suffisent : il n’y a rien à ajouter.',
  deficitDepth: (bottomCm) => `Ce déficit porte sur 0 à ${bottomCm} cm.`,
  slice: (topCm, bottomCm) => `de ${topCm} à ${bottomCm} cm`,
  withoutValue: (slices) => `Pas de valeur récente ${slices}.`,
  withoutLayer: (slices) => `Pas de couche de sol ${slices}.`,
};

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'd’équipement déclaré',
  MISSING_FLOW_RATE: 'de débit en mm/h',
  MISSING_IRRIGATED_AREA: 'de surface irriguée en m2',
};

export const frenchBriefPhrases: Language['brief'] = {
  noProbe:
    'Il n’y a pas encore de sonde : dites lesquelles vous avez et où (set_module les ajoute), ou importez un fichier d’exploitation.',
  allQuiet: (zone, nextWatering) =>
    `Tout est calme (${zone}) : à ce qu’on sait, aucune sonde n’a besoin aujourd’hui de plus d’eau que prévu, aucune alerte n’est déclenchée et tous les appareils transmettent ; ${nextWatering}.`,
  noNeed: 'À ce qu’on sait, aucune sonde n’a besoin aujourd’hui de plus d’eau que prévu.',
  more: (count) => frenchCount(count, 'autre'),
  list: (rows, more) =>
    (more > 0 ? [...rows, `et ${frenchCount(more, 'autre')}`] : rows).join(' ; '),
  needs: (list) => `À arroser aujourd’hui : ${list}.`,
  valve: (parcel, dry, probes, driest) =>
    `${parcel} (${frenchCount(dry, 'sonde')} sur ${probes} : ${driest})`,
  atMoisture: (name, value) => `${name} à ${value} %`,
  neededTime: (today, total) =>
    `pendant ${today}${total === null ? '' : ` aujourd’hui, sur ${total} en tout`}`,
  neededMm: (mm) => (mm === null ? 'd’une quantité encore inconnue' : `avec ${mm} mm`),
  beyondPlanned: (mm) =>
    `en plus ${mm === null ? 'd’un arrosage de dose inconnue prévu' : `des ${mm} mm prévus`} aujourd’hui`,
  underStress: 'en stress',
  stressIn: (days) => `stress dans ${days}`,
  checkFirst: (list) => `À vérifier d’abord : ${list}.`,
  checks: {
    UNCONFIRMED_WATERING: 'l’arrosage prévu a-t-il eu lieu ?',
    RECENT_WATERING: 'arrosage récent',
    TOO_DRY_FOR_SOIL: 'valeur trop basse pour le sol',
    TOO_WET_FOR_SOIL: 'valeur trop haute pour le sol',
    SENSOR_STUCK: 'valeur bloquée',
  },
  firing: (list) => `Alertes déclenchées : ${list}.`,
  moisture: (value, oldAt) =>
    value === null ? 'humidité inconnue' : `${value} %${oldAt === null ? '' : ` ${withDe(oldAt)}`}`,
  threshold: (value) => `seuil ${value} %`,
  silentGateways: (list) => `Passerelles muettes : ${list}.`,
  silentProbes: (list) => `Sondes muettes : ${list}.`,
  gateway: (imei, modules) => (modules === '' ? imei : `${imei} avec ${modules}`),
  since: (at) => `depuis ${at}`,
  noContact: 'aucune transmission',
  oneToConfirm: (at, name) =>
    `L’arrosage prévu sur ${name} ${at} a-t-il eu lieu ? Il attend d’être confirmé.`,
  toConfirm: (count, list) => `${count} arrosages attendent d’être confirmés : ${list}.`,
  watering: (at, name, mm) => `${at} sur ${name}${mm === null ? '' : `, ${mm} mm`}`,
  dosesMissing: (list) => `Doses manquantes : ${list}.`,
  probeMissingDoses: (count, name, reason) =>
    `${count} sur ${name} faute ${MISSING_INPUTS[reason]}`,
  withoutStressPoint: (list) =>
    `Sans seuil de stress : ${list} ; déclarez le sol avec set_soil_profile.`,
  crossedThresholds: (list) =>
    `Point de flétrissement pas sous la capacité au champ : ${list} ; déplacez ou supprimez une ligne (update_annotation, delete_annotation).`,
  tension: (name, value, dryLevel) =>
    `${name}, à ${value} kPa, au-dessus de son niveau sec de ${dryLevel} (plus c’est haut, plus c’est sec)`,
  withoutDryLevel: (list) =>
    `Sans niveau sec (plus c’est haut, plus c’est sec) : ${list} ; tracez-le avec create_annotation (chartType tensio, fill dry).`,
  tensionWithoutDryLevel: (name, value, from, to) =>
    `${name} à ${value} kPa${from === null ? '' : `, sol qu’on arrose d’habitude entre ${from} et ${to} kPa`}`,
  nothingPlannedAhead: 'rien n’est prévu dans les 48 prochaines heures',
  ahead: (count, list) =>
    `${count === 1 ? 'un arrosage est prévu' : `${count} arrosages sont prévus`} dans les 48 prochaines heures : ${list}`,
};

export const frenchOverview: Language['overview'] = {
  noProbe: (stations) =>
    `Il n’y a pas de sonde, seulement ${frenchCount(stations, 'station météo', 'stations météo')} : set_module ajoute des sondes.`,
  driest: (probes, list) =>
    probes === 1 ? `${list}.` : `Les plus sèches des ${probes} sondes : ${list}.`,
  driestTension: (list) => `Tensions les plus élevées, donc les sols les plus secs : ${list}.`,
  noValue: (probes) =>
    probes === 1
      ? 'La seule sonde n’a pas de mesure récente fiable.'
      : `Aucune des ${probes} sondes n’a de mesure récente fiable.`,
  moisture: (name, value) => `${name}, ${value} %`,
  tension: (name, value) => `${name}, ${value} kPa`,
  comfort: 'en confort',
  saturated: 'saturée',
  noNeed: 'À ce qu’on sait, aucune n’a besoin aujourd’hui de plus d’eau que prévu.',
  needs: (count, list) =>
    `${count === 1 ? 'Une a besoin' : `${count} ont besoin`} d’eau aujourd’hui : ${list}.`,
  next: (list) => `Ensuite : ${list}.`,
  checkFirst: (list) => `À vérifier avant d’arroser : ${list}.`,
  firing: (list) => `Alertes déclenchées : ${list}.`,
  silent: (list) => `Muettes : ${list}.`,
  unjudged: (list) => `Sans seuil de stress ni niveau sec pour juger : ${list}.`,
  omittedProbes: (count) =>
    `${frenchCount(count, 'sonde moins urgente n’est pas listée', 'sondes moins urgentes ne sont pas listées')} ici.`,
};

const THOROUGH_WATERING =
  'Arrosez une fois jusqu’à ce qu’aucun capteur ne monte plus, et tracez ce que le sol retient deux jours après (create_annotation, fill threshold1).';

function countWettings(count: number): string {
  if (count === 0) return 'aucun apport d’eau n’est descendu';
  return count === 1
    ? 'un seul apport d’eau est descendu'
    : `${count} apports d’eau seulement sont descendus`;
}

export const frenchSuggestion: Language['suggestion'] = {
  drainedMoisture: (name, value, count, { least, most, isDoubtful }) =>
    `Une fois ressuyé, le sol à ${name} retient ${value} % : ${isDoubtful ? 'c’est la' : 'c’est sa capacité au champ,'} médiane de 24 à 48 heures après ${count} apports d’eau descendus jusqu’au capteur le plus profond, ${least === most ? `tous à ${least}` : `entre ${least} et ${most}`} %.`,
  wettings: (times, areMore, zone) =>
    `${areMore ? 'Dernières arrivées' : 'Arrivées'} de l’eau : ${times} (${zone}).`,
  tooLow: (inForce) =>
    `C’est bien moins que les ${inForce} % actuels, donc sans doute pas la capacité au champ : ces apports étaient probablement trop faibles pour remplir le sol, ou sa texture est mal déclarée. ${THOROUGH_WATERING}`,
  tooWide: `L’écart est trop grand pour une même capacité au champ : certains apports étaient probablement trop faibles pour remplir le sol. ${THOROUGH_WATERING}`,
  noSoilMoisture: (name) =>
    `Aucun capteur ne mesure l’humidité du sol à ${name} : sa capacité au champ reste inconnue.`,
  stressPoint: (value) => `Les plantes commencent alors à souffrir dès ${value} %.`,
  noStressPoint:
    'Pour le seuil de stress, il faut aussi un point de flétrissement inférieur : déclarez le sol de sa parcelle avec set_soil_profile.',
  offer: (value, exact, inForce) =>
    `${inForce === null ? 'Aucune capacité au champ n’est connue' : `La valeur actuelle est ${inForce} %`} : demandez si ${value} % doit compter, puis tracez-la avec create_annotation (h-line, fill threshold1, p1 [maintenant en ms, ${exact}]).`,
  tooFew: (name, count, needed) =>
    `Les mesures ne permettent pas de dire la capacité au champ ${withDe(name)} : depuis un an, ${countWettings(count)} du haut jusqu’au capteur le plus profond avant deux jours sans eau, et il en faut ${needed}.`,
  unusedWettings: (reasons) => `Non retenus : ${reasons}.`,
  unusedReasons: {
    wateredAgain: (count) => `${count} avec un nouvel apport d’eau dans les deux jours`,
    tooRecent: (count) => `${count} de moins de deux jours`,
    gaps: (count) => `${count} avec trop peu de mesures ensuite`,
  },
  howToGetMore:
    'Arrosez jusqu’à ce que le capteur le plus profond monte, attendez deux jours et redemandez ; ou tracez une capacité au champ déjà connue.',
};
