import { frenchCount, withDe, withDici } from '../domain/french.ts';
import type { AdvicePhrases, SliceDepths, SliceReadingFacts } from './advice-words.ts';
import { joinList } from './say-lists.ts';

const formatSlice = ({ topCm, bottomCm }: SliceDepths): string => `de ${topCm} à ${bottomCm} cm`;

const formatSlices = (depths: readonly SliceDepths[]): string => joinList(depths.map(formatSlice), 'fr');

const formatSliceReadings = (values: readonly SliceReadingFacts[]): string =>
  joinList(
    values.map((each) => `${formatSlice(each)} (${each.moisture} %)`),
    'fr',
  );

export const frenchAdvicePhrases: AdvicePhrases = {
  reasons: {
    NO_SOIL_MOISTURE: () =>
      'Aucune humidité du sol n’y est mesurée : demandez une sonde de sol de cette parcelle (list_modules).',
    NO_DATA: () => 'Aucune mesure d’humidité n’a jamais été transmise : voyez avec get_module_health si la sonde émet.',
    STALE_DATA: () =>
      'Voyez avec get_module_health pourquoi la sonde se tait, et regardez le sol sur place en attendant.',
    UNCONFIRMED_WATERING: () =>
      'Un arrosage prévu ces dernières 24 heures attend d’être confirmé : demandez s’il a eu lieu avant d’arroser de nouveau.',
    RECENT_WATERING: () =>
      'Un arrosage des dernières heures n’a peut-être pas encore atteint les capteurs : redemandez quand il se sera infiltré.',
    TOO_DRY_FOR_SOIL: () =>
      'La mesure descend plus bas que le soleil et les racines ne peuvent assécher le sol déclaré : vérifiez le capteur et le profil de sol avant d’arroser en vous y fiant.',
    NO_SOIL_PROFILE: () =>
      'On ne sait pas ce que son sol peut retenir : demandez la texture de sa parcelle et déclarez-la avec set_soil_profile (hors parcelle : tracez la capacité au champ avec create_annotation).',
    FIELD_CAPACITY_DIFFERS: () =>
      'La capacité au champ tracée et celle du profil de sol diffèrent de plus d’un point : l’état suit la ligne, le déficit suit les couches. Demandez laquelle est juste.',
    NO_INSTALLATION: () =>
      'Aucune installation d’irrigation n’est déclarée : demandez quel est l’équipement et déclarez-le avec set_module_installation.',
    MISSING_FLOW_RATE: () =>
      'Pour des minutes, il faut le débit en mm/h : demandez-le et ajoutez-le comme flowMmPerH avec correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'Pour des mètres cubes, il faut la surface irriguée en m2 : demandez-la et ajoutez-la comme irrigatedAreaM2 avec correct_installation.',
    GAPS: () => 'Plus d’un dixième des mesures de la dernière semaine manquent (get_module_health).',
    NO_ROOT_DEPTH: () =>
      'Aucune profondeur d’enracinement n’est donnée (rootDepthCm dans le fichier de l’exploitation), donc tout ce que la sonde suit compte.',
    SLICE_WITHOUT_VALUE: ({ isKnown }) =>
      isKnown
        ? 'Une profondeur sans valeur a été supposée aussi humide que les autres.'
        : 'Aucune profondeur n’a de valeur sur quoi s’appuyer (un 0 isolé n’en est pas une) : redemandez après la prochaine mesure.',
    DEPTH_WITHOUT_LAYER: () =>
      'Une profondeur sans couche de sol a été supposée retenir ce que dit la ligne tracée, ou autant que le sol voisin : déclarez-la avec set_soil_profile.',
    DEFAULT_FRACTION_WETTED: () => 'La fraction humectée est celle du système par défaut, et non une valeur mesurée.',
    LONGER_THAN_A_DAY: ({ hours }) =>
      `C’est plus que ce que l’équipement peut donner en un jour (${hours} heures) : répartissez-le en plusieurs arrosages, et regardez de nouveau entre deux.`,
    NO_STRESS_POINT: () => 'Sans seuil de stress, aucun jour de stress ne peut être prévu.',
    FEW_DRY_DAYS: () =>
      'Ces deux dernières semaines ont laissé trop peu de temps sans eau (trois jours secs, ou trois périodes d’une demi-journée) pour prévoir un jour de stress.',
    NOT_DRYING: () => 'Le sol ne sèche pas entre les arrosages, donc aucun jour de stress ne peut être prévu.',
  },
  staleData: (name, age, at) =>
    `Données anciennes, donc rien n’est conseillé : la dernière mesure d’humidité ${withDe(name)} date ${withDe(at)}, il y a ${age}.`,
  needUnknown: (name) => `Le besoin en eau ${withDe(name)} n’est pas connu.`,
  noNeed: (name, at) => `${name} n’a pas besoin d’eau : le sol est à la capacité au champ ou au-dessus, ${at}.`,
  negligibleDeficit: (name, mm, at) =>
    `${name} n’a pas besoin d’eau : il manque ${mm} mm pour atteindre la capacité au champ, moins que ce que les mesures permettent d’affirmer, ${at}.`,
  deficit: (name, mm, at) =>
    `Il manque ${mm} mm à ${name} dans la zone humectée pour atteindre la capacité au champ, ${at}.`,
  refill: (percent, gift) =>
    `Pour ${percent === null ? 'tout combler' : `en combler ${percent} %`}, donnez ${gift}, sans compter les pertes ni le lessivage.`,
  wholeArea: (mm) => `${mm} mm sur toute la surface`,
  inStress: 'Le sol est déjà au seuil de stress ou en dessous.',
  stressIn: (days, said) =>
    `Au rythme où il sèche, le sol sera au seuil de stress dans ${said} ${days < 2 ? 'jour' : 'jours'}.`,
  dryingPace: {
    days: (points, said, count) =>
      `Le sol perd ${said} ${points < 2 ? 'point' : 'points'} par jour : médiane de ${frenchCount(count, 'jour sec', 'jours secs')} des deux dernières semaines, comparés aux mêmes heures.`,
    parts: (points, said, count) =>
      `Le sol perd environ ${said} ${points < 2 ? 'point' : 'points'} par jour : médiane de ${count} périodes sèches des deux dernières semaines, la plupart de moins d’un jour et ramenées à la part d’ensoleillement de la journée.`,
  },
  nothingPlanned: (until) => `Rien n’est prévu ${withDici(until)}.`,
  planned: (until, count, mm, next, zone) =>
    `Prévu ${withDici(until)} : ${frenchCount(count, 'arrosage')}, ${mm === null ? 'dose inconnue' : `${mm} mm en tout`}, ${next.isUnderWay ? (count < 2 ? 'en cours depuis' : 'l’un est en cours depuis') : 'le prochain'} ${next.at} (${zone}).`,
  readingAge: (age) => `Cela repose sur une mesure vieille de ${age}.`,
  alreadyPlanned: 'Ce qui est prévu l’apporte déjà : il n’y a rien à ajouter.',
  deficitDepth: (bottomCm) => `Ce déficit est celui de 0 à ${bottomCm} cm.`,
  tooDryForSoil: (said) => `Trop sec pour le sol : ${formatSliceReadings(said)}.`,
  withoutValue: (said) => `Pas de valeur récente ${formatSlices(said)}.`,
  withoutLayer: (said) => `Pas de couche de sol ${formatSlices(said)}.`,
};
