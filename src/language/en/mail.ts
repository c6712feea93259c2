import {
  type AlertMailFacts,
  type MailDraft,
  type MailFigures,
  type MailFormat,
  mailFigures,
  type SoilFigure,
} from '../mail/mail-draft.ts';
import { englishFormat } from './grammar.ts';

const MAIL_FORMAT: MailFormat = {
  number: englishFormat.number,
  day: (day, month, year) => `${day} ${englishFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
  dateTimeSeparator: ', ',
  units: { days: 'days', hour: 'h', minute: 'min' },
};

export function draftEnglishMail(facts: AlertMailFacts): MailDraft {
  const format = mailFigures(facts, MAIL_FORMAT);
  const { subject, lead, advice } = alertText(facts, format);
  return {
    subject,
    colon: ': ',
    lead,
    figures: figureRows(facts, format),
    waterings: {
      title: 'Last waterings',
      lines:
        facts.waterings.length === 0
          ? ['None recorded.']
          : facts.waterings.map(
              ({ startedAt, waterMm }) =>
                `${format.instant(startedAt)}: ${waterMm === null ? 'dose missing' : format.millimetres(waterMm)}`,
            ),
    },
    advice,
    footer: `Times are local (${facts.zone}). Acequia writes to you because you are a recipient of this alert of ${facts.company}; the person who manages it can disable it.`,
  };
}

const placeText = ({ module, parcel }: AlertMailFacts): string => (parcel === null ? module : `${module} (${parcel})`);

function alertText(facts: AlertMailFacts, format: MailFigures): { subject: string; lead: string[]; advice: string } {
  const { kind, module, threshold, state } = facts;
  const limit = format.percent(threshold);
  switch (kind) {
    case 'fired':
      return {
        subject: `Dry soil: ${module}${newestValueText(format)}, threshold ${limit}`,
        lead: [
          `Moisture at ${placeText(facts)} ${format.isBelow ? 'is' : 'fell'} below ${limit}.`,
          ...aboveThresholdText(facts, format),
        ],
        advice: 'Look at the plants and the soil there, water if they need it, and log the watering.',
      };
    case 'reminder':
      return {
        subject: `Still dry, day ${format.dayOfEpisode}: ${module}${newestValueText(format)}, threshold ${limit}`,
        lead: [
          `The alert of ${placeText(facts)} has been firing for ${format.duration(format.durationMs)}.`,
          ...(format.isFresh ? aboveThresholdText(facts, format) : [staleValueText(format)]),
        ],
        advice: format.isFresh
          ? 'Water if the plants need it, and log the watering; or change the threshold if it is set too high.'
          : 'Check the probe and its gateway (power, place, network), and look at the soil in the meantime.',
      };
    case 'resolved':
      return ENDING_TEXTS[state.ending](facts, format);
    case 'stale':
      return {
        subject: `No data from ${module}${format.ageMs === null ? '' : ` for ${format.duration(format.ageMs)}`}: its alert cannot work`,
        lead: [
          `${placeText(facts)} has sent no moisture${state.newestAt === null ? '' : ` since ${format.instant(state.newestAt)}`}, so its alert can neither fire nor resolve until it sends again.`,
          state.isFiring ? 'It was firing, and still counts as firing.' : 'It was quiet.',
        ],
        advice: 'Check the probe and its gateway (power, place, network), and look at the soil in the meantime.',
      };
  }
}

const newestValueText = (format: MailFigures): string =>
  format.newestValue === null ? '' : ` at ${format.newestValue}`;

const aboveThresholdText = ({ state, threshold }: AlertMailFacts, format: MailFigures): string[] =>
  format.isBelow || state.newestValue === null
    ? []
    : [
        `It is above ${format.percent(threshold)} again, and below the ${format.resolveAt} at which the alert resolves.`,
      ];

const staleValueText = (format: MailFigures): string =>
  format.ageMs === null
    ? 'The current state is unknown.'
    : `Its newest value is ${format.duration(format.ageMs)} old, too old to show the current state.`;

function resolvedText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Resolved: ${facts.module}${newestValueText(format)}`,
    lead: [
      `Moisture at ${placeText(facts)} has reached ${format.resolveAt}: the alert has resolved.`,
      ...durationText(facts, format),
    ],
    advice: 'There is nothing to do; the alert stays active.',
  };
}

function ruleChangedText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Resolved: the threshold of ${facts.module} was changed`,
    lead: [
      `The alert of ${placeText(facts)} no longer fires, because its threshold or hysteresis was changed.`,
      ...durationText(facts, format),
    ],
    advice: 'If you did not expect this change, ask the person who manages the alert.',
  };
}

function withdrawnText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Withdrawn: the alert of ${facts.module}${newestValueText(format)}`,
    lead: [
      `The alert of ${placeText(facts)} does not fire after all.`,
      'Readings that came late, or were corrected, show other values than those it fired on.',
    ],
    advice: 'There is nothing to do; the alert stays active.',
  };
}

const ENDING_TEXTS = { reached: resolvedText, rule_changed: ruleChangedText, corrected: withdrawnText };

const durationText = ({ state }: AlertMailFacts, format: MailFigures): string[] =>
  state.startedAt === null
    ? []
    : [
        `It fired for ${format.duration(format.durationMs)}${state.lowestValue === null ? '' : `, with ${format.percent(state.lowestValue)} at the lowest`}.`,
      ];

function figureRows(
  { state, threshold, fieldCapacity, wiltingPoint }: AlertMailFacts,
  format: MailFigures,
): [string, string][] {
  const { newestAt, startedAt, lowestValue, isFiring } = state;
  const rows: [string, string][] = [];
  if (newestAt !== null)
    rows.push([
      'Moisture',
      `${format.newestValue ?? 'no value'} on ${format.instant(newestAt)}, ${format.duration(format.ageMs!)} ago`,
    ]);
  rows.push(['Threshold', `below ${format.percent(threshold)}; resolves at ${format.resolveAt} or above`]);
  if (startedAt !== null && isFiring) {
    rows.push(['Firing since', format.instant(startedAt)]);
    if (lowestValue !== null) rows.push(['Lowest since', format.percent(lowestValue)]);
  }
  rows.push(
    ['Field capacity', soilFigureText(fieldCapacity, format)],
    ['Wilting point', soilFigureText(wiltingPoint, format)],
  );
  return rows;
}

const BASIS_LABELS = { annotation: 'the line drawn on the curve', soil_profile: 'the soil of the parcel' };

const soilFigureText = (figure: SoilFigure | null, format: MailFigures): string =>
  figure === null ? 'not declared' : `${format.percent(figure.value)} (${BASIS_LABELS[figure.basis]})`;
