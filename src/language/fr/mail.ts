import {
  type AlertMailFacts,
  type MailDraft,
  type MailFigures,
  type MailFormat,
  mailFigures,
  type SoilFigure,
} from '../mail/mail-draft.ts';
import { frenchFormat, withDe } from './grammar.ts';

const MAIL_FORMAT: MailFormat = {
  number: frenchFormat.number,
  day: (day, month, year) =>
    `${day === 1 ? '1er' : day} ${frenchFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
  dateTimeSeparator: ' à ',
  units: { days: 'jours', hour: 'h', minute: 'min' },
};

export function draftFrenchMail(facts: AlertMailFacts): MailDraft {
  const format = mailFigures(facts, MAIL_FORMAT);
  const { subject, lead, advice } = alertText(facts, format);
  return {
    subject,
    colon: ' : ',
    lead,
    figures: figureRows(facts, format),
    waterings: {
      title: 'Derniers arrosages',
      lines:
        facts.waterings.length === 0
          ? ['Aucun n’est enregistré.']
          : facts.waterings.map(
              ({ startedAt, waterMm }) =>
                `${format.instant(startedAt)} : ${waterMm === null ? 'dose inconnue' : format.millimetres(waterMm)}`,
            ),
    },
    advice,
    footer: `Heures locales (${facts.zone}). Acequia vous écrit car vous êtes destinataire de cette alerte ${withDe(facts.company)} ; la personne qui la gère peut la désactiver.`,
  };
}

const placeText = ({ module, parcel }: AlertMailFacts): string => (parcel === null ? module : `${module} (${parcel})`);

function alertText(facts: AlertMailFacts, format: MailFigures): { subject: string; lead: string[]; advice: string } {
  const { kind, module, threshold, state } = facts;
  const limit = format.percent(threshold);
  switch (kind) {
    case 'fired':
      return {
        subject: `Sol sec : ${module}${newestValueText(format)}, seuil ${limit}`,
        lead: [
          `L’humidité ${withDe(placeText(facts))} est ${format.isBelow ? '' : 'passée '}sous ${limit}.`,
          ...aboveThresholdText(facts, format),
        ],
        advice: 'Regardez les plantes et le sol sur place, arrosez si besoin et enregistrez l’apport.',
      };
    case 'reminder':
      return {
        subject: `Toujours sec, jour ${format.dayOfEpisode} : ${module}${newestValueText(format)}, seuil ${limit}`,
        lead: [
          `L’alerte ${withDe(placeText(facts))} est déclenchée depuis ${format.duration(format.durationMs)}.`,
          ...(format.isFresh ? aboveThresholdText(facts, format) : [staleValueText(format)]),
        ],
        advice: format.isFresh
          ? 'Arrosez si les plantes en ont besoin et enregistrez l’apport ; ou changez le seuil s’il est trop haut.'
          : 'Vérifiez la sonde et sa passerelle (alimentation, emplacement, réseau) et regardez le sol en attendant.',
      };
    case 'resolved':
      return ENDING_TEXTS[state.ending](facts, format);
    case 'stale':
      return {
        subject: `Pas de données ${withDe(module)}${format.ageMs === null ? '' : ` depuis ${format.duration(format.ageMs)}`} : l’alerte ne surveille plus`,
        lead: [
          `${placeText(facts)} n’a transmis aucune mesure d’humidité${state.newestAt === null ? '' : ` depuis le ${format.instant(state.newestAt)}`} : son alerte ne peut ni se déclencher ni se terminer avant de nouvelles données.`,
          state.isFiring ? 'Elle était déclenchée et reste considérée comme telle.' : 'Elle n’était pas déclenchée.',
        ],
        advice:
          'Vérifiez la sonde et sa passerelle (alimentation, emplacement, réseau) et regardez le sol en attendant.',
      };
  }
}

const newestValueText = (format: MailFigures): string =>
  format.newestValue === null ? '' : ` à ${format.newestValue}`;

const aboveThresholdText = ({ state, threshold }: AlertMailFacts, format: MailFigures): string[] =>
  format.isBelow || state.newestValue === null
    ? []
    : [
        `Elle est repassée au-dessus de ${format.percent(threshold)}, sans atteindre les ${format.resolveAt} qui terminent l’alerte.`,
      ];

const staleValueText = (format: MailFigures): string =>
  format.ageMs === null
    ? 'L’état actuel est inconnu.'
    : `La dernière valeur remonte à ${format.duration(format.ageMs)}, trop ancienne pour connaître l’état actuel.`;

function resolvedText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Alerte terminée : ${facts.module}${newestValueText(format)}`,
    lead: [
      `L’humidité ${withDe(placeText(facts))} a atteint ${format.resolveAt} : l’alerte est terminée.`,
      ...durationText(facts, format),
    ],
    advice: 'Il n’y a rien à faire ; l’alerte reste active.',
  };
}

function ruleChangedText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Alerte terminée : le seuil ${withDe(facts.module)} a été changé`,
    lead: [
      `L’alerte ${withDe(placeText(facts))} n’est plus déclenchée, car son seuil ou son hystérésis a été changé.`,
      ...durationText(facts, format),
    ],
    advice: 'Si ce changement vous surprend, demandez à la personne qui gère l’alerte.',
  };
}

function withdrawnText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Alerte retirée : ${facts.module}${newestValueText(format)}`,
    lead: [
      `Finalement, l’alerte ${withDe(placeText(facts))} n’est pas déclenchée.`,
      'Des mesures arrivées en retard, ou corrigées, montrent d’autres valeurs que celles qui l’avaient déclenchée.',
    ],
    advice: 'Il n’y a rien à faire ; l’alerte reste active.',
  };
}

const ENDING_TEXTS = { reached: resolvedText, rule_changed: ruleChangedText, corrected: withdrawnText };

const durationText = ({ state }: AlertMailFacts, format: MailFigures): string[] =>
  state.startedAt === null
    ? []
    : [
        `Elle a duré ${format.duration(format.durationMs)}${state.lowestValue === null ? '' : `, avec ${format.percent(state.lowestValue)} au plus bas`}.`,
      ];

function figureRows(
  { state, threshold, fieldCapacity, wiltingPoint }: AlertMailFacts,
  format: MailFigures,
): [string, string][] {
  const { newestAt, startedAt, lowestValue, isFiring } = state;
  const rows: [string, string][] = [];
  if (newestAt !== null)
    rows.push([
      'Humidité',
      `${format.newestValue ?? 'aucune valeur'} le ${format.instant(newestAt)}, il y a ${format.duration(format.ageMs!)}`,
    ]);
  rows.push(['Seuil', `sous ${format.percent(threshold)} ; se termine à ${format.resolveAt} ou plus`]);
  if (startedAt !== null && isFiring) {
    rows.push(['Déclenchée depuis', `le ${format.instant(startedAt)}`]);
    if (lowestValue !== null) rows.push(['Minimum depuis', format.percent(lowestValue)]);
  }
  rows.push(
    ['Capacité au champ', soilFigureText(fieldCapacity, format) ?? 'non déclarée'],
    ['Point de flétrissement', soilFigureText(wiltingPoint, format) ?? 'non déclaré'],
  );
  return rows;
}

const BASIS_LABELS = { annotation: 'ligne tracée sur la courbe', soil_profile: 'sol de la parcelle' };

const soilFigureText = (figure: SoilFigure | null, format: MailFigures): string | null =>
  figure && `${format.percent(figure.value)} (${BASIS_LABELS[figure.basis]})`;
