import { say } from '../../domain/text/say.ts';
import type { MailPhrases } from '../en/mail.ts';
import { frenchFormat, sayDe } from './grammar.ts';
import { frenchTime } from './time.ts';

const NOTHING_TO_DO = say`Il n’y a rien à faire ; l’alerte reste active.`;

export const frenchMail: MailPhrases = {
  format: {
    number: frenchFormat.number,
    day: (day, month, year) =>
      `${day === 1 ? '1er' : day} ${frenchFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
    dateTimeSeparator: ' à ',
    repeatedHour: frenchTime.repeatedHour,
    units: { days: 'jours', hour: 'h', minute: 'min' },
  },
  colon: say` : `,
  andOthers: (subject, count) =>
    `${subject}, et ${count} ${count === 1 ? 'autre message' : 'autres messages'}`,
  newestValue: (value) => say` à ${value}`,
  kinds: {
    moisture: {
      value: say`Humidité`,
      fired: {
        subject: (name, value, limit) => say`Sol sec : ${name}${value}, seuil ${limit}`,
        lead: (probe, limit, isBelow) =>
          say`L’humidité ${sayDe(probe)} est ${isBelow ? null : say`passée `}sous ${limit}.`,
        advice: say`Regardez les plantes et le sol sur place, arrosez si besoin et enregistrez l’apport.`,
      },
      reminder: {
        subject: (day, name, value, limit) =>
          say`Toujours sec, jour ${day} : ${name}${value}, seuil ${limit}`,
        advice: say`Arrosez si les plantes en ont besoin et enregistrez l’apport ; ou changez le seuil s’il est trop haut.`,
      },
      stale: {
        lead: (probe, since) =>
          say`${probe} n’a transmis aucune mesure d’humidité${since === null ? null : say` depuis le ${since}`} : son alerte ne peut ni se déclencher ni se terminer avant de nouvelles données.`,
        advice: say`Vérifiez la sonde et sa passerelle (alimentation, emplacement, réseau) et regardez le sol en attendant.`,
      },
      reached: (probe, resolveAt) =>
        say`L’humidité ${sayDe(probe)} a atteint ${resolveAt} : l’alerte est terminée.`,
    },
  },
  firingFor: (probe, duration) => say`L’alerte ${sayDe(probe)} est déclenchée depuis ${duration}.`,
  aboveThreshold: (limit, resolveAt) =>
    say`Elle est repassée au-dessus de ${limit}, sans atteindre les ${resolveAt} qui terminent l’alerte.`,
  lateThreshold: (stressPoint) =>
    say`Les plantes y souffrent déjà du manque d’eau dès ${stressPoint}, au-dessus de ce seuil.`,
  unknownState: say`L’état actuel est inconnu.`,
  oldValue: (age) =>
    say`La dernière valeur remonte à ${age}, trop ancienne pour connaître l’état actuel.`,
  noData: {
    subject: (name, age) =>
      say`Pas de données ${sayDe(name)}${age === null ? null : say` depuis ${age}`} : l’alerte ne surveille plus`,
    wasFiring: say`Elle était déclenchée et reste considérée comme telle.`,
    wasQuiet: say`Elle n’était pas déclenchée.`,
  },
  reached: {
    subject: (name, value) => say`Alerte terminée : ${name}${value}`,
    advice: NOTHING_TO_DO,
  },
  ruleChanged: {
    subject: (name) => say`Alerte terminée : le seuil ${sayDe(name)} a été changé`,
    lead: (probe) =>
      say`L’alerte ${sayDe(probe)} n’est plus déclenchée, car son seuil ou son hystérésis a été changé.`,
    advice: say`Si ce changement vous surprend, demandez à la personne qui gère l’alerte.`,
  },
  corrected: {
    subject: (name, value) => say`Alerte retirée : ${name}${value}`,
    lead: (probe) => say`Finalement, l’alerte ${sayDe(probe)} n’est pas déclenchée.`,
    cause: say`Des mesures arrivées en retard, ou corrigées, montrent d’autres valeurs que celles qui l’avaient déclenchée.`,
    advice: NOTHING_TO_DO,
  },
  lasted: (duration, lowest) =>
    say`Elle a duré ${duration}${lowest === null ? null : say`, avec ${lowest} au plus bas`}.`,
  noValue: say`aucune valeur`,
  reading: (value, at, age) => say`${value} le ${at}, il y a ${age}`,
  threshold: say`Seuil`,
  limits: (limit, resolveAt) => say`sous ${limit} ; se termine à ${resolveAt} ou plus`,
  lowSince: say`Humidité basse depuis`,
  since: (at) => say`le ${at}`,
  lowestSince: say`Minimum depuis`,
  stressPoint: say`Les plantes souffrent dès`,
  fieldCapacity: { label: say`Capacité au champ`, undeclared: say`non déclarée` },
  wiltingPoint: { label: say`Point de flétrissement`, undeclared: say`non déclaré` },
  basis: { annotation: say`ligne tracée sur la courbe`, soil_profile: say`sol de la parcelle` },
  waterings: {
    title: say`Derniers arrosages`,
    none: say`Aucun n’est enregistré.`,
    noDose: say`dose inconnue`,
    unconfirmed: say`non confirmé`,
  },
  footer: (zone, company) =>
    say`Heures locales (${zone}). Acequia vous écrit car vous êtes destinataire de cette alerte ${sayDe(company)} ; la personne qui la gère peut la désactiver.`,
};
