import { say } from '../../domain/text/say.ts';
import type { Language } from '../en/index.ts';
import { sayDe } from './grammar.ts';

export const frenchReasons: Language['reasons'] = {
  REST_UNKNOWN: { check: say`la culture est-elle au repos ? Voir ses réglages` },
  RIPE: { check: say`mûre ou récoltée ? Saisir la récolte ou le stade` },
  ROOF_UNKNOWN: { check: say`est-elle sous abri ? Voir le type de sa parcelle` },
  TENSION_AT_ZERO: {
    check: say`sa tension reste à 0 kPa`,
    steps: say`Vérifiez le tensiomètre (eau, bougie, contact avec le sol) et regardez le sol.`,
  },
  TENSION_AT_LIMIT: {
    check: say`sa tension reste à la limite sèche`,
    steps: say`Vérifiez le tensiomètre (eau, bougie, contact avec le sol) et regardez le sol.`,
  },
  TENSION_FELL: {
    check: say`sa tension a chuté sans eau notée`,
    steps: say`Vérifiez le tensiomètre (eau, bougie, contact avec le sol) et regardez le sol.`,
  },
  DEPTHS_JUMPED: {
    check: say`hausse soudaine à toutes les profondeurs sans eau notée`,
    steps: say`Vérifiez la prise, le câble et l’alimentation de la sonde et regardez le sol ; si de l’eau est venue, notez-la.`,
  },
  MOSTLY_SILENT: {
    check: say`certains de ses capteurs sont muets`,
    steps: say`Vérifiez les capteurs muets : câbles, prises et alimentation.`,
  },
  NEW_PROBE: { check: say`nouvelle : le sol autour se tasse` },
  ROOTS_NOT_MEASURED: {
    check: say`aucun capteur ne montre ses racines`,
    steps: say`Vérifiez la profondeur de ses racines et celles de ses capteurs.`,
  },
  SOIL_IN_DOUBT: {
    check: say`plus humide que sa texture ne l’explique`,
    steps: say`Vérifiez la texture de sa parcelle et cherchez de l’eau stagnante ; si la texture est juste, tracez la capacité au champ.`,
  },
  BY_BALANCE: { check: say`muette, sèche selon le bilan hydrique` },
  DRY_BY_BALANCE: {
    check: say`sèche selon le bilan hydrique, pas selon ses mesures`,
    steps: say`Voyez si tous les arrosages et la pluie sont notés, puis si l’équipement et la culture sont justes, et vérifiez ensuite la sonde.`,
  },
  TOP_FROZEN: { check: say`gelée en surface : attendre le dégel` },
  NO_RESPONSE: {
    check: say`n’a montré aucun des derniers arrosages`,
    steps: say`Vérifiez que l’eau arrive (vanne, filtre, goutteurs) et que la sonde est dans le sol mouillé.`,
  },
  TOO_WET: {
    check: say`humide depuis des jours sans apport d’eau`,
    steps: say`Cherchez une fuite, un point bas ou du sel, et regardez si les racines manquent d’air.`,
  },
  DEPTHS_EXCHANGED: {
    check: say`son capteur le plus profond sèche le premier`,
    steps: say`Vérifiez à quelle profondeur se trouve chaque capteur : ils semblent échangés.`,
  },
  PROBES_EXCHANGED: {
    check: say`montre les arrosages d’une autre sonde`,
    steps: say`Vérifiez où se trouve chacune des deux avant d’arroser selon elles. Ne corrigez pas les arrosages notés, sauf si les deux sont à leur place.`,
  },
  LOG_SHIFTED: {
    check: say`les jours de ses arrosages sont-ils justes, ou est-elle sur une autre vanne ?`,
  },
  UNCONFIRMED_WATERING: { check: say`l’arrosage prévu a-t-il eu lieu ?` },
  RECENT_WATERING: { check: say`un arrosage récent s’infiltre peut-être` },
  FIELD_CAPACITY_IN_DOUBT: {
    check: say`la capacité au champ tracée ne va pas avec ce sol`,
    steps: say`Vérifiez la ligne de capacité au champ et le profil de sol ; confirmez la ligne si elle est juste.`,
  },
  WILTING_POINT_IN_DOUBT: {
    check: say`le point de flétrissement tracé ne va pas avec ce sol`,
    steps: say`Vérifiez la ligne du point de flétrissement et le profil de sol ; confirmez la ligne si elle est juste.`,
  },
  FLOW_RATE_IN_DOUBT: { check: say`sa pluviométrie est-elle juste ?` },
  TOO_DRY_FOR_SOIL: {
    check: say`un capteur trop sec pour ce sol`,
    readings: (readings, { limit }) => say`${readings}, où le sol garde au moins ${limit} %`,
    steps: (values) =>
      say`La sonde indique ${values} : vérifiez le capteur, son contact avec le sol et le profil de sol avant de vous y fier.`,
  },
  TOO_WET_FOR_SOIL: {
    check: say`un capteur trop humide pour ce sol`,
    readings: (readings, { limit }) => say`${readings}, où le sol retient au plus ${limit} %`,
    steps: (values) =>
      say`La sonde indique ${values} : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.`,
  },
  SENSOR_FELL: {
    check: say`chute soudaine d’un capteur`,
    readings: (readings, { limit, age }) => say`${readings}, contre ${limit} % il y a ${age}`,
    steps: (values) =>
      say`La sonde indique ${values}, plus vite que le sol ne peut sécher : vérifiez le capteur, son câble et son contact avec le sol avant de vous y fier.`,
  },
  SENSOR_NOISY: {
    check: say`un capteur instable`,
    readings: (readings, { limit }) =>
      say`${readings}, avec des valeurs qui sautent de ${limit} points d'une heure à l'autre`,
    steps: (values) =>
      say`La sonde indique ${values} : vérifiez son câble, ses fiches et son alimentation avant de vous y fier.`,
  },
  SENSOR_DRIFTS: {
    check: say`un capteur dérive`,
    readings: (readings, { limit, age }) =>
      say`${readings}, contre ${limit} % il y a ${age} et sans eau depuis`,
    steps: (values) =>
      say`La sonde indique ${values}, alors qu'aucune autre profondeur n'a perdu autant d'eau : vérifiez le capteur, et regardez le sol sur place avant de vous y fier.`,
  },
  SENSOR_STUCK: {
    check: say`un capteur figé`,
    readings: (readings, { age }) => say`exactement ${readings} depuis ${age}`,
    steps: (values) =>
      say`La sonde indique ${values} : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.`,
  },
  DEEP_ROOTS_NOT_MEASURED: {
    check: say`ses racines vont bien plus bas que ses capteurs`,
    steps: say`Regardez à la tarière le sol sous son capteur le plus profond, puis posez-y un capteur ou corrigez la profondeur des racines.`,
  },
  ROOTS_TOO_DEEP: { check: say`les racines vont-elles si profond ?` },
};

export const frenchSuspectReadings: Language['suspectReadings'] = {
  reading: (value, depth) => say`${value} à ${depth}`,
  unknownDepth: say`une profondeur inconnue`,
  separator: say` ; `,
};

export const frenchDoubtMail: Language['doubtMail'] = {
  subject: (name, check) => say`À vérifier, ${name} : ${check}`,
  lead: (probe, since, check) =>
    say`Les mesures ${sayDe(probe)} sont douteuses depuis le ${since} : ${check}.`,
  meanwhile: {
    tooWet: say`Tant que vous n’avez pas regardé le sol, n’apportez plus d’eau à cet endroit.`,
    look: say`D’ici là, regardez le sol avant d’y arroser.`,
    noWater: (probe) =>
      probe === null
        ? say`Pour l’instant, pas d’arrosage : le bilan hydrique n’en demande pas.`
        : say`Pour l’instant, pas d’arrosage : ${probe}, dans la même parcelle, n’en a pas encore besoin.`,
    byProbe: (probe, amount) =>
      say`D’ici là, apportez ce que demande ${probe}, dans la même parcelle : ${amount}.`,
    byBalance: (amount) => say`D’ici là, apportez ce que demande le bilan hydrique : ${amount}.`,
    asBefore: (amount, isUnconfirmed) =>
      say`D’ici là, continuez comme ces 14 derniers jours : ${amount} par semaine${isUnconfirmed ? say`, si tous les arrosages ont eu lieu` : null}.`,
  },
  footer: (zone, company) =>
    say`Jours locaux (${zone}). Acequia écrit une fois pour chaque doute ${sayDe(company)}, aux destinataires des alertes de la sonde ou, à défaut, au propriétaire.`,
};
