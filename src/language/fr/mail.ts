import type { MailPhrases } from '../en/mail.ts';
import { frenchFormat, withDe } from './grammar.ts';
import { frenchTime } from './time.ts';

const NOTHING_TO_DO = 'Il n’y a rien à faire ; l’alerte reste active.';

export const frenchMail: MailPhrases = {
  format: {
    number: frenchFormat.number,
    day: (day, month, year) =>
      `${day === 1 ? '1er' : day} ${frenchFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
    dateTimeSeparator: ' à ',
    repeatedHour: frenchTime.repeatedHour,
    units: { days: 'jours', hour: 'h', minute: 'min' },
  },
  colon: ' : ',
  andOthers: (subject, count) =>
    `${subject}, et ${count} ${count === 1 ? 'autre message' : 'autres messages'}`,
  newestValue: (value) => ` à ${value}`,
  kinds: {
    moisture: {
      value: 'Humidité',
      fired: {
        subject: (name, value, limit) => `Sol sec : ${name}${value}, seuil ${limit}`,
        lead: (probe, limit, isBelow) =>
          `L’humidité ${withDe(probe)} est ${isBelow ? '' : 'passée '}sous ${limit}.`,
        advice:
          'Regardez les plantes et le sol sur place, arrosez si besoin et enregistrez l’apport.',
      },
      reminder: {
        subject: (day, name, value, limit) =>
          `Toujours sec, jour ${day} : ${name}${value}, seuil ${limit}`,
        advice:
          'Arrosez si les plantes en ont besoin et enregistrez l’apport ; ou changez le seuil s’il est trop haut.',
      },
      stale: {
        lead: (probe, since) =>
          `${probe} n’a transmis aucune mesure d’humidité${since === null ? '' : ` depuis le ${since}`} : son alerte ne peut ni se déclencher ni se terminer avant de nouvelles données.`,
        advice:
          'Vérifiez la sonde et sa passerelle (alimentation, emplacement, réseau) et regardez le sol en attendant.',
      },
      reached: (probe, resolveAt) =>
        `L’humidité ${withDe(probe)} a atteint ${resolveAt} : l’alerte est terminée.`,
    },
  },
  firingFor: (probe, duration) => `L’alerte ${withDe(probe)} est déclenchée depuis ${duration}.`,
  aboveThreshold: (limit, resolveAt) =>
    `Elle est repassée au-dessus de ${limit}, sans atteindre les ${resolveAt} qui terminent l’alerte.`,
  lateThreshold: (stressPoint) =>
    `Les plantes y souffrent déjà du manque d’eau dès ${stressPoint}, au-dessus de ce seuil.`,
  unknownState: 'L’état actuel est inconnu.',
  oldValue: (age) =>
    `La dernière valeur remonte à ${age}, trop ancienne pour connaître l’état actuel.`,
  noData: {
    subject: (name, age) =>
      `Pas de données ${withDe(name)}${age === null ? '' : ` depuis ${age}`} : l’alerte ne surveille plus`,
    wasFiring: 'Elle était déclenchée et reste considérée comme telle.',
    wasQuiet: 'Elle n’était pas déclenchée.',
  },
  reached: {
    subject: (name, value) => `Alerte terminée : ${name}${value}`,
    advice: NOTHING_TO_DO,
  },
  ruleChanged: {
    subject: (name) => `Alerte terminée : le seuil ${withDe(name)} a été changé`,
    lead: (probe) =>
      `L’alerte ${withDe(probe)} n’est plus déclenchée, car son seuil ou son hystérésis a été changé.`,
    advice: 'Si ce changement vous surprend, demandez à la personne qui gère l’alerte.',
  },
  corrected: {
    subject: (name, value) => `Alerte retirée : ${name}${value}`,
    lead: (probe) => `Finalement, l’alerte ${withDe(probe)} n’est pas déclenchée.`,
    cause:
      'Des mesures arrivées en retard, ou corrigées, montrent d’autres valeurs que celles qui l’avaient déclenchée.',
    advice: NOTHING_TO_DO,
  },
  lasted: (duration, lowest) =>
    `Elle a duré ${duration}${lowest === null ? '' : `, avec ${lowest} au plus bas`}.`,
  noValue: 'aucune valeur',
  reading: (value, at, age) => `${value} le ${at}, il y a ${age}`,
  threshold: 'Seuil',
  limits: (limit, resolveAt) => `sous ${limit} ; se termine à ${resolveAt} ou plus`,
  lowSince: 'Humidité basse depuis',
  since: (at) => `le ${at}`,
  lowestSince: 'Minimum depuis',
  stressPoint: 'Les plantes souffrent dès',
  fieldCapacity: { label: 'Capacité au champ', undeclared: 'non déclarée' },
  wiltingPoint: { label: 'Point de flétrissement', undeclared: 'non déclaré' },
  basis: { annotation: 'ligne tracée sur la courbe', soil_profile: 'sol de la parcelle' },
  waterings: {
    title: 'Derniers arrosages',
    none: 'Aucun n’est enregistré.',
    noDose: 'dose inconnue',
    unconfirmed: 'non confirmé',
  },
  doubt: {
    subject: (name, check) => `À vérifier, ${name} : ${check}`,
    lead: (probe, since, check) =>
      `Les mesures ${withDe(probe)} sont douteuses depuis le ${since} : ${check}.`,
    steps: {
      NO_RESPONSE:
        'Vérifiez que l’eau arrive (vanne, filtre, goutteurs) et que la sonde est dans le sol mouillé.',
      DEPTHS_JUMPED:
        'Vérifiez la prise, le câble et l’alimentation de la sonde et regardez le sol ; si de l’eau est venue, notez-la.',
      MOSTLY_SILENT: 'Vérifiez les capteurs muets : câbles, prises et alimentation.',
      DRY_BY_BALANCE:
        'Voyez si tous les arrosages et la pluie sont notés, puis si l’équipement et la culture sont justes, et vérifiez ensuite la sonde.',
      TOO_WET:
        'Cherchez une fuite, un point bas ou du sel, et regardez si les racines manquent d’air.',
      ROOTS_NOT_MEASURED: 'Vérifiez la profondeur de ses racines et celles de ses capteurs.',
      SOIL_IN_DOUBT:
        'Vérifiez la texture de sa parcelle et cherchez de l’eau stagnante ; si la texture est juste, tracez la capacité au champ.',
      FIELD_CAPACITY_IN_DOUBT:
        'Vérifiez la ligne de capacité au champ et le profil de sol ; confirmez la ligne si elle est juste.',
      TENSION_AT_LIMIT:
        'Vérifiez le tensiomètre (eau, bougie, contact avec le sol) et regardez le sol.',
      TENSION_AT_ZERO:
        'Vérifiez le tensiomètre (eau, bougie, contact avec le sol) et regardez le sol.',
      TENSION_FELL:
        'Vérifiez le tensiomètre (eau, bougie, contact avec le sol) et regardez le sol.',
      WILTING_POINT_IN_DOUBT:
        'Vérifiez la ligne du point de flétrissement et le profil de sol ; confirmez la ligne si elle est juste.',
    },
    meanwhile: {
      tooWet: 'Tant que vous n’avez pas regardé le sol, n’apportez plus d’eau à cet endroit.',
      look: 'D’ici là, regardez le sol avant d’y arroser.',
      noWater: (probe) =>
        probe === null
          ? 'Pour l’instant, pas d’arrosage : le bilan hydrique n’en demande pas.'
          : `Pour l’instant, pas d’arrosage : ${probe}, sur la même vanne, n’en a pas encore besoin.`,
      byProbe: (probe, amount) =>
        `D’ici là, apportez ce que demande ${probe}, sur la même vanne : ${amount}.`,
      byBalance: (amount) => `D’ici là, apportez ce que demande le bilan hydrique : ${amount}.`,
      asBefore: (amount, isUnconfirmed) =>
        `D’ici là, continuez comme ces 14 derniers jours : ${amount} par semaine${isUnconfirmed ? ', si tous les arrosages ont eu lieu' : ''}.`,
    },
    footer: (zone, company) =>
      `Jours locaux (${zone}). Acequia écrit une fois pour chaque doute ${withDe(company)}, aux destinataires des alertes de la sonde ou, à défaut, au propriétaire.`,
  },
  footer: (zone, company) =>
    `Heures locales (${zone}). Acequia vous écrit car vous êtes destinataire de cette alerte ${withDe(company)} ; la personne qui la gère peut la désactiver.`,
};
