import { roundTo } from '../domain/decimal.ts';
import { nameInSentence } from '../domain/text.ts';
import type { Advisory, AdvisoryOrText } from '../schema/advisory.ts';
import { describeAlertState, describeFiring } from './alerts/alert-summary.ts';
import { sensorDisplayLabel } from './default-names.ts';
import { type Language, languageOf } from './index.ts';
import { describeWateringChanges } from './irrigation/correction-summary.ts';
import { describeValidityPeriod } from './irrigation/setup-summary.ts';
import { formatEnteredAmount } from './irrigation/watering-summary.ts';
import { describeSensorDoubts } from './moisture/moisture-summary.ts';
import {
  formatAmount,
  formatAmountOrNull,
  formatMinutes,
  formatMoisture,
  formatNumber,
  formatPrecise,
  sensibleAmount,
} from './number-format.ts';
import { describeLayers } from './soil/soil-summary.ts';
import { listNames, type WordingContext } from './summary-context.ts';
import { daysAhead, describeStart, formatInstant, formatTimeSpan, formatWeekday } from './time.ts';
import {
  describeRainInReadings,
  describeRainTotals,
  describeRecentRain,
} from './weather/rain-summary.ts';
import { cropName } from './words/farming-terms.ts';

type Kind = Advisory['kind'];
type AdvisoryOf<K extends Kind = Kind> = { [Each in K]: Extract<Advisory, { kind: Each }> }[K];

const listSlices = (
  slices: readonly { readonly topCm: number; readonly bottomCm: number }[],
  { advice, format }: Language,
): string =>
  format.list(
    slices.map(({ topCm, bottomCm }) =>
      advice.slice(format.number(topCm), format.number(bottomCm)),
    ),
  );

function describeScheduleChanges(
  { from, to, ...counts }: AdvisoryOf<'planned_waterings_changed'>,
  { schedule, format }: Language,
): string {
  const times = from.length === 0 ? '' : schedule.movedTimes(format.list(from), format.list(to));
  const changes = [
    ...(counts.moved > 0 ? [`${schedule.moved(counts.moved)}${times}`] : []),
    ...(['updated', 'added', 'removed'] as const).flatMap((change) =>
      counts[change] > 0 ? [schedule[change](counts[change])] : [],
    ),
  ];
  const manual = counts.keptManual > 0 ? [schedule.keptManual(counts.keptManual)] : [];
  return `${[...(changes.length === 0 ? [schedule.noneChanged] : changes), ...manual].join(', ')}.`;
}

function describeOtherProbes(
  { waterings, others }: AdvisoryOf<'other_probes_unchanged'>,
  { watering: { otherProbes }, format }: Language,
  context: WordingContext,
): string {
  const rows = waterings.map(({ id, probe, amount, startedAt, durationMin, status, waterMm }) => {
    const parts = [
      ...(amount === null ? [] : [formatEnteredAmount(amount, context.lang)]),
      ...(startedAt === null ? [] : [formatInstant(startedAt, context)]),
      ...(durationMin === null ? [] : [formatMinutes(durationMin)]),
      ...(status === null ? [] : [otherProbes.status(status)]),
      ...(waterMm === null ? [] : [`${formatAmount(waterMm, context.lang)} mm`]),
    ];
    return otherProbes.row(id, nameInSentence(probe), parts.join(', '));
  });

  return otherProbes.sentence(format.list(others > 0 ? [...rows, otherProbes.more(others)] : rows));
}

type Sentences = {
  readonly [K in Kind]: (
    advisory: AdvisoryOf<K>,
    phrases: Language,
    context: WordingContext,
  ) => string;
};

const SENTENCES: Sentences = {
  only_probe_of_parcel: ({ parcel, probe }, { core }) =>
    core.onlyProbe(nameInSentence(parcel), nameInSentence(probe)),
  name_understood: ({ text, name }, { core }) => core.understoodName(text, nameInSentence(name)),
  skipped_local_time: ({ text, clock }, { core }) => core.skippedTime(text, clock),
  repeated_local_time: ({ text, clock }, { core }) => core.repeatedTime(text, clock),

  undone_since: ({ changeId }, { changes }) => changes.undoneSince(changeId),
  sensors_with_readings_kept: ({ sensors }, { place, format }, { lang }) =>
    place.sensorsKept(
      format.list(sensors.map((sensor) => nameInSentence(sensorDisplayLabel(sensor, lang)))),
    ),
  device_assigned: ({ device, depths, earlierReadings }, { device: phrases, format }) =>
    phrases.assigned(
      nameInSentence(device),
      depths.length === 0 ? null : format.list(depths.map((depth) => format.number(depth))),
      earlierReadings,
    ),
  device_status: (
    { device, lastSeenAt, batteryPercent, batteryV, rssi, snr },
    { device: phrases },
    context,
  ) => {
    const { lang } = context;
    const parts: string[] = [];

    if (batteryPercent !== null)
      parts.push(phrases.battery(`${formatNumber(batteryPercent, lang)} %`));
    else if (batteryV !== null) parts.push(phrases.battery(`${formatPrecise(batteryV, lang)} V`));

    if (rssi !== null)
      parts.push(
        phrases.signal(formatNumber(rssi, lang), snr === null ? null : formatNumber(snr, lang)),
      );

    return phrases.status(nameInSentence(device), formatInstant(lastSeenAt, context), parts);
  },
  unassigned_devices: ({ devices, others }, { device: phrases }, { lang }) =>
    phrases.unassigned(
      devices.map(({ device, newest }) =>
        [
          nameInSentence(device),
          ...newest.map(({ type, value }) => phrases.reading(type, formatNumber(value, lang))),
        ].join(', '),
      ),
      others,
    ),
  rows_withheld: ({ scopes }, { changes, format }) => changes.rowsWithheld(format.list(scopes)),
  similar_name: ({ tool, existing }, { place }) =>
    place.similarName(tool, nameInSentence(existing)),
  total: ({ count }, { list }) => list.total(count),
  waterings_by_status: ({ counts }, { watering }) =>
    watering.counts(
      counts.reduce((total, { count }) => total + count, 0),
      counts.map(({ status, count }) => watering.countOf(status, count)),
    ),
  waterings_ahead: ({ count, nextAt, probe }, { watering }, context) =>
    watering.ahead(count, formatInstant(nextAt, context), nameInSentence(probe)),
  older_drawings_omitted: ({ count }, { annotation }) => annotation.olderOmitted(count),
  older_episodes_omitted: ({ omitted, total }, { alert }) =>
    alert.olderEpisodesOmitted(omitted, total),

  overlapping_watering: ({ id, other, probe, others, probes }, { watering }, context) =>
    watering.overlap(
      {
        id,
        otherId: other.id,
        status: other.status,
        when: formatTimeSpan(other.startedAt, other.endedAt, context),
      },
      nameInSentence(probe),
      others,
      probes > 1,
    ),
  run_time_contradicts: (
    { amount, durationMin, waterMm, runMm, runM3, probe, others },
    { watering },
    { lang },
  ) =>
    watering.runTimeContradicts(
      {
        runTime: formatMinutes(durationMin),
        runMm: formatAmount(runMm, lang),
        runM3: formatAmountOrNull(runM3, lang),
        entered: formatEnteredAmount(amount, lang),
        mm: amount.mode === 'depth_mm' ? null : formatAmount(waterMm, lang),
      },
      nameInSentence(probe),
      others,
    ),
  needs_confirmation: (_, { watering }) => watering.toConfirm,
  rain_counted_once: ({ id, mm, others, isNewCounted, totalMm }, { rain }, { lang }) =>
    rain.countedOnce({
      id,
      others,
      mm: formatAmount(mm, lang),
      isNewCounted,
      total: formatAmount(totalMm, lang),
    }),
  rain_not_counted: ({ ids, others }, { rain }) => rain.notCounted(ids, others),
  recent_rain: (note, _, context) => describeRecentRain(note, context),
  rain_totals: (note, _, context) => describeRainTotals(note, context),
  rain_in_readings: (note, _, context) => describeRainInReadings(note, context),
  rain_corrected: ({ mm }, { rain }, { lang }) => rain.before(formatAmount(mm, lang)),
  other_probes_unchanged: describeOtherProbes,
  watering_corrected: (changes, _, context) => describeWateringChanges(changes, context),

  parcel_area_unknown: ({ parcelId, parcel, count }, { core, setup }) =>
    setup.parcelAreaUnknown(nameInSentence(parcel) || core.unnamedParcel(parcelId), count),
  doses_completed: ({ count }, { setup }) => setup.completedDoses(count),
  planned_doses_updated: ({ count }, { setup }) => setup.updatedPlannedDoses(count),
  recorded_doses_unchanged: ({ count }, { setup }) => setup.unchangedDoses(count),
  past_version: (period, _, context) => describeValidityPeriod(period, context),
  parcel_setup: ({ from, reached, own }, { setup }, context) =>
    [
      ...(from === null
        ? []
        : [setup.appliesTo(listNames(reached, context), describeStart(from, context))]),
      ...(own.length === 0 ? [] : [setup.probesWithOwnSetup(listNames(own, context)!, own.length)]),
    ].join(' '),

  duplicate_schedule: ({ id }, { schedule }) => schedule.duplicate(id),
  different_irrigated_areas: ({ doses }, { schedule }, context) =>
    schedule.differentAreas(
      doses.map(({ waterMm, areaM2, probes }) =>
        schedule.doseOfArea(
          formatAmountOrNull(waterMm, context.lang),
          listNames(probes, context)!,
          areaM2 === null ? null : formatPrecise(areaM2, context.lang),
        ),
      ),
    ),
  nothing_planned: (_, { schedule }) => schedule.nothingPlanned,
  waterings_planned: ({ count, withoutDose, nextAt, timezone }, { schedule }, context) =>
    [
      schedule.planned(count, formatInstant(nextAt, { ...context, zone: timezone })),
      ...(withoutDose > 0 ? [schedule.withoutDose(withoutDose)] : []),
    ].join(' '),
  planned_waterings_changed: describeScheduleChanges,
  planned_waterings_follow: ({ modules }, { schedule }) => schedule.plansFollow(modules),
  still_waters_today: ({ times }, { schedule, format }) =>
    schedule.stillWatersToday(format.list(times)),
  removed_today: ({ times }, { schedule, format }) => schedule.removedToday(format.list(times)),

  silent_depths: ({ depths, weightPercent }, { series, format }) =>
    series.silentDepths(
      depths.includes(null)
        ? format.list(depths.map((depth) => (depth === null ? series.unknownDepth : `${depth} cm`)))
        : `${format.list(depths.map(Number))} cm`,
      weightPercent,
    ),
  different_depths: (_, { series }) => series.differentDepths,
  no_moisture_for_state: (_, { thresholds }) => thresholds.noSoilMoisture,
  no_moisture_for_alert: (_, { alert }) => alert.noSoilMoisture,
  no_moisture_for_backtest: (_, { alert }) => alert.nothingToBacktest,
  no_moisture_for_drawing: (_, { annotation }) => annotation.noSoilMoisture,
  no_tension_for_drawing: (_, { annotation }) => annotation.noTension,
  no_moisture_for_review: (_, { review }) => review.noSoilMoisture,

  allowed_depletion: ({ share, basis, crop }, { thresholds, format }, { lang }) =>
    thresholds.allowedDepletion[basis](
      format.number(roundTo(100 * share, 1)),
      crop === null ? '' : cropName(crop, lang),
    ),
  deficit_depth: ({ bottomCm }, { advice, format }) => advice.deficitDepth(format.number(bottomCm)),
  slices_without_value: ({ slices }, phrases) =>
    phrases.advice.withoutValue(listSlices(slices, phrases)),
  slices_without_layer: ({ slices }, phrases) =>
    phrases.advice.withoutLayer(listSlices(slices, phrases)),
  drying_pace: ({ basis, pointsPerDay, count }, { advice }, { lang }) =>
    advice.dryingPace[basis](sensibleAmount(pointsPerDay), formatAmount(pointsPerDay, lang), count),

  demand_pace: ({ percent, basis, comingMm, lastMm, method, missing }, { weather }, { lang }) =>
    weather.demandPace[basis](
      percent,
      formatAmount(comingMm, lang),
      formatAmount(lastMm, lang),
      weather.method(method, missing),
    ),
  forecast_rain: ({ mm, until, probability, isCounted }, { weather, format }, context) =>
    weather.forecastRain({
      mm: formatAmount(mm, context.lang),
      ahead: daysAhead(until, context),
      weekday: formatWeekday(until, context.lang),
      probability: probability === null ? null : format.number(probability),
      isCounted,
    }),
  needless_after_rain: ({ eventId, at, probes, neededMm, since, ...mm }, { weather }, context) =>
    weather.needless({
      probes: listNames(probes, context)!,
      rain: formatAmount(mm.rainMm, context.lang),
      effective: formatAmount(mm.effectiveMm, context.lang),
      needed: neededMm === 0 ? null : formatAmount(neededMm, context.lang),
      planned: formatAmount(mm.plannedMm, context.lang),
      at: formatInstant(at, context),
      since: since === null ? null : formatInstant(since, context),
      eventId,
    }),
  reference_evapotranspiration: ({ mm, days, method, missing, pace }, { weather }, { lang }) =>
    weather.evapotranspiration(formatAmount(mm, lang), days, weather.method(method, missing), pace),

  layers_closed: ({ layers }, { soil }, context) =>
    soil.closedLayers(describeLayers(layers, context)),
  layers_in_force: ({ layers }, { soil }, context) =>
    soil.layersStillInForce(describeLayers(layers, context)),
  layers_overlapping: ({ layers }, { soil }, context) =>
    soil.overlappingLayers(describeLayers(layers, context)),

  sensors_in_doubt: ({ doubts }, _, context) => describeSensorDoubts(doubts, context).join(' '),
  alert_without_probe: (_, { alert }) => alert.withoutProbe,
  alert_recipient: ({ name }, { alert }) => alert.notifies(nameInSentence(name)),
  alert_state: ({ state, ...rule }, { alert }, context) =>
    alert.currentState(describeAlertState(rule, state, context)),
  alert_never_resolves: ({ resolvesAt }, { alert, format }) =>
    alert.neverResolves(format.number(resolvesAt)),
  alert_firing: (firing, _, context) => describeFiring(firing, context),
  probes_with_firing_alert: ({ probes, others }, { alert, watering, format }) =>
    alert.firingOn(
      format.list([
        ...probes.map(nameInSentence),
        ...(others > 0 ? [watering.moreProbes(others)] : []),
      ]),
    ),
  more_alerts_firing: ({ count }, { alert }) => alert.moreFiring(count),
  undelivered_mail: ({ waiting, refused, lastAnswer }, { alert }) =>
    [
      ...(waiting > 0 ? [alert.unsentMail(waiting)] : []),
      ...(refused > 0 ? [alert.rejectedMail(refused, lastAnswer)] : []),
      alert.seeDoctor,
    ].join(' '),
  settings_without_effect: (_, { settings }) => settings.withoutEffect,
  roots_below_sensors: ({ rootDepthCm, deepestCm }, { settings, format }) =>
    settings.rootsBelowSensors(format.number(rootDepthCm), format.number(deepestCm)),
  thresholds_crossed: (_, { thresholds }) => thresholds.crossedThresholds,
  below_stress_point: ({ stressPoint }, { alert }, { lang }) =>
    alert.belowStressPoint(formatMoisture(stressPoint, lang)),
  line_moved: ({ threshold }, { alert, format }) => alert.lineMoves(format.number(threshold)),
  line_unchanged: (_, { alert }) => alert.lineStays,
  own_alert_disabled: (_, { alert }) => alert.ownDisabled,
  older_alert_disabled: ({ height }, { alert }, { lang }) =>
    alert.olderDisabled(formatPrecise(height, lang)),
  own_alert_enabled: ({ height }, { alert }, { lang }) =>
    alert.ownEnabled(formatPrecise(height, lang)),
  older_alert_enabled: ({ height }, { alert }, { lang }) =>
    alert.olderEnabled(formatPrecise(height, lang)),
  newer_line_counts: ({ height }, { alert }, { lang }) =>
    alert.newerCounts(formatPrecise(height, lang)),
  line_alert_moved: ({ from, to, isActive }, { alert }, { lang }) =>
    alert.moved(formatPrecise(Number(from), lang), formatPrecise(to, lang), isActive),
  content_part_removed: ({ part }, { annotation }) => annotation.contentPartRemoved(part),
};

const describeAdvisory = <K extends Kind>(
  advisory: AdvisoryOf<K>,
  context: WordingContext,
): string => SENTENCES[advisory.kind](advisory, languageOf(context.lang), context);

export const describeAdvisories = (
  advisories: readonly AdvisoryOrText[],
  context: WordingContext,
): string[] =>
  advisories.map((note) => (typeof note === 'string' ? note : describeAdvisory(note, context)));
