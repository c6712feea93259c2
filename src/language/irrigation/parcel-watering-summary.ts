import { groupBy } from '../../domain/groups.ts';
import { amountOfFields } from '../../domain/irrigation/watering-amount.ts';
import { entryOf, firstOf, withoutNulls } from '../../domain/items.ts';
import type { ParcelWateringAnswer, WateringAnswer } from '../../schema/irrigation/watering.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatAmount } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import {
  moduleName,
  parcelName,
  parcelWithProbes,
  type SummaryContext,
} from '../summary-context.ts';
import { wateringPhrases } from './watering-phrases.ts';
import {
  describeDose,
  describeRemainingRun,
  describeSystem,
  describeTime,
  describeWarnings,
  formatEnteredAmount,
} from './watering-summary.ts';

export async function summarizeParcelWatering(
  answer: ParcelWateringAnswer,
  context: SummaryContext,
): Promise<string> {
  const { parcelId, waterings } = answer;
  const { event: first } = firstOf(waterings);
  const parcel = await parcelName(context.directory, parcelId);
  const names = new Map<number, string>();
  for (const { event } of waterings)
    names.set(event.moduleId, await moduleName(context.directory, event.moduleId));
  const details = wateringPhrases.parcelDetails({
    amount: describeParcelAmount(waterings),
    parcel: parcelWithProbes(parcel, [...names.values()]),
    when: describeTime(first, context),
    doses: describeDoses(waterings, names),
  });

  return joinSentences([
    wateringPhrases.logged[first.status],
    details,
    describeRemainingRun(first, context),
    ...describeParcelWarnings(waterings, parcel, names),
  ]);
}

function describeParcelAmount(waterings: readonly WateringAnswer[]): string {
  const events = waterings.map(({ event }) => event);
  const first = firstOf(events);
  const systems = new Set(events.map(({ configSnapshot }) => configSnapshot?.system));
  const onlySystem = systems.size === 1 ? first.configSnapshot?.system : null;
  const amount = wateringPhrases.amountOfSystem(
    formatEnteredAmount(amountOfFields(first)),
    onlySystem ? describeSystem(onlySystem) : null,
  );
  if (first.inputMode !== 'volume_m3') return amount;

  const areaM2 = events
    .map(({ configSnapshot }) => configSnapshot?.irrigatedAreaM2)
    .find((area) => area != null);

  return wateringPhrases.forWholeParcel(
    amount,
    areaM2 == null ? null : englishFormat.number(Math.round(areaM2)),
  );
}

const MAX_LISTED_DOSES = 4;
const MAX_LISTED_PROBES = 3;

function listProbes(rows: readonly WateringAnswer[], names: ReadonlyMap<number, string>) {
  // The name of the last probe is as short as "and 1 more".
  const listed = rows.length === MAX_LISTED_PROBES + 1 ? rows : rows.slice(0, MAX_LISTED_PROBES);
  const others = rows.length - listed.length;
  return englishFormat.list(
    withoutNulls([
      ...listed.map(({ event }) => entryOf(names, event.moduleId)),
      others > 0 ? wateringPhrases.moreProbes(others) : null,
    ]),
  );
}

/** The most frequent doses first. */
function describeDoses(
  waterings: readonly WateringAnswer[],
  names: ReadonlyMap<number, string>,
): string {
  const byDose = groupBy(waterings, ({ event }) => describeDose(event));
  const groups = [...byDose.values()].sort((a, b) => b.length - a.length);
  const dose = describeDose(firstOf(firstOf(groups)).event);
  if (groups.length === 1)
    return waterings.length > 1 && firstOf(waterings).event.waterMm !== null
      ? wateringPhrases.each(dose)
      : dose;

  const listed = groups.slice(0, MAX_LISTED_DOSES);
  const others = groups.slice(MAX_LISTED_DOSES).flat();
  const doses = others.flatMap(({ event }) => event.waterMm ?? []);
  const sentences = listed.map((rows) =>
    wateringPhrases.doseOn(describeDose(firstOf(rows).event), listProbes(rows, names)),
  );

  if (others.length > 0)
    sentences.push(
      wateringPhrases.otherDoses(
        others.length,
        formatAmount(Math.min(...doses)),
        formatAmount(Math.max(...doses)),
      ),
    );

  return wateringPhrases.differentDoses(sentences);
}

/** A warning that concerns every probe names the parcel in their place. */
function describeParcelWarnings(
  waterings: readonly WateringAnswer[],
  parcel: string,
  names: ReadonlyMap<number, string>,
): string[] {
  const single = waterings.flatMap(({ event, warnings }) =>
    warnings.map((warning) => ({ event, warnings: [warning] })),
  );
  const bySentence = groupBy(single, (answer) => describeWarnings(answer, '', { parcel }).join());

  return [...bySentence.values()].flatMap((rows) => {
    const isParcel = rows.length === waterings.length;
    return describeWarnings(firstOf(rows), isParcel ? parcel : listProbes(rows, names), {
      parcel,
      isParcel,
    });
  });
}
