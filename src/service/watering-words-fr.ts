import { frenchCount, withDe } from '../domain/french.ts';
import type { WateringStatus } from '../schema/watering.ts';
import type { WateringFacts, WateringPhrases } from './watering-words.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'goutte-à-goutte',
  micro_sprinkler: 'micro-aspersion',
  sprinkler: 'aspersion',
  pivot: 'pivot',
  gravity: 'irrigation gravitaire',
  manual: 'arrosage manuel',
  other: 'un autre équipement',
};

const STATUS_NAMES: Record<WateringStatus, string> = { done: 'réalisé', planned: 'prévu', skipped: 'annulé' };
const LOGGED_AS: Record<WateringStatus, string> = {
  done: 'Arrosage enregistré',
  planned: 'Arrosage prévu',
  skipped: 'Arrosage noté comme annulé',
};
const MISSING_DOSE_REASONS: Record<string, string> = {
  NO_INSTALLATION: 'sans installation à cette date',
  MISSING_FLOW_RATE: 'faute de débit',
  MISSING_IRRIGATED_AREA: 'faute de surface irriguée',
};

const wateringDetails = ({ amount, name, when, dose }: WateringFacts): string =>
  `${amount} sur ${name}, ${when} : ${dose}.`;

export const frenchWatering: WateringPhrases = {
  amountOfSystem: (amount, system) => (system === null ? amount : `${amount} ${withDe(system)}`),
  system: (code) => SYSTEM_NAMES[code] ?? code,
  noDose: 'pas encore de dose',
  dose: (whole, wetted) =>
    `${whole} mm sur toute la surface${wetted === null ? '' : `, ${wetted} mm dans la zone humectée`}`,
  logged: (watering, status) => `${LOGGED_AS[status]} : ${wateringDetails(watering)}`,
  corrected: (watering, status, id) =>
    `L’arrosage ${id} est maintenant ${STATUS_NAMES[status]} : ${wateringDetails(watering)}`,
  warnings: {
    NO_INSTALLATION: ({ name, isPartial }) =>
      `Aucune installation ${withDe(name)} ne couvre cette date, donc la dose${isPartial ? ' dans la zone humectée' : ''} manque : déclarez ce qui était en place avec set_module_installation, effectiveFrom à cette date ou avant, et elle se complétera seule.`,
    MISSING_FLOW_RATE: () =>
      'L’équipement n’a pas de débit, donc les minutes ne donnent pas de mm : demandez-le et ajoutez-le avec correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'L’équipement n’a pas de surface irriguée, donc les m3 ne donnent pas de mm : demandez-la et ajoutez-la avec correct_installation.',
    DEFAULT_FRACTION_WETTED: ({ fractionWetted, system }) =>
      `La fraction humectée de ${fractionWetted} est la valeur par défaut (${system}).`,
  },
  noMatch: 'Aucun arrosage ne correspond.',
  page: (count, { when, name, dose, status }) =>
    `${frenchCount(count, 'arrosage affiché', 'arrosages affichés')}, le plus récent d’abord : ${when} sur ${name}, ${dose}${status === 'done' ? '' : ` (${STATUS_NAMES[status]})`}.`,
  counts: (total, byStatus) =>
    `${total} en tout : ${byStatus.map(([status, count]) => frenchCount(count, STATUS_NAMES[status])).join(', ')}.`,
  loggedDuplicate: (id, twinId) =>
    `C’est l’arrosage ${id} ; l’arrosage ${twinId} de la même sonde commence à la même minute. Si c’est le même, annulez le ${id} avec correct_watering et status skipped.`,
  correctedDuplicate: (twinId) => `L’arrosage ${twinId} de la même sonde commence à la même minute.`,
  toConfirm: 'Il ne compte plus de lui-même comme réalisé : confirmez-le avec status done une fois l’eau donnée.',
  previousDose: (mm, isOtherEquipment) =>
    `La dose d’avant était ${mm === null ? 'inconnue' : `de ${mm} mm`}.${isOtherEquipment ? ' À cette date, un autre équipement était en place que celui noté jusque-là.' : ''}`,
  recomputeResult: (name, completed, missing, byReason) => {
    const reasons = byReason.map(([reason, count]) => `${count} ${MISSING_DOSE_REASONS[reason] ?? reason}`);
    return `${frenchCount(completed, 'dose complétée', 'doses complétées')} sur ${name} ; ${missing} ${missing < 2 ? 'manque' : 'manquent'} encore${missing === 0 ? '' : ` (${reasons.join(', ')})`}.`;
  },
};
