import { compareWithDecimal } from '../../domain/decimal.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { MailPhrases } from '../en/mail.ts';
import { sensibleMoisture } from '../number-format.ts';
import type { AlertMailFacts, SoilFigure } from './mail-facts.ts';
import { type MailFigures, mailFigures } from './mail-figures.ts';

export interface MailDraft {
  readonly subject: string;
  readonly colon: string;
  readonly lead: readonly string[];
  readonly figures: readonly (readonly [label: string, value: string])[];
  /** Null for a message that lists none. */
  readonly waterings: { readonly title: string; readonly lines: readonly string[] } | null;
  readonly advice: string;
  readonly footer: string;
}

export function draftMail(facts: AlertMailFacts, phrases: MailPhrases): MailDraft {
  const figures = mailFigures(facts, phrases.format);
  const { colon, waterings } = phrases;
  return {
    ...draftMessage(facts, figures, phrases),
    colon,
    figures: figureRows(facts, figures, phrases),
    waterings: {
      title: waterings.title,
      lines:
        facts.waterings.length === 0
          ? [waterings.none]
          : facts.waterings.map(
              ({ startedAt, waterMm, isConfirmed }) =>
                `${figures.instant(startedAt)}${colon}${waterMm === null ? waterings.noDose : figures.millimetres(waterMm)}${isConfirmed ? '' : ` (${waterings.unconfirmed})`}`,
            ),
    },
    footer: phrases.footer(facts.zone, facts.company),
  };
}

type Message = Pick<MailDraft, 'subject' | 'lead' | 'advice'>;

function draftMessage(facts: AlertMailFacts, figures: MailFigures, phrases: MailPhrases): Message {
  const { kind, module: name, parcel } = facts;
  const { newestValue } = figures;
  const names: MessageNames = {
    probe: parcel === null ? name : `${name} (${parcel})`,
    value: newestValue === null ? '' : phrases.newestValue(newestValue),
  };

  switch (kind) {
    case 'fired':
      return draftFired(facts, figures, phrases, names);
    case 'reminder':
      return draftReminder(facts, figures, phrases, names);
    case 'stale':
      return draftStale(facts, figures, phrases, names);
    case 'resolved':
      return draftEnding(facts, figures, phrases, names);
  }
}

/** The name of the probe with its parcel, and its newest value; an empty text without a value. */
interface MessageNames {
  readonly probe: string;
  readonly value: string;
}

function draftFired(
  facts: AlertMailFacts,
  figures: MailFigures,
  phrases: MailPhrases,
  { probe, value }: MessageNames,
): Message {
  const { fired } = phrases.kinds[facts.alertKind];
  const { limit, isBelow } = figures;

  return {
    subject: fired.subject(facts.module, value, limit),
    lead: withoutNulls([
      fired.lead(probe, limit, isBelow),
      aboveThreshold(figures, phrases),
      lateThreshold(facts, figures, phrases),
    ]),
    advice: fired.advice,
  };
}

function draftReminder(
  facts: AlertMailFacts,
  figures: MailFigures,
  phrases: MailPhrases,
  { probe, value }: MessageNames,
): Message {
  const { reminder, stale } = phrases.kinds[facts.alertKind];
  const { isFresh, limit, duration, durationMs, dayOfEpisode } = figures;

  return {
    subject: reminder.subject(dayOfEpisode, facts.module, value, limit),
    lead: withoutNulls([
      phrases.firingFor(probe, duration(durationMs)),
      isFresh ? aboveThreshold(figures, phrases) : ageOfValue(figures, phrases),
      lateThreshold(facts, figures, phrases),
    ]),
    advice: isFresh ? reminder.advice : stale.advice,
  };
}

function draftStale(
  { alertKind, module: name, state }: AlertMailFacts,
  { ageMs, duration, instant }: MailFigures,
  { kinds, noData }: MailPhrases,
  { probe }: MessageNames,
): Message {
  const { stale } = kinds[alertKind];
  return {
    subject: noData.subject(name, ageMs === null ? null : duration(ageMs)),
    lead: [
      stale.lead(probe, state.newestAt === null ? null : instant(state.newestAt)),
      state.isFiring ? noData.wasFiring : noData.wasQuiet,
    ],
    advice: stale.advice,
  };
}

/** An alert goes on firing above its threshold until the value reaches the resolving level. */
const aboveThreshold = (
  { isBelow, newestValue, limit, resolveAt }: MailFigures,
  phrases: MailPhrases,
): string | null =>
  isBelow || newestValue === null ? null : phrases.aboveThreshold(limit, resolveAt);

const ageOfValue = ({ ageMs, duration }: MailFigures, phrases: MailPhrases): string =>
  ageMs === null ? phrases.unknownState : phrases.oldValue(duration(ageMs));

/** A threshold below the stress point fires only after the plant already lacks water. */
function lateThreshold(
  { soil, threshold }: AlertMailFacts,
  { percent }: MailFigures,
  phrases: MailPhrases,
): string | null {
  const stressPoint = soil?.stressPoint ?? null;
  const isLate = stressPoint !== null && compareWithDecimal(threshold)(stressPoint) > 0;
  return isLate ? phrases.lateThreshold(percent(sensibleMoisture(stressPoint))) : null;
}

function draftEnding(
  { alertKind, module: name, state }: AlertMailFacts,
  { resolveAt, duration, durationMs, valueWithUnit }: MailFigures,
  { kinds, reached, ruleChanged, corrected, lasted }: MailPhrases,
  { probe, value }: MessageNames,
): Message {
  const lowest = state.lowestValue === null ? null : valueWithUnit(state.lowestValue);
  const episode = state.startedAt === null ? [] : [lasted(duration(durationMs), lowest)];

  switch (state.ending) {
    case 'reached':
      return {
        subject: reached.subject(name, value),
        lead: [kinds[alertKind].reached(probe, resolveAt), ...episode],
        advice: reached.advice,
      };
    case 'rule_changed':
      return {
        subject: ruleChanged.subject(name),
        lead: [ruleChanged.lead(probe), ...episode],
        advice: ruleChanged.advice,
      };
    case 'corrected':
      return {
        subject: corrected.subject(name, value),
        lead: [corrected.lead(probe), corrected.cause],
        advice: corrected.advice,
      };
  }
}

function figureRows(
  { alertKind, state, soil }: AlertMailFacts,
  { newestValue, limit, resolveAt, instant, duration, ageMs, percent, valueWithUnit }: MailFigures,
  phrases: MailPhrases,
): [string, string][] {
  const { newestAt, startedAt, lowestValue, isFiring } = state;

  const soilRow = (
    figure: SoilFigure | null,
    { label, undeclared }: MailPhrases['fieldCapacity'],
  ): [string, string] => [
    label,
    figure === null
      ? undeclared
      : `${percent(soilFigureValue(figure))} (${phrases.basis[figure.basis]})`,
  ];

  const rows: [string, string][] = [];
  if (newestAt !== null && ageMs !== null)
    rows.push([
      phrases.kinds[alertKind].value,
      phrases.reading(newestValue ?? phrases.noValue, instant(newestAt), duration(ageMs)),
    ]);

  rows.push([phrases.threshold, phrases.limits(limit, resolveAt)]);
  if (startedAt !== null && isFiring) {
    rows.push([phrases.lowSince, phrases.since(instant(startedAt))]);
    if (lowestValue !== null) rows.push([phrases.lowestSince, valueWithUnit(lowestValue)]);
  }

  if (soil === null) return rows;

  if (soil.stressPoint !== null)
    rows.push([phrases.stressPoint, percent(sensibleMoisture(soil.stressPoint))]);
  rows.push(
    soilRow(soil.fieldCapacity, phrases.fieldCapacity),
    soilRow(soil.wiltingPoint, phrases.wiltingPoint),
  );

  return rows;
}

/** A drawn line keeps its decimals, because the threshold shown beside it may be that line. */
const soilFigureValue = ({ value, basis }: SoilFigure): number =>
  basis === 'annotation' ? value : sensibleMoisture(value);
