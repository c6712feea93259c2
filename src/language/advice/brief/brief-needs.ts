import { MAX_NAMED_PROBES, type Span } from '../../../domain/advice/farm/brief-lists.ts';
import { withoutNulls } from '../../../domain/items.ts';
import { QUALITY_FLAGS, type QualityFlag } from '../../../domain/moisture/suspect-readings.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import { englishFormat } from '../../en/grammar.ts';
import { englishTime } from '../../en/time.ts';
import { describeDoubtfulValues } from '../../moisture/suspect-readings.ts';
import {
  formatAdvisedMinutes,
  formatAmountOrNull,
  formatDaysAhead,
  formatEstimate,
  formatNumber,
} from '../../number-format.ts';
import { moduleName, parcelName, type SummaryContext } from '../../summary-context.ts';
import { written } from '../../text/render.ts';
import { meanwhileInBrief } from '../meanwhile-summary.ts';
import { briefPhrases } from './brief-phrases.ts';
import {
  listNamesAndCount,
  listRows,
  MAX_DETAILED,
  probeName,
  probeWithMoisture,
} from './brief-rows.ts';

const MAX_PROBES_OF_VALVE = 3;

type NeedRow = BriefBody['needsWater'][number];

export async function describeNeeds(
  { needsWater, checkFirst, leftOut, leftOutMin, estimatedCapacities }: BriefBody,
  context: SummaryContext,
): Promise<string[]> {
  if (needsWater.length === 0) return [];
  const maxDetailed = checkFirst.length > 0 ? 3 : 4;
  const rows = await Promise.all(
    needsWater.map(async (row) => ({
      row,
      valve: await describeValve(row, context),
      // A long list tells enough, and the rows have them.
      differing:
        needsWater.length + leftOut.needsWater <= maxDetailed
          ? await describeDiffering(row, context)
          : null,
      name: isOfParcel(row) ? await parcelName(context.directory, row.parcelId) : probeName(row),
    })),
  );

  const list = listRows(
    rows,
    {
      leftOut: leftOut.needsWater,
      maxDetailed,
      describeCounted: (others) => describeMinutes(others.map(minutesToday), leftOutMin),
    },
    ({ row, valve, differing }) => withoutNulls([describeNeed(row, valve), differing]).join(', '),
    ({ row, name }) => nameWithMinutes(row, name),
  );

  return [
    briefPhrases.needs(list),
    // The whole explanation once a day, as the brief is read; an advice says it in a few words.
    ...(estimatedCapacities === 0 ? [] : [briefPhrases.capacityEstimated(estimatedCapacities)]),
  ];
}

const minutesToday = ({ row: { todayMin } }: { readonly row: NeedRow }): number =>
  todayMin?.most ?? 0;

/** Null where no time is known. */
function describeMinutes(minutes: readonly number[], leftOutMin: number): string | null {
  const total = minutes.reduce((sum, each) => sum + each, leftOutMin);
  if (total === 0) return null;

  const hours = formatAdvisedMinutes(total);
  return leftOutMin > 0
    ? briefPhrases.hoursTodayInAll(hours)
    : briefPhrases.hoursToday(hours, formatAdvisedMinutes(Math.max(...minutes)));
}

function nameWithMinutes({ todayMin }: NeedRow, name: string): string {
  return todayMin === null
    ? name
    : briefPhrases.forTime(name, formatSpan(todayMin, formatAdvisedMinutes));
}

const isOfParcel = (row: NeedRow): row is NeedRow & { parcelId: number } =>
  row.parcelId !== null && row.probes > 1;

/**
 * "North 1", or "North block (3 of 4 probes, driest North 1)" if its setup waters other probes too.
 */
async function describeValve(row: NeedRow, { directory }: SummaryContext): Promise<string> {
  const { probes, dryProbes, driest = [] } = row;
  if (!isOfParcel(row)) return probeWithMoisture({ ...row, ...driest[0] });

  const named = driest.length === 0 ? [row] : driest;
  const shown = named.slice(0, MAX_PROBES_OF_VALVE).map((probe) => probeWithMoisture(probe));
  const names = listNamesAndCount(shown, dryProbes);

  return briefPhrases.valve(await parcelName(directory, row.parcelId), dryProbes, probes, names);
}

function describeNeed(row: NeedRow, valve: string): string {
  const {
    plannedMm,
    daysToStress: days,
    remainingMin: total,
    todayMin: today,
    remainingMm: mm,
  } = row;
  if (row.value_tensio !== undefined && row.dryLevel !== undefined)
    return briefPhrases.tension(valve, formatNumber(row.value_tensio), formatNumber(row.dryLevel));

  const amount =
    total === null || today === null
      ? briefPhrases.neededMm(mm && formatSpan(mm, (value) => formatEstimate(value)))
      : briefPhrases.neededTime(
          formatSpan(today, formatAdvisedMinutes),
          today.most === total.most ? null : formatSpan(total, formatAdvisedMinutes),
        );

  const beyond = plannedMm === 0 ? [] : [briefPhrases.beyondPlanned(formatAmountOrNull(plannedMm))];
  const need = [valve, amount, ...beyond].join(' ');
  return withoutNulls([need, describeStress(days)]).join(', ');
}

function describeStress(days: number | null): string | null {
  if (days === null) return null;
  return days === 0 ? briefPhrases.underStress : briefPhrases.stressIn(formatDaysAhead(days));
}

/** "unlike North 2 and North 3 on the same valve" */
async function describeDiffering(
  { differing = [] }: NeedRow,
  { directory }: SummaryContext,
): Promise<string | null> {
  if (differing.length === 0) return null;
  const names = await Promise.all(differing.map((id) => moduleName(directory, id)));
  return briefPhrases.differing(englishFormat.list(names));
}

function formatSpan({ least, most }: Span, format: (value: number) => string): string {
  const [from, to] = [format(least), format(most)];
  return from === to ? from : englishTime.range(from, to);
}

const isDoubt = (reason: BriefBody['checkFirst'][number]['reason']): reason is QualityFlag =>
  (QUALITY_FLAGS as readonly string[]).includes(reason);

const MAX_DETAILED_CHECKS = 2;
const MAX_NAMED_CHECKS = 3;

export function describeChecks(
  { checkFirst: rows, leftOut }: BriefBody,
  context: SummaryContext,
): string[] {
  if (rows.length === 0) return [];

  const { checkFirst, checks, list } = briefPhrases;
  const total = rows.length + leftOut.checkFirst;
  if (total <= MAX_DETAILED_CHECKS)
    return [
      checkFirst(
        list(
          rows.map((row) => describeCheck(row, context)),
          0,
        ),
      ),
    ];

  const named = rows.slice(0, total <= MAX_NAMED_PROBES ? MAX_NAMED_PROBES : MAX_NAMED_CHECKS);
  const groups = [...new Set(named.map(({ reason }) => reason))].map((reason) => {
    const names = named
      .filter((row) => row.reason === reason)
      .map((row) =>
        // The mean of a sensor in doubt and of others says nothing.
        !isDoubt(reason) && (total <= MAX_DETAILED || named.indexOf(row) < MAX_NAMED_CHECKS)
          ? probeWithMoisture(row)
          : probeName(row),
      );
    return `${names.join(', ')} (${checks[reason]})`;
  });

  return [checkFirst(list(groups, total - named.length))];
}

/**
 * "North 1 (62 % at 10 cm, where its soil holds at most 46 %)", "South 2 at 14.2 % (watered
 * recently)"
 */
function describeCheck(row: BriefBody['checkFirst'][number], context: SummaryContext): string {
  const check = isDoubt(row.reason)
    ? written(describeDoubtfulValues(row.doubts, context), context)
    : briefPhrases.checks[row.reason];
  const name = isDoubt(row.reason) ? probeName(row) : probeWithMoisture(row);
  return row.meanwhile === undefined
    ? `${name} (${check})`
    : `${name} (${briefPhrases.checkMeanwhile(check, written(meanwhileInBrief(row.meanwhile), context))})`;
}
