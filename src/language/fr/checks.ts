import type { CheckReason } from '../../domain/advice/advice-reason.ts';
import type { Language } from '../en/index.ts';
import { frenchCount } from './grammar.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const frenchChecks: Readonly<Record<CheckReason | 'REST_UNKNOWN', string>> = {
  NO_RESPONSE: 'n’a montré aucun des derniers arrosages',
  TENSION_AT_ZERO: 'sa tension reste à 0 kPa',
  TENSION_AT_LIMIT: 'sa tension reste à la limite sèche',
  TENSION_FELL: 'sa tension a chuté sans eau notée',
  DEPTHS_JUMPED: 'hausse soudaine à toutes les profondeurs sans eau notée',
  MOSTLY_SILENT: 'certains de ses capteurs sont muets',
  NEW_PROBE: 'nouvelle : le sol autour se tasse',
  ROOTS_NOT_MEASURED: 'aucun capteur ne montre ses racines',
  SOIL_IN_DOUBT: 'plus humide que sa texture ne l’explique',
  TOO_WET: 'humide depuis des jours sans apport d’eau',
  FIELD_CAPACITY_IN_DOUBT: 'la capacité au champ tracée ne va pas avec ce sol',
  WILTING_POINT_IN_DOUBT: 'le point de flétrissement tracé ne va pas avec ce sol',
  BY_BALANCE: 'muette, sèche selon le bilan hydrique',
  DRY_BY_BALANCE: 'sèche selon le bilan hydrique, pas selon ses mesures',
  TOP_FROZEN: 'gelée en surface : attendre le dégel',
  LOG_SHIFTED: 'les jours de ses arrosages sont-ils justes ?',
  REST_UNKNOWN: 'la culture est-elle au repos ? Voir ses réglages',
  UNCONFIRMED_WATERING: 'l’arrosage prévu a-t-il eu lieu ?',
  RECENT_WATERING: 'un arrosage récent s’infiltre peut-être',
  FLOW_RATE_IN_DOUBT: 'sa pluviométrie est-elle juste ?',
  ROOTS_TOO_DEEP: 'les racines vont-elles si profond ?',
  TOO_DRY_FOR_SOIL: 'un capteur trop sec pour ce sol',
  TOO_WET_FOR_SOIL: 'un capteur trop humide pour ce sol',
  SENSOR_FELL: 'chute soudaine d’un capteur',
  SENSOR_NOISY: 'un capteur instable',
  SENSOR_DRIFTS: 'un capteur dérive',
  SENSOR_STUCK: 'un capteur figé',
};

/** What waits for a person, in the head of the page. */
export const frenchWaiting: Language['waiting'] = {
  devices: (n) => frenchCount(n, 'appareil à affecter', 'appareils à affecter'),
  senders: (n) => `messages de ${frenchCount(n, 'émetteur')} non lus`,
  unsent: (n, wait) =>
    `${frenchCount(n, 'message non envoyé', 'messages non envoyés')}${wait === null ? '' : ` depuis ${wait}`}`,
};
