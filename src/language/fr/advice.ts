import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { ReviewedWateringBody } from '../../schema/advice.ts';
import type { Language } from '../en/index.ts';
import { frenchCount, frenchNoun, withDe, withDici, withJusqua } from './grammar.ts';

export const frenchAdvicePhrases: Language['advice'] = {
  reasons: {
    NO_SOIL_MOISTURE: () =>
      'Aucune humidité du sol n’y est mesurée : prenez une sonde de sol de cette parcelle (list_modules).',
    NO_DATA: () => 'Aucune mesure n’a jamais été transmise : voyez avec get_module_health si la sonde émet.',
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
    GAPS: () => 'Plus d’un dixième des mesures de la dernière semaine manquent (get_module_health).',
    NO_ROOT_DEPTH: () =>
      'Aucune profondeur d’enracinement n’est indiquée (rootDepthCm avec set_probe_settings), donc toutes les profondeurs mesurées comptent.',
    SLICE_WITHOUT_VALUE: ({ isKnown }) =>
      isKnown
        ? 'Une profondeur sans valeur a été supposée aussi humide que les autres.'
        : 'Aucune profondeur n’a de valeur utilisable (un 0 isolé est ignoré) : redemandez après la prochaine mesure.',
    DEPTH_WITHOUT_LAYER: () =>
      'Une profondeur sans couche de sol a été supposée retenir ce que dit la ligne tracée, ou autant que le sol voisin : déclarez-la avec set_soil_profile.',
    DEFAULT_FRACTION_WETTED: () => 'La fraction humectée est celle du système par défaut, et non une valeur mesurée.',
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
    NOT_DRYING: () => 'Le sol ne sèche pas entre les arrosages, donc aucun jour de stress ne peut être prévu.',
  },
  staleData: (name, age, at) =>
    `Données anciennes, donc pas de conseil : la dernière mesure d’humidité ${withDe(name)} date ${withDe(at)}, il y a ${age}.`,
  needUnknown: (name) => `Le besoin en eau ${withDe(name)} est inconnu.`,
  noNeed: (name, at) => `${name} n’a pas besoin d’eau : le sol est à la capacité au champ ou au-dessus, ${at}.`,
  negligibleDeficit: (name, mm, at) =>
    `${name} n’a pas besoin d’eau : il manque ${mm} mm pour atteindre la capacité au champ, moins que ce que les mesures permettent d’affirmer, ${at}.`,
  deficit: (name, mm, at) =>
    `Il manque ${mm} mm à ${name} dans la zone humectée pour atteindre la capacité au champ, ${at}.`,
  refill: (percent, gift, losses) =>
    `Pour ${percent === null ? 'tout combler' : `en combler ${percent} %`}, donnez ${gift}, ${losses === null ? 'sans compter les pertes ni le lessivage' : `dont ${losses.netMm} mm pour les racines : ${losses.efficiency === null ? 'sans pertes' : `efficience ${losses.efficiency} %`}, ${losses.leaching === null ? 'sans lessivage' : `lessivage ${losses.leaching} %`}`}.`,
  split: (limit, each, isToday, more) =>
    `À raison de ${limit} par jour au plus : ${each} ${isToday ? 'aujourd’hui' : 'ce soir'}, ${more === 1 ? `${each} demain` : `puis ${each} par jour pendant ${more === null ? 'plus de deux semaines' : `${more} jours`}`} ; à partir du deuxième jour, vérifiez de nouveau avant d’arroser.`,
  rainSuffices: (isExpected) =>
    `La pluie ${isExpected ? 'attendue' : 'tombée'} suffirait : il n’y a rien à donner pour l’instant.`,
  wholeArea: (mm) => `${mm} mm sur toute la surface`,
  inStress: 'Le sol est déjà au seuil de stress ou en dessous.',
  stressIn: (days) => `Au rythme actuel, le sol atteindra le seuil de stress dans ${days}.`,
  stressInExpectedWeather: (days) => `Avec le temps attendu, le sol atteindra le seuil de stress dans ${days}.`,
  dryingPace: {
    newest: (points, text, count) =>
      `Le sol perd ${text} ${frenchNoun(points, 'point', 'points')} par jour : moyenne entre le dernier jour sec et la médiane de ${frenchCount(count, 'jour sec', 'jours secs')} des deux dernières semaines, chaque heure comparée à la même heure de la veille.`,
    days: (points, text, count) =>
      `Le sol perd ${text} ${frenchNoun(points, 'point', 'points')} par jour : médiane de ${frenchCount(count, 'jour sec', 'jours secs')} des deux dernières semaines, chaque heure comparée à la même heure de la veille.`,
    parts: (points, text, count) =>
      `Le sol perd environ ${text} ${frenchNoun(points, 'point', 'points')} par jour : médiane de ${count} périodes sèches des deux dernières semaines, la plupart de moins d’un jour et ramenées à leur part d’ensoleillement de la journée.`,
  },
  nothingPlanned: (until) => `Rien n’est prévu ${withDici(until)}.`,
  planned: (until, count, mm, next, zone) =>
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
  list: (rows, more) => (more > 0 ? [...rows, `et ${frenchCount(more, 'autre')}`] : rows).join(' ; '),
  needs: (list) => `À arroser aujourd’hui : ${list}.`,
  valve: (parcel, dry, probes, driest) => `${parcel} (${frenchCount(dry, 'sonde')} sur ${probes} : ${driest})`,
  atMoisture: (name, value) => `${name} à ${value} %`,
  neededTime: (today, total) => `pendant ${today}${total === null ? '' : ` aujourd’hui, sur ${total} en tout`}`,
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
  oneToConfirm: (at, name) => `L’arrosage prévu sur ${name} ${at} a-t-il eu lieu ? Il attend d’être confirmé.`,
  toConfirm: (count, list) => `${count} arrosages attendent d’être confirmés : ${list}.`,
  watering: (at, name, mm) => `${at} sur ${name}${mm === null ? '' : `, ${mm} mm`}`,
  dosesMissing: (list) => `Doses manquantes : ${list}.`,
  probeMissingDoses: (count, name, reason) => `${count} sur ${name} faute ${MISSING_INPUTS[reason]}`,
  withoutStressPoint: (list) => `Sans seuil de stress : ${list} ; déclarez le sol avec set_soil_profile.`,
  crossedThresholds: (list) =>
    `Point de flétrissement pas sous la capacité au champ : ${list} ; déplacez ou supprimez une ligne (update_annotation, delete_annotation).`,
  tension: (name, value, dryLevel) =>
    `${name}, à ${value} kPa, au-dessus de son niveau sec de ${dryLevel} (plus c’est haut, plus c’est sec)`,
  withoutDryLevel: (list) =>
    `Sans niveau sec (plus c’est haut, plus c’est sec) : ${list} ; tracez-le avec create_annotation (chartType tensio, fill dry).`,
  unjudgedTension: (name, value, from, to) =>
    `${name} à ${value} kPa${from === null ? '' : `, sol qu’on arrose d’habitude entre ${from} et ${to} kPa`}`,
  nothingPlannedAhead: 'rien n’est prévu dans les 48 prochaines heures',
  ahead: (count, list) =>
    `${count === 1 ? 'un arrosage est prévu' : `${count} arrosages sont prévus`} dans les 48 prochaines heures : ${list}`,
};

export const frenchChartPhrases: Language['chart'] = {
  levels: (levels) => `Lignes tracées : ${levels.join(', ')}.`,
  stressPoint: (value) => `seuil de stress ${value} %`,
  fieldCapacity: (value) => `capacité au champ ${value} %`,
  wiltingPoint: (value) => `point de flétrissement ${value} %`,
  wetLevel: (value) => `niveau humide ${value} kPa`,
  dryLevel: (value) => `niveau sec ${value} kPa`,
  higherIsDrier: 'Plus c’est haut, plus c’est sec.',
  ofParcel: 'Les arrosages sont ceux de sa parcelle.',
  alertBelow: (value) => `alerte sous ${value} %`,
  noWaterings: 'Aucun arrosage sur cette période.',
  waterings: (counts) => `Sur cette période : ${counts.join(' ; ')}.`,
  doneWaterings: (count, mm) => `${frenchCount(count, 'arrosage réalisé', 'arrosages réalisés')}, ${mm} mm en tout`,
  plannedWaterings: (count) => frenchCount(count, 'arrosage prévu', 'arrosages prévus'),
  unknownDoses: (count) => `${count} de dose inconnue`,
  watering: (at, mm, isPlanned) => `${at}, ${mm === null ? 'dose inconnue' : `${mm} mm`}${isPlanned ? ' (prévu)' : ''}`,
  earlierWaterings: (count) => `${count} auparavant`,
  newestWaterings: (rows, zone) => `Du plus récent au plus ancien (${zone}) : ${rows.join(' ; ')}.`,
  parcel: (name) => `Parcelle : ${name}.`,
  newest: (value) => `Dernière mesure : ${value}.`,
  depths: (values) =>
    `Dernière valeur par profondeur : ${values.map(({ depth, value }) => `${depth} cm, ${value} %`).join(' ; ')}.`,
  unsupportedName: (name, drawn) => `L’image ne peut pas écrire ${name} : elle porte ${drawn} à la place.`,
};

export const frenchResponses: Record<ReviewedWateringBody['response'], readonly [string, string]> = {
  reached: ['a atteint la zone racinaire', 'ont atteint la zone racinaire'],
  below_roots: ['est passé sous les racines', 'sont passés sous les racines'],
  no_response: ['est resté sans effet', 'sont restés sans effet'],
  too_early: ['est trop récent pour se voir', 'sont trop récents pour se voir'],
  no_data: ['est sans données', 'sont sans données'],
};

export const frenchReview: Language['review'] = {
  period: (start, end, zone) => `${withDe(start)} ${withJusqua(end)} (${zone})`,
  noWaterings: (name, period) => `Aucun arrosage n’est enregistré comme réalisé sur ${name} ${period}.`,
  totals: (name, period, total, responses) => `${frenchCount(total, 'arrosage')} sur ${name} ${period} : ${responses}.`,
  response: (response, count) => frenchCount(count, ...frenchResponses[response]),
  assessedTogether: (ids) => `Évalués ensemble, car à 3 heures d’intervalle au plus : ${ids}.`,
  checkRan: (ids, count) =>
    count < 2
      ? `Vérifiez si l’arrosage ${ids} a eu lieu et a atteint la sonde (aucun effet).`
      : `Vérifiez si les arrosages ${ids} ont eu lieu et ont atteint la sonde (aucun effet).`,
  reachedBelow: (ids, count) =>
    `De l’eau ${frenchNoun(count, 'de l’arrosage', 'des arrosages')} ${ids} est descendue sous les racines : si cela se répète, donnez-en moins à la fois.`,
  newestResponse: (at, deepestCm, gainedMm, appliedMm, hasLosses) => {
    const gained = gainedMm === null ? '' : `, et le sol a gagné ${gainedMm} mm`;
    const against =
      gainedMm === null || appliedMm === null
        ? ''
        : ` sur ${appliedMm} mm dans la zone humectée${hasLosses ? ', pertes déduites' : ''}`;
    return `Le plus récent dont l’effet est visible, ${at} : jusqu’à ${deepestCm} cm${gained}${against}.`;
  },
  implausibleGain: (ids, count) =>
    `Les capteurs montrent bien plus d’eau que n’en ${count < 2 ? 'a apporté l’arrosage' : 'ont apporté les arrosages'} ${ids} : s’il n’a pas plu, vérifiez le débit, la fraction humectée et l’emplacement de la sonde.`,
  riseAmount: (mm, isOverall) => `, environ ${mm} mm ${isOverall ? 'sur toute la surface' : 'dans le sol humecté'}`,
  ifIrrigation: ' si c’était un arrosage',
  likely: {
    watering: 'plutôt un arrosage que de la pluie',
    unknown: 'arrosage ou pluie, rien ne permet de trancher',
  },
  roseElsewhere: 'en même temps que sur d’autres parcelles : il a plu, ou tout a été arrosé',
  unloggedRises: (count, newest) =>
    `${frenchCount(count, 'hausse')} sans arrosage enregistré ; la plus récente ${newest}.`,
  plannedThen: (eventId) =>
    `L’arrosage ${eventId} était prévu à ce moment : s’il a eu lieu, confirmez-le avec correct_watering.`,
  rainRises: (count, at, mm) =>
    `La pluie enregistrée explique ${frenchCount(count, 'hausse')} ; la plus récente ${at}, ${mm} mm de pluie.`,
  askFirst: (rainMm) =>
    rainMm === null
      ? 'Aucune pluie n’est enregistrée à ce moment : demandez avant d’enregistrer un arrosage.'
      : `Les ${rainMm} mm de pluie enregistrés à ce moment ne l’expliquent pas : demandez avant d’enregistrer un arrosage.`,
  olderWaterings: (count) => frenchCount(count, 'arrosage plus ancien', 'arrosages plus anciens'),
  olderRises: (count) => frenchCount(count, 'hausse plus ancienne', 'hausses plus anciennes'),
  omitted: (rows) => `Sans compter ${rows} : donnez un limit plus grand ou un end plus ancien.`,
  noSoilMoisture: 'Aucune humidité du sol n’y est mesurée, donc l’effet d’un arrosage ne peut pas être vu.',
};
