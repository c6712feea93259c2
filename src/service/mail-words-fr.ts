import { of } from '../domain/french.ts';
import { type Figures, figuresOf, type Writing } from './mail-figures.ts';
import type { AlertMailFacts, MailDraft, SoilFigure } from './mail-words.ts';

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ');

const WRITING: Writing = {
  decimalMark: ',',
  day: (day, month, year) => `${day === 1 ? '1er' : day} ${MONTHS[month - 1]}${year === null ? '' : ` ${year}`}`,
  atTime: ' à ',
  units: { days: 'jours', hour: 'h', minute: 'min' },
};

/** What a message says in French. */
export function frenchDraft(facts: AlertMailFacts): MailDraft {
  const say = figuresOf(facts, WRITING);
  const { subject, lead, advice } = told(facts, say);
  return {
    subject,
    colon: ' : ',
    lead,
    figures: figures(facts, say),
    waterings: {
      title: 'Derniers arrosages',
      lines:
        facts.waterings.length === 0
          ? ['Aucun n’est enregistré.']
          : facts.waterings.map(
              ({ startedAt, waterMm }) =>
                `${say.instant(startedAt)} : ${waterMm === null ? 'dose inconnue' : say.millimetres(waterMm)}`,
            ),
    },
    advice,
    footer: `Heures locales (${facts.zone}). Acequia vous écrit car vous êtes destinataire de cette alerte ${of(facts.company)} ; la personne qui la gère peut la désactiver.`,
  };
}

const place = ({ module, parcel }: AlertMailFacts): string => (parcel === null ? module : `${module} (${parcel})`);

function told(facts: AlertMailFacts, say: Figures): { subject: string; lead: string[]; advice: string } {
  const { kind, module, threshold, standing } = facts;
  const limit = say.percent(threshold);
  switch (kind) {
    case 'fired':
      return {
        subject: `Sol sec : ${module}${atNewest(say)}, seuil ${limit}`,
        lead: [
          `L’humidité ${of(place(facts))} est ${say.isBelow ? '' : 'passée '}sous ${limit}.`,
          ...aboveAgain(facts, say),
        ],
        advice: 'Regardez les plantes et le sol sur place, arrosez si besoin et enregistrez l’apport.',
      };
    case 'reminder':
      return {
        subject: `Toujours sec, jour ${say.dayOfEpisode} : ${module}${atNewest(say)}, seuil ${limit}`,
        lead: [
          `L’alerte ${of(place(facts))} est déclenchée depuis ${say.span(say.lastedMs)}.`,
          ...(say.isFresh ? aboveAgain(facts, say) : [tooOld(say)]),
        ],
        advice: say.isFresh
          ? 'Arrosez si les plantes en ont besoin et enregistrez l’apport ; ou changez le seuil s’il est trop haut.'
          : 'Vérifiez la sonde et sa passerelle (alimentation, emplacement, réseau) et regardez le sol en attendant.',
      };
    case 'resolved':
      return ENDINGS[standing.ending](facts, say);
    case 'stale':
      return {
        subject: `Pas de données ${of(module)}${say.ageMs === null ? '' : ` depuis ${say.span(say.ageMs)}`} : l’alerte ne surveille plus`,
        lead: [
          `${place(facts)} n’a transmis aucune mesure d’humidité${standing.at === null ? '' : ` depuis le ${say.instant(standing.at)}`} : son alerte ne peut ni se déclencher ni se terminer avant de nouvelles données.`,
          standing.isFiring ? 'Elle était déclenchée et reste considérée comme telle.' : 'Elle n’était pas déclenchée.',
        ],
        advice:
          'Vérifiez la sonde et sa passerelle (alimentation, emplacement, réseau) et regardez le sol en attendant.',
      };
  }
}

const atNewest = (say: Figures): string => (say.newest === null ? '' : ` à ${say.newest}`);

const aboveAgain = ({ standing, threshold }: AlertMailFacts, say: Figures): string[] =>
  say.isBelow || standing.value === null
    ? []
    : [
        `Elle est repassée au-dessus de ${say.percent(threshold)}, sans atteindre les ${say.resolveAt} qui terminent l’alerte.`,
      ];

const tooOld = (say: Figures): string =>
  say.ageMs === null
    ? 'On ne sait rien de l’état actuel.'
    : `La dernière valeur remonte à ${say.span(say.ageMs)}, c’est trop pour connaître l’état actuel.`;

function resolved(facts: AlertMailFacts, say: Figures) {
  return {
    subject: `Alerte terminée : ${facts.module}${atNewest(say)}`,
    lead: [`L’humidité ${of(place(facts))} a atteint ${say.resolveAt} : l’alerte est terminée.`, ...lasted(facts, say)],
    advice: 'Il n’y a rien à faire ; l’alerte continue de surveiller.',
  };
}

function ruleChanged(facts: AlertMailFacts, say: Figures) {
  return {
    subject: `Alerte terminée : le seuil ${of(facts.module)} a été changé`,
    lead: [
      `L’alerte ${of(place(facts))} n’est plus déclenchée, car son seuil ou son hystérésis a été changé.`,
      ...lasted(facts, say),
    ],
    advice: 'Si ce changement vous surprend, demandez à la personne qui gère l’alerte.',
  };
}

function corrected(facts: AlertMailFacts, say: Figures) {
  return {
    subject: `Alerte retirée : ${facts.module}${atNewest(say)}`,
    lead: [
      `Finalement, l’alerte ${of(place(facts))} n’est pas déclenchée.`,
      'Des mesures arrivées en retard, ou corrigées, montrent d’autres valeurs que celles qui l’avaient déclenchée.',
    ],
    advice: 'Il n’y a rien à faire ; l’alerte continue de surveiller.',
  };
}

const ENDINGS = { reached: resolved, rule_changed: ruleChanged, corrected };

const lasted = ({ standing }: AlertMailFacts, say: Figures): string[] =>
  standing.since === null
    ? []
    : [
        `Elle a duré ${say.span(say.lastedMs)}${standing.lowest === null ? '' : `, avec ${say.percent(standing.lowest)} au plus bas`}.`,
      ];

function figures(
  { standing, threshold, fieldCapacity, wiltingPoint }: AlertMailFacts,
  say: Figures,
): [string, string][] {
  const { at, since, lowest, isFiring } = standing;
  const rows: [string, string][] = [];
  if (at !== null)
    rows.push(['Humidité', `${say.newest ?? 'aucune valeur'} le ${say.instant(at)}, il y a ${say.span(say.ageMs!)}`]);
  rows.push(['Seuil', `sous ${say.percent(threshold)} ; se termine à ${say.resolveAt} ou plus`]);
  if (since !== null && isFiring) {
    rows.push(['Déclenchée depuis', `le ${say.instant(since)}`]);
    if (lowest !== null) rows.push(['Minimum depuis', say.percent(lowest)]);
  }
  rows.push(
    ['Capacité au champ', soil(fieldCapacity, say) ?? 'non déclarée'],
    ['Point de flétrissement', soil(wiltingPoint, say) ?? 'non déclaré'],
  );
  return rows;
}

const RESTS_ON = { annotation: 'ligne tracée sur la courbe', soil_profile: 'sol de la parcelle' };

const soil = (figure: SoilFigure | null, say: Figures): string | null =>
  figure && `${say.percent(figure.value)} (${RESTS_ON[figure.basis]})`;
