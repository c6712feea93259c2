import { compareWithDecimal } from '../../domain/decimal.ts';
import { withoutNulls } from '../../domain/items.ts';
import { amount, exact, longDuration, moisture } from '../../domain/text/figures.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Figures, Name, Text } from '../../domain/text/text.ts';
import { longTimeOf, zone } from '../../domain/text/times.ts';
import type { MailPhrases } from '../en/mail.ts';
import type { AlertMailFacts, SoilFigure } from './mail-facts.ts';
import { type MailFigures, mailFigures } from './mail-figures.ts';

export interface MailDraft {
  readonly subject: Text;
  readonly lead: readonly Text[];
  readonly figures: readonly (readonly [label: Text, value: Text])[];
  /** Null for a message that lists none. */
  readonly waterings: { readonly title: Text; readonly lines: readonly Text[] } | null;
  readonly advice: Text;
  readonly footer: Text;
}

export function draftMail(facts: AlertMailFacts, phrases: MailPhrases): MailDraft {
  const figures = mailFigures(facts);
  const { colon, waterings } = phrases;
  return {
    ...draftMessage(facts, figures, phrases),
    figures: figureRows(facts, figures, phrases),
    waterings: {
      title: waterings.title,
      lines:
        facts.waterings.length === 0
          ? [waterings.none]
          : facts.waterings.map(
              ({ startedAt, waterMm, isConfirmed }) =>
                say`${longTimeOf(startedAt)}${colon}${waterMm === null ? waterings.noDose : amount(waterMm, 'mm')}${isConfirmed ? null : say` (${waterings.unconfirmed})`}`,
            ),
    },
    footer: phrases.footer(zone, verbatim(facts.company)),
  };
}

type Message = Pick<MailDraft, 'subject' | 'lead' | 'advice'>;

function draftMessage(facts: AlertMailFacts, figures: MailFigures, phrases: MailPhrases): Message {
  const { kind, parcel } = facts;
  const { newestValue } = figures;
  const name = verbatim(facts.module);
  const names: MessageNames = {
    name,
    probe: parcel === null ? say`${name}` : say`${name} (${verbatim(parcel)})`,
    value: newestValue === null ? null : phrases.newestValue(newestValue),
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

interface MessageNames {
  readonly name: Name;
  /** With its parcel. */
  readonly probe: Text;
  /** The newest, if there is one. */
  readonly value: Text | null;
}

function draftFired(
  facts: AlertMailFacts,
  figures: MailFigures,
  phrases: MailPhrases,
  { name, probe, value }: MessageNames,
): Message {
  const { fired } = phrases.kinds[facts.alertKind];
  const { limit, isBelow } = figures;

  return {
    subject: fired.subject(name, value, limit),
    lead: withoutNulls([
      fired.lead(probe, limit, isBelow),
      aboveThreshold(figures, phrases),
      lateThreshold(facts, phrases),
    ]),
    advice: fired.advice,
  };
}

function draftReminder(
  facts: AlertMailFacts,
  figures: MailFigures,
  phrases: MailPhrases,
  { name, probe, value }: MessageNames,
): Message {
  const { reminder, stale } = phrases.kinds[facts.alertKind];
  const { isFresh, limit, durationMs, dayOfEpisode } = figures;

  return {
    subject: reminder.subject(dayOfEpisode, name, value, limit),
    lead: withoutNulls([
      phrases.firingFor(probe, longDuration(durationMs)),
      isFresh ? aboveThreshold(figures, phrases) : ageOfValue(figures, phrases),
      lateThreshold(facts, phrases),
    ]),
    advice: isFresh ? reminder.advice : stale.advice,
  };
}

function draftStale(
  { alertKind, state }: AlertMailFacts,
  { ageMs }: MailFigures,
  { kinds, noData }: MailPhrases,
  { name, probe }: MessageNames,
): Message {
  const { stale } = kinds[alertKind];
  return {
    subject: noData.subject(name, ageMs === null ? null : longDuration(ageMs)),
    lead: [
      stale.lead(probe, state.newestAt === null ? null : longTimeOf(state.newestAt)),
      state.isFiring ? noData.wasFiring : noData.wasQuiet,
    ],
    advice: stale.advice,
  };
}

/** An alert goes on firing above its threshold until the value reaches the resolving level. */
const aboveThreshold = (
  { isBelow, newestValue, limit, resolveAt }: MailFigures,
  phrases: MailPhrases,
): Text | null =>
  isBelow || newestValue === null ? null : phrases.aboveThreshold(limit, resolveAt);

const ageOfValue = ({ ageMs }: MailFigures, phrases: MailPhrases): Text =>
  ageMs === null ? phrases.unknownState : phrases.oldValue(longDuration(ageMs));

/** A threshold below the stress point fires only after the plant already lacks water. */
function lateThreshold({ soil, threshold }: AlertMailFacts, phrases: MailPhrases): Text | null {
  const stressPoint = soil?.stressPoint ?? null;
  const isLate = stressPoint !== null && compareWithDecimal(threshold)(stressPoint) > 0;
  return isLate ? phrases.lateThreshold(moisture(stressPoint, '%')) : null;
}

function draftEnding(
  { alertKind, state }: AlertMailFacts,
  { resolveAt, durationMs, valueWithUnit }: MailFigures,
  { kinds, reached, ruleChanged, corrected, lasted }: MailPhrases,
  { name, probe, value }: MessageNames,
): Message {
  const lowest = state.lowestValue === null ? null : valueWithUnit(state.lowestValue);
  const episode = state.startedAt === null ? [] : [lasted(longDuration(durationMs), lowest)];

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
  { newestValue, limit, resolveAt, ageMs, valueWithUnit }: MailFigures,
  phrases: MailPhrases,
): [Text, Text][] {
  const { newestAt, startedAt, lowestValue, isFiring } = state;

  const soilRow = (
    figure: SoilFigure | null,
    { label, undeclared }: MailPhrases['fieldCapacity'],
  ): [Text, Text] => [
    label,
    figure === null ? undeclared : say`${soilFigureValue(figure)} (${phrases.basis[figure.basis]})`,
  ];

  const rows: [Text, Text][] = [];
  if (newestAt !== null && ageMs !== null)
    rows.push([
      phrases.kinds[alertKind].value,
      phrases.reading(newestValue ?? phrases.noValue, longTimeOf(newestAt), longDuration(ageMs)),
    ]);

  rows.push([phrases.threshold, phrases.limits(limit, resolveAt)]);
  if (startedAt !== null && isFiring) {
    rows.push([phrases.lowSince, phrases.since(longTimeOf(startedAt))]);
    if (lowestValue !== null) rows.push([phrases.lowestSince, say`${valueWithUnit(lowestValue)}`]);
  }

  if (soil === null) return rows;

  if (soil.stressPoint !== null)
    rows.push([phrases.stressPoint, say`${moisture(soil.stressPoint, '%')}`]);
  rows.push(
    soilRow(soil.fieldCapacity, phrases.fieldCapacity),
    soilRow(soil.wiltingPoint, phrases.wiltingPoint),
  );

  return rows;
}

/** A drawn line keeps its decimals, because the threshold shown beside it may be that line. */
const soilFigureValue = ({ value, basis }: SoilFigure): Figures =>
  basis === 'annotation' ? exact(value, '%') : moisture(value, '%');
