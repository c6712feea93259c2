import { MAX_NAMED_PROBES, type Span } from '../../../domain/advice/farm/brief-lists.ts';
import { groupBy } from '../../../domain/groups.ts';
import { firstOf } from '../../../domain/items.ts';
import { isQualityFlag } from '../../../domain/moisture/quality-flags.ts';
import { advisedMinutes, amount, estimate, exact } from '../../../domain/text/figures.ts';
import { call, commaSeparated, list, name, say } from '../../../domain/text/say.ts';
import type { Figures, Text } from '../../../domain/text/text.ts';
import { timeOf } from '../../../domain/text/times.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import { suspectReadingOf } from '../../../schema/moisture/suspect-bodies.ts';
import { englishReasons } from '../../en/reasons.ts';
import { describeDoubtfulValues } from '../../moisture/suspect-readings-summary.ts';
import { formatAdvisedMinutes, formatEstimate } from '../../number-format.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { moduleText, parcelText } from '../../text/names-of-farm.ts';
import { describeParts } from '../amounts/runoff-summary.ts';
import { usualClassError } from '../deficit-summary.ts';
import { meanwhileInBrief } from '../meanwhile-summary.ts';
import {
  DETAILED_OF_MANY,
  listNamesAndCount,
  listWithMore,
  MAX_DETAILED,
  probeName,
  probeWithMoisture,
  stressIn,
  UNDER_STRESS,
} from './brief-row-texts.ts';

const MAX_PROBES_OF_VALVE = 3;

type NeedRow = BriefBody['needsWater'][number];

export async function describeNeeds(
  { needsWater, checkFirst, leftOut, leftOutMin, estimatedCapacities }: BriefBody,
  context: SummaryContext,
): Promise<Text[]> {
  if (needsWater.length === 0) return [];
  const maxDetailed = checkFirst.length > 0 ? 3 : 4;
  const total = needsWater.length + leftOut.needsWater;
  // A long list tells enough, and its rows have the rest.
  const isLong = total > maxDetailed;
  const isVeryLong = total > MAX_NAMED_PROBES;
  const detailed = isLong ? DETAILED_OF_MANY : total;
  let maxNamed = isLong ? 1 : MAX_PROBES_OF_VALVE;
  if (isVeryLong) maxNamed = 0;
  const rows = await Promise.all(
    needsWater.map(async (row) => ({
      row,
      valve: await describeValve(row, maxNamed, context),
      differing: isLong ? null : await describeDiffering(row, context),
      name: isOfParcel(row) ? await parcelText(context.directory, row.parcelId) : probeName(row),
    })),
  );

  const needs = listWithMore(
    [
      ...rows
        .slice(0, detailed)
        .map(({ row, valve, differing }) => commaSeparated([describeNeed(row, valve), differing])),
      ...namesByTime(rows.slice(detailed), isVeryLong ? longest : (span) => span),
    ],
    leftOut.needsWater,
    leftOutMin === 0 ? null : say`${advisedMinutes(leftOutMin)} today in all`,
  );
  const inAll = isVeryLong ? minutesInAll(needsWater.map(minutesToday), leftOutMin) : null;
  const water = say`Water today${inAll}: ${needs}.`;

  // The whole explanation once a day, as the brief is read; an advice says it in a few words.
  return estimatedCapacities === 0
    ? [water]
    : [water, describeEstimatedCapacities(estimatedCapacities, isVeryLong)];
}

const MAX_PARCELS_OF_BALANCE = 4;

/** "Water today by the balance, without a probe: East field for 18 h 5 min, under stress." */
export function describeNeedsByBalance({ byBalance }: BriefBody): Text[] {
  const due = (byBalance?.parcels ?? []).filter(({ isInNeed }) => isInNeed);
  if (due.length === 0) return [];

  const shown = due.slice(0, MAX_PARCELS_OF_BALANCE).map(({ name: parcel, ...row }) => {
    const { waterMm, todayMin, durationMin, daysToStress } = row;
    const today = todayMin ?? durationMin;
    return commaSeparated([
      today === null
        ? say`${name(parcel)}${waterMm === null ? null : say` by ${estimate(waterMm, 'mm')}`}`
        : say`${name(parcel)} for ${advisedMinutes(today)}`,
      describeStress(daysToStress),
    ]);
  });
  return [
    say`Water today by the balance, without a probe: ${listWithMore(shown, due.length - shown.length)}.`,
  ];
}

const MAX_SHARES = 8;

/**
 * "Canal has 10 h from 9 Jul 06:00 on, where 14 h are needed: North for 5 h; South for 4 h; East for
 * 5 h from 17 Jul 06:00, after its stress."
 */
export const describeShortSources = ({ shortSources }: BriefBody): Text[] =>
  (shortSources ?? []).map(({ source, from, givenMin, neededMin, shares }) => {
    const listed = shares
      .slice(0, MAX_SHARES)
      .map(({ minutes, startsAt, isAfterStress, ...valve }) => {
        const waits = startsAt === from ? null : say` from ${timeOf(startsAt)}`;
        const draw = say`${probeName(valve)} for ${advisedMinutes(minutes)}${waits}`;
        return commaSeparated([draw, isAfterStress ? say`after its stress` : null]);
      });
    return say`${name(source)} has ${advisedMinutes(givenMin)} from ${timeOf(from)} on, where ${advisedMinutes(neededMin)} are needed: ${listWithMore(listed, shares.length - listed.length)}.`;
  });

/** Among many probes to name, what the class may lack is left to the advice of each. */
function describeEstimatedCapacities(probes: number, isBrief: boolean): Text {
  const which = probes === 1 ? say`one of these probes` : say`${probes} of these probes`;
  const capacity = say`The field capacity of ${which} is that of a texture class`;
  return isBrief
    ? say`${capacity}.${call('suggest_thresholds')}`
    : say`${capacity}: ${probes === 1 ? say`it` : say`each`} may lack ${usualClassError(say` more or less`)}.${call('suggest_thresholds')}`;
}

const minutesToday = ({ todayMin }: NeedRow): number => todayMin?.most ?? 0;

/** Null where no time is known. */
function minutesInAll(minutes: readonly number[], leftOutMin: number): Text | null {
  const total = minutes.reduce((sum, each) => sum + each, leftOutMin);
  return total === 0 ? null : say`, ${advisedMinutes(total)} in all`;
}

/** Valves run for their driest probe, and these times add up to the sum. */
const longest = ({ most }: Span): Span => ({ least: most, most });

/** "North 1 for 4 h", "North 2, North 3 and North 4 for 2 h each"; in the order of the first ones. */
function namesByTime(
  rows: readonly { readonly row: NeedRow; readonly name: Text }[],
  shown: (today: Span) => Span,
): Text[] {
  const timed = rows.map(({ row: { todayMin }, name }) => ({
    name,
    time: todayMin && timeSpan(shown(todayMin)),
  }));
  return [...groupBy(timed, ({ time }) => JSON.stringify(time)).values()].map((same) => {
    const { time } = firstOf(same);
    const names = say`${list(same.map(({ name }) => name))}`;
    if (time === null) return names;
    return say`${names} for ${time}${same.length === 1 ? null : say` each`}`;
  });
}

/** As they are shown, both ends may be equal. */
const timeSpan = ({ least, most }: Span): Text =>
  formatAdvisedMinutes(least) === formatAdvisedMinutes(most)
    ? say`${advisedMinutes(least)}`
    : say`${advisedMinutes(least)} to ${advisedMinutes(most)}`;

const depthSpan = ({ least, most }: Span): Figures =>
  formatEstimate(least) === formatEstimate(most)
    ? estimate(least, 'mm')
    : estimate([least, most], 'mm', 'to');

const isOfParcel = (row: NeedRow): row is NeedRow & { parcelId: number } =>
  row.parcelId !== null && row.probes > 1;

/**
 * "North 1", or "North block (3 of 4 probes: North 1 at 8 % and 2 more)" if its setup waters other
 * probes too, the driest first.
 */
async function describeValve(
  row: NeedRow,
  maxNamed: number,
  { directory }: SummaryContext,
): Promise<Text> {
  const { probes, dryProbes, driest = [] } = row;
  if (!isOfParcel(row)) return probeWithMoisture({ ...row, ...driest[0] });

  const parcel = await parcelText(directory, row.parcelId);
  if (maxNamed === 0) return say`${parcel} (${dryProbes} of ${probes} probes)`;

  const named = driest.length === 0 ? [row] : driest;
  const shown = named.slice(0, maxNamed).map((probe) => probeWithMoisture(probe));
  const names = listNamesAndCount(shown, dryProbes);
  return say`${parcel} (${dryProbes} of ${probes} probes: ${names})`;
}

function describeNeed(row: NeedRow, valve: Text): Text {
  const { plannedMm, runoff, daysToStress: days, value_tensio: tension, dryLevel } = row;
  if (tension !== undefined && dryLevel !== undefined)
    return say`${valve}, at ${exact(tension, 'kPa')} above its dry level of ${exact(dryLevel)} (higher is drier)`;

  const planned =
    plannedMm === null ? say`a watering of unknown dose` : say`the ${amount(plannedMm, 'mm')}`;
  const beyond = plannedMm === 0 ? null : say` beyond ${planned} planned today, if it runs`;
  return commaSeparated([
    say`${valve} ${describeAmount(row)}${beyond}`,
    runoff === undefined ? null : describeParts(runoff),
    describeStress(days),
  ]);
}

function describeAmount({ remainingMin: total, todayMin: today, remainingMm: mm }: NeedRow): Text {
  if (total !== null && today !== null) {
    const inAll = today.most === total.most ? null : say` today of ${timeSpan(total)} in all`;
    return say`for ${timeSpan(today)}${inAll}`;
  }
  return mm === null ? say`by an amount that is not known yet` : say`by ${depthSpan(mm)}`;
}

function describeStress(days: number | null): Text | null {
  if (days === null) return null;
  return days === 0 ? UNDER_STRESS : stressIn(days);
}

/** "unlike North 2 and North 3 on the same valve" */
async function describeDiffering(
  { differing = [] }: NeedRow,
  { directory }: SummaryContext,
): Promise<Text | null> {
  if (differing.length === 0) return null;
  const names = await Promise.all(differing.map((id) => moduleText(directory, id)));
  return say`unlike ${list(names)} on the same valve`;
}

const MAX_DETAILED_CHECKS = 2;
const MAX_NAMED_CHECKS = 3;

export function describeChecks(
  { checkFirst: rows, leftOut }: BriefBody,
  context: SummaryContext,
): Text[] {
  if (rows.length === 0) return [];

  const total = rows.length + leftOut.checkFirst;
  if (total <= MAX_DETAILED_CHECKS) {
    const checks = rows.map((row) => describeCheck(row, context));
    return [say`Check first: ${listWithMore(checks, 0)}.`];
  }

  const named = rows.slice(0, total <= MAX_NAMED_PROBES ? MAX_NAMED_PROBES : MAX_NAMED_CHECKS);
  const groups = [...new Set(named.map(({ reason }) => reason))].map((reason) => {
    const names = named
      .filter((row) => row.reason === reason)
      .map((row) =>
        // The mean of a sensor in doubt and of others says nothing.
        !isQualityFlag(reason) && (total <= MAX_DETAILED || named.indexOf(row) < MAX_NAMED_CHECKS)
          ? probeWithMoisture(row)
          : probeName(row),
      );
    return say`${commaSeparated(names)} (${englishReasons[reason].check})`;
  });

  return [say`Check first: ${listWithMore(groups, total - named.length)}.`];
}

/**
 * "North 1 (62 % at 10 cm, where its soil holds at most 46 %)", "South 2 at 14.2 % (watered
 * recently)"
 */
function describeCheck(row: BriefBody['checkFirst'][number], context: SummaryContext): Text {
  const check = isQualityFlag(row.reason)
    ? describeDoubtfulValues(row.doubts.map(suspectReadingOf), context)
    : englishReasons[row.reason].check;
  const probe = isQualityFlag(row.reason) ? probeName(row) : probeWithMoisture(row);
  return row.meanwhile === undefined
    ? say`${probe} (${check})`
    : say`${probe} (${check}; until then ${meanwhileInBrief(row.meanwhile)})`;
}
