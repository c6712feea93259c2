import type { PageReason } from '../../domain/advice/advice-reason.ts';
import { counted, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Language } from '../en/index.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const frenchChecks: Readonly<Record<PageReason, Text>> = {
  NO_RESPONSE: say`n’a montré aucun des derniers arrosages`,
  TENSION_AT_ZERO: say`sa tension reste à 0 kPa`,
  TENSION_AT_LIMIT: say`sa tension reste à la limite sèche`,
  TENSION_FELL: say`sa tension a chuté sans eau notée`,
  DEPTHS_JUMPED: say`hausse soudaine à toutes les profondeurs sans eau notée`,
  MOSTLY_SILENT: say`certains de ses capteurs sont muets`,
  NEW_PROBE: say`nouvelle : le sol autour se tasse`,
  ROOTS_NOT_MEASURED: say`aucun capteur ne montre ses racines`,
  SOIL_IN_DOUBT: say`plus humide que sa texture ne l’explique`,
  TOO_WET: say`humide depuis des jours sans apport d’eau`,
  FIELD_CAPACITY_IN_DOUBT: say`la capacité au champ tracée ne va pas avec ce sol`,
  WILTING_POINT_IN_DOUBT: say`le point de flétrissement tracé ne va pas avec ce sol`,
  BY_BALANCE: say`muette, sèche selon le bilan hydrique`,
  DRY_BY_BALANCE: say`sèche selon le bilan hydrique, pas selon ses mesures`,
  TOP_FROZEN: say`gelée en surface : attendre le dégel`,
  LOG_SHIFTED: say`les jours de ses arrosages sont-ils justes ?`,
  REST_UNKNOWN: say`la culture est-elle au repos ? Voir ses réglages`,
  UNCONFIRMED_WATERING: say`l’arrosage prévu a-t-il eu lieu ?`,
  RECENT_WATERING: say`un arrosage récent s’infiltre peut-être`,
  FLOW_RATE_IN_DOUBT: say`sa pluviométrie est-elle juste ?`,
  ROOTS_TOO_DEEP: say`les racines vont-elles si profond ?`,
  TOO_DRY_FOR_SOIL: say`un capteur trop sec pour ce sol`,
  TOO_WET_FOR_SOIL: say`un capteur trop humide pour ce sol`,
  SENSOR_FELL: say`chute soudaine d’un capteur`,
  SENSOR_NOISY: say`un capteur instable`,
  SENSOR_DRIFTS: say`un capteur dérive`,
  SENSOR_STUCK: say`un capteur figé`,
};

/** What waits for a person, in the head of the page. */
export const frenchWaiting: Language['waiting'] = {
  devices: (n) => counted(n, 'appareil à affecter', 'appareils à affecter'),
  senders: (n) => say`messages de ${counted(n, 'émetteur')} non lus`,
  unsent: (n, wait) =>
    say`${counted(n, 'message non envoyé', 'messages non envoyés')}${wait === null ? null : say` depuis ${wait}`}`,
};
