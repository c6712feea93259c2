import { groupBy } from '../../domain/groups.ts';
import { entryOf, firstOf } from '../../domain/items.ts';
import { amount, estimate } from '../../domain/text/figures.ts';
import { join, listAndMore, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type {
  ParcelWateringAnswer,
  WateringAnswer,
  WateringBody,
} from '../../schema/irrigation/watering.ts';
import { sensibleAmount } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText, parcelText, withProbes } from '../text/names-of-farm.ts';
import {
  describeAmountOf,
  describeDose,
  describeRemainingRun,
  describeTime,
  describeWarnings,
  LOGGED,
  summarizeAnswer,
} from './watering-summary.ts';

const COUNTS_WITHOUT_PROBE = say`The parcel has no probe to show it: it counts in its water balance.`;

type ProbeNames = ReadonlyMap<number, Text>;

export async function summarizeParcelWatering(
  { parcelId, waterings, ofParcel }: ParcelWateringAnswer,
  context: SummaryContext,
): Promise<Text> {
  if (ofParcel)
    return sentences([
      await summarizeAnswer(ofParcel, context, LOGGED[ofParcel.event.status]),
      COUNTS_WITHOUT_PROBE,
    ]);

  const { event: first } = firstOf(waterings);
  const parcel = await parcelText(context.directory, parcelId);
  const names = new Map<number, Text>();
  for (const { event } of waterings)
    names.set(event.moduleId, await moduleText(context.directory, event.moduleId));
  const target = withProbes(parcel, [...names.values()]);

  return sentences([
    say`${LOGGED[first.status]} ${describeParcelAmount(waterings)} on ${target}, ${describeTime(first)}: ${describeDoses(waterings, names)}.`,
    describeRemainingRun(first, context),
    ...describeParcelWarnings(waterings, parcel, names),
  ]);
}

function describeParcelAmount(waterings: readonly WateringAnswer[]): Text {
  const events = waterings.map(({ event }) => event);
  const first = firstOf(events);
  const systems = new Set(events.map(({ configSnapshot }) => configSnapshot?.system));
  const onlySystem = systems.size === 1 ? first.configSnapshot?.system : null;
  const watering = describeAmountOf(first, onlySystem);
  if (first.inputMode !== 'volume_m3') return watering;

  const areaM2 = events
    .map(({ configSnapshot }) => configSnapshot?.irrigatedAreaM2)
    .find((area) => area != null);
  const area = areaM2 == null ? null : say` (${estimate(areaM2, 'm2')})`;
  return say`${watering} for the whole parcel${area}`;
}

const MAX_LISTED_DOSES = 4;
const MAX_LISTED_PROBES = 3;

function listProbes(rows: readonly WateringAnswer[], names: ProbeNames): Text {
  // The name of the last probe is as short as "and 1 more".
  const listed = rows.length === MAX_LISTED_PROBES + 1 ? rows : rows.slice(0, MAX_LISTED_PROBES);
  const others = rows.length - listed.length;
  const probes = listed.map(({ event }) => entryOf(names, event.moduleId));
  return say`${listAndMore(probes, others)}`;
}

/** Doses that read the same are one. */
const shownDose = ({ waterMm, waterMmWetted }: WateringBody): string =>
  JSON.stringify(
    waterMm === null ? null : [waterMm, waterMmWetted].map((mm) => mm && sensibleAmount(mm)),
  );

/** The most frequent doses first. */
function describeDoses(waterings: readonly WateringAnswer[], names: ProbeNames): Text {
  const byDose = groupBy(waterings, ({ event }) => shownDose(event));
  const groups = [...byDose.values()].sort((a, b) => b.length - a.length);
  const { event } = firstOf(firstOf(groups));
  if (groups.length === 1)
    return waterings.length > 1 && event.waterMm !== null
      ? say`${describeDose(event)}, each`
      : describeDose(event);

  const listed = groups
    .slice(0, MAX_LISTED_DOSES)
    .map((rows) => say`${describeDose(firstOf(rows).event)} on ${listProbes(rows, names)}`);
  const others = groups.slice(MAX_LISTED_DOSES).flat();
  return join([...listed, describeOtherDoses(others)], say`; `);
}

function describeOtherDoses(waterings: readonly WateringAnswer[]): Text | null {
  const [first] = waterings;
  if (first === undefined) return null;
  const doses = waterings.flatMap(({ event }) => event.waterMm ?? []);
  const range =
    doses.length === 0
      ? describeDose(first.event)
      : amount([Math.min(...doses), Math.max(...doses)], 'mm', 'to');
  return say`${range} on the other ${waterings.length}`;
}

/** A warning that concerns every probe names the parcel in their place. */
function describeParcelWarnings(
  waterings: readonly WateringAnswer[],
  parcel: Text,
  names: ProbeNames,
): (Text | null)[] {
  const single = waterings.flatMap(({ event, warnings }) =>
    warnings.map((warning) => ({ event, warning })),
  );
  const alike = groupBy(single, ({ event, warning }) => `${warning} ${event.waterMm === null}`);

  return [...alike.values()].flatMap((rows) => {
    const { event, warning } = firstOf(rows);
    const isWholeParcel = rows.length === waterings.length;
    const answers = rows.map((row) => ({ event: row.event, warnings: [row.warning] }));
    const subject = isWholeParcel ? parcel : listProbes(answers, names);
    return describeWarnings({ event, warnings: [warning] }, { subject, parcel, isWholeParcel });
  });
}
