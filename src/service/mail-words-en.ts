import { type Figures, figuresOf, type Writing } from './mail-figures.ts';
import type { AlertMailFacts, MailDraft, SoilFigure } from './mail-words.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const WRITING: Writing = {
  decimalMark: '.',
  day: (day, month, year) => `${day} ${MONTHS[month - 1]}${year === null ? '' : ` ${year}`}`,
  atTime: ', ',
  units: { days: 'days', hour: 'h', minute: 'min' },
};

/** What a message says in English. */
export function englishDraft(facts: AlertMailFacts): MailDraft {
  const say = figuresOf(facts, WRITING);
  const { subject, lead, advice } = told(facts, say);
  return {
    subject,
    colon: ': ',
    lead,
    figures: figures(facts, say),
    waterings: {
      title: 'Last waterings',
      lines:
        facts.waterings.length === 0
          ? ['None is in the books.']
          : facts.waterings.map(
              ({ startedAt, waterMm }) =>
                `${say.instant(startedAt)}: ${waterMm === null ? 'dose missing' : say.millimetres(waterMm)}`,
            ),
    },
    advice,
    footer: `Times are local (${facts.zone}). Acequia writes to you because you are a recipient of this alert of ${facts.company}; whoever keeps it can disable it.`,
  };
}

const place = ({ module, parcel }: AlertMailFacts): string => (parcel === null ? module : `${module} (${parcel})`);

function told(facts: AlertMailFacts, say: Figures): { subject: string; lead: string[]; advice: string } {
  const { kind, module, threshold, standing } = facts;
  const limit = say.percent(threshold);
  switch (kind) {
    case 'fired':
      return {
        subject: `Dry soil: ${module}${atNewest(say)}, threshold ${limit}`,
        lead: [`Moisture at ${place(facts)} ${say.isBelow ? 'is' : 'fell'} below ${limit}.`, ...aboveAgain(facts, say)],
        advice: 'Look at the plants and the soil there, water if they need it, and log what you give.',
      };
    case 'reminder':
      return {
        subject: `Still dry, day ${say.dayOfEpisode}: ${module}${atNewest(say)}, threshold ${limit}`,
        lead: [
          `The alert of ${place(facts)} has been firing for ${say.span(say.lastedMs)}.`,
          ...(say.isFresh ? aboveAgain(facts, say) : [tooOld(say)]),
        ],
        advice: say.isFresh
          ? 'Water if the plants need it, and log what you give; or change the threshold if it is set too high.'
          : 'Check the probe and its gateway (power, place, network), and look at the soil in the meantime.',
      };
    case 'resolved':
      return ENDINGS[standing.ending](facts, say);
    case 'stale':
      return {
        subject: `No data from ${module}${say.ageMs === null ? '' : ` for ${say.span(say.ageMs)}`}: its alert cannot watch`,
        lead: [
          `${place(facts)} has sent no moisture${standing.at === null ? '' : ` since ${say.instant(standing.at)}`}, so its alert can neither fire nor resolve until it sends again.`,
          standing.isFiring ? 'It was firing before, and still counts as firing.' : 'It was quiet before.',
        ],
        advice: 'Check the probe and its gateway (power, place, network), and look at the soil in the meantime.',
      };
  }
}

const atNewest = (say: Figures): string => (say.newest === null ? '' : ` at ${say.newest}`);

const aboveAgain = ({ standing, threshold }: AlertMailFacts, say: Figures): string[] =>
  say.isBelow || standing.value === null
    ? []
    : [`It is above ${say.percent(threshold)} again, and below the ${say.resolveAt} at which the alert resolves.`];

const tooOld = (say: Figures): string =>
  say.ageMs === null
    ? 'Nothing is known of now.'
    : `Its newest value is ${say.span(say.ageMs)} old, too old to tell of now.`;

function resolved(facts: AlertMailFacts, say: Figures) {
  return {
    subject: `Resolved: ${facts.module}${atNewest(say)}`,
    lead: [`Moisture at ${place(facts)} has reached ${say.resolveAt}: the alert has resolved.`, ...lasted(facts, say)],
    advice: 'Nothing is left to do; the alert goes on watching.',
  };
}

function ruleChanged(facts: AlertMailFacts, say: Figures) {
  return {
    subject: `Resolved: the threshold of ${facts.module} was changed`,
    lead: [
      `The alert of ${place(facts)} no longer fires, because its threshold or hysteresis was changed.`,
      ...lasted(facts, say),
    ],
    advice: 'If you did not expect this change, ask whoever keeps the alert.',
  };
}

function corrected(facts: AlertMailFacts, say: Figures) {
  return {
    subject: `Taken back: the alert of ${facts.module}${atNewest(say)}`,
    lead: [
      `The alert of ${place(facts)} does not fire after all.`,
      'Readings that came late, or were corrected, show other values than those it fired on.',
    ],
    advice: 'Nothing is left to do; the alert goes on watching.',
  };
}

const ENDINGS = { reached: resolved, rule_changed: ruleChanged, corrected };

const lasted = ({ standing }: AlertMailFacts, say: Figures): string[] =>
  standing.since === null
    ? []
    : [
        `It fired for ${say.span(say.lastedMs)}${standing.lowest === null ? '' : `, with ${say.percent(standing.lowest)} at the lowest`}.`,
      ];

function figures(
  { standing, threshold, fieldCapacity, wiltingPoint }: AlertMailFacts,
  say: Figures,
): [string, string][] {
  const { at, since, lowest, isFiring } = standing;
  const rows: [string, string][] = [];
  if (at !== null)
    rows.push(['Moisture', `${say.newest ?? 'no value'} on ${say.instant(at)}, ${say.span(say.ageMs!)} ago`]);
  rows.push(['Threshold', `below ${say.percent(threshold)}; resolves at ${say.resolveAt} or above`]);
  if (since !== null && isFiring) {
    rows.push(['Firing since', say.instant(since)]);
    if (lowest !== null) rows.push(['Lowest since', say.percent(lowest)]);
  }
  rows.push(['Field capacity', soil(fieldCapacity, say)], ['Wilting point', soil(wiltingPoint, say)]);
  return rows;
}

const RESTS_ON = { annotation: 'the line drawn on the curve', soil_profile: 'the soil of the parcel' };

const soil = (figure: SoilFigure | null, say: Figures): string =>
  figure === null ? 'not declared' : `${say.percent(figure.value)} (${RESTS_ON[figure.basis]})`;
