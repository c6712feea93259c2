import { roundTo } from '../domain/decimal.ts';
import { withoutNulls } from '../domain/items.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { action, say, textOf } from '../domain/text/say.ts';
import type { Said } from '../domain/text/text.ts';
import { nameInSentence } from '../domain/text.ts';
import type { Advisory } from '../schema/advisory.ts';
import { adviceSentences } from './advice/advice-advisories.ts';
import { describeRunoff } from './advice/amounts/runoff-summary.ts';
import { reviewPhrases } from './advice/review-phrases.ts';
import type { AdvisoryKind, AdvisoryOf, AdvisorySentences } from './advisory-sentences.ts';
import { alertSentences } from './alerts/alert-advisories.ts';
import { alertPhrases } from './alerts/alert-phrases.ts';
import { annotationPhrases } from './alerts/annotation-phrases.ts';
import { answerPhrases } from './answer-phrases.ts';
import {
  describeBegunWaterings,
  describeChangeSince,
  describeUndone,
  describeWithheldRows,
} from './changes/change-summary.ts';
import { describeKeptSensors, describeSimilarName } from './company/place-summary.ts';
import { describeZoneChange } from './company/zone-summary.ts';
import { englishDoubts } from './en/doubts.ts';
import { englishFormat } from './en/grammar.ts';
import { describeOtherProbes, describeWateringChanges } from './irrigation/correction-summary.ts';
import { schedulePhrases } from './irrigation/schedule-phrases.ts';
import { describeScheduleChanges } from './irrigation/schedule-summary.ts';
import { setupPhrases } from './irrigation/setup-phrases.ts';
import { describeKeptFigures, describeValidityPeriod } from './irrigation/setup-summary.ts';
import { wateringPhrases } from './irrigation/watering-phrases.ts';
import {
  describeEnoughIfItRuns,
  describeSystem,
  formatEnteredAmount,
} from './irrigation/watering-summary.ts';
import { cropSentences } from './moisture/crop-advisories.ts';
import { seriesPhrases } from './moisture/series-phrases.ts';
import { settingsPhrases } from './moisture/settings-phrases.ts';
import { describeSuspectReadings } from './moisture/suspect-readings.ts';
import {
  CROSSED_THRESHOLDS,
  describeAllowedDepletion,
  NO_SOIL_MOISTURE,
} from './monitoring/agronomic-state-summary.ts';
import { devicePhrases } from './monitoring/device-phrases.ts';
import {
  formatAmount,
  formatAmountOrNull,
  formatEstimate,
  formatMinutes,
  formatNumber,
  formatPrecise,
  formatRate,
  formatShare,
} from './number-format.ts';
import { joinSentences } from './sentences.ts';
import { soilSentences } from './soil/soil-summary.ts';
import { listNames, listNamesOrNull, type WordingContext } from './summary-context.ts';
import { written } from './text/render.ts';
import { describeStart, formatInstant, formatTimeSpan } from './time.ts';
import { weatherSentences } from './weather/weather-advisories.ts';
import { cropName } from './words/farming-terms.ts';

const SENTENCES: AdvisorySentences = {
  ...adviceSentences,
  ...alertSentences,

  probes_with_firing_alert: ({ probes, others }) =>
    alertPhrases.firingOn(
      englishFormat.list(
        withoutNulls([
          ...probes.map(nameInSentence),
          others > 0 ? wateringPhrases.moreProbes(others) : null,
        ]),
      ),
    ),

  only_probe_of_parcel: ({ parcel, probe }) =>
    answerPhrases.onlyProbe(nameInSentence(parcel), nameInSentence(probe)),
  name_understood: ({ text, name }) => answerPhrases.understoodName(text, nameInSentence(name)),
  skipped_local_time: ({ text, clock }) => answerPhrases.skippedTime(text, clock),
  repeated_local_time: ({ text, clock }) => answerPhrases.repeatedTime(text, clock),

  undone_since: describeUndone,
  changed_since: describeChangeSince,
  sensors_with_readings_kept: describeKeptSensors,
  device_readings_left_out: devicePhrases.leftOut,
  device_readings_taken_back: ({ device, module, from, to, ...taken }, context) =>
    devicePhrases.readingsTakenBack(
      nameInSentence(device),
      nameInSentence(module),
      formatTimeSpan(from, to, context),
      taken,
    ),
  device_readings_stay: ({ module, from, to }, context) =>
    devicePhrases.readingsStay(nameInSentence(module), formatTimeSpan(from, to, context)),
  device_assigned: ({ device, depths, earlierReadings }) =>
    devicePhrases.assigned(
      nameInSentence(device),
      depths.length === 0
        ? null
        : englishFormat.list(depths.map((depth) => englishFormat.number(depth))),
      earlierReadings,
    ),
  device_status: ({ device, lastSeenAt, batteryPercent, batteryV, rssi, snr }, context) => {
    const parts: string[] = [];

    if (batteryPercent !== null)
      parts.push(devicePhrases.battery(`${formatNumber(batteryPercent)} %`));
    else if (batteryV !== null) parts.push(devicePhrases.battery(`${formatPrecise(batteryV)} V`));

    if (rssi !== null)
      parts.push(devicePhrases.signal(formatNumber(rssi), snr === null ? null : formatNumber(snr)));

    return devicePhrases.status(nameInSentence(device), formatInstant(lastSeenAt, context), parts);
  },
  unassigned_devices: ({ devices, others }) =>
    devicePhrases.unassigned(
      devices.map(({ device, newest }) =>
        [
          nameInSentence(device),
          ...newest.map(({ type, value }) => devicePhrases.reading(type, formatNumber(value))),
        ].join(', '),
      ),
      others,
    ),
  unread_messages: ({ sender, reason, others }) =>
    devicePhrases.unread(nameInSentence(sender), reason, others),
  doubtful_temperatures: ({ sensors, others }) =>
    devicePhrases.doubtfulTemperatures(
      sensors.map(({ probe, depth, celsius }) =>
        devicePhrases.temperatureAt(
          nameInSentence(probe),
          depth === null ? null : formatNumber(depth),
          formatNumber(celsius),
        ),
      ),
      others,
    ),
  rows_withheld: describeWithheldRows,
  begun_waterings_kept: describeBegunWaterings,
  similar_name: ({ tool, existing }) => describeSimilarName(tool, existing),
  total: ({ count }) => answerPhrases.total(count),
  waterings_by_status: ({ counts, toConfirm }) =>
    wateringPhrases.counts(
      counts.reduce((total, { count }) => total + count, 0),
      counts.map(({ status, count }) => wateringPhrases.countOf(status, count, toConfirm)),
    ),
  waterings_due: ({ count }) => wateringPhrases.due(count),
  waterings_ahead: ({ count, nextAt, probe }, context) =>
    wateringPhrases.ahead(count, formatInstant(nextAt, context), nameInSentence(probe)),
  older_drawings_omitted: ({ count }) => annotationPhrases.olderOmitted(count),

  overlapping_watering: ({ id, other, probe, others, probes, onEachProbe }, context) =>
    wateringPhrases.overlap(
      {
        id,
        otherId: other.id,
        status: other.status,
        when: formatTimeSpan(other.startedAt, other.endedAt, context),
      },
      nameInSentence(probe),
      others,
      probes > 1 && onEachProbe,
    ),
  run_time_contradicts: ({ amount, durationMin, waterMm, runMm, runM3, probe, others }) =>
    wateringPhrases.runTimeContradicts(
      {
        runTime: formatMinutes(durationMin),
        runMm: formatAmount(runMm),
        runM3: formatAmountOrNull(runM3),
        entered: formatEnteredAmount(amount),
        mm: amount.mode === 'depth_mm' ? null : formatAmount(waterMm),
      },
      nameInSentence(probe),
      others,
    ),
  enough_if_it_runs: (advisory, context) => describeEnoughIfItRuns(advisory, context),
  balance_assumes: ({ waterings, waterMm, deficitMm }) =>
    wateringPhrases.balanceAssumes(waterings, formatAmount(waterMm), formatEstimate(deficitMm)),
  needs_confirmation: (_) => wateringPhrases.toConfirm,
  other_probes_unchanged: describeOtherProbes,
  watering_corrected: (changes, context) => describeWateringChanges(changes, context),

  parcel_area_unknown: ({ parcelId, parcel, count }) =>
    setupPhrases.parcelAreaUnknown(nameInSentence(parcel) || `parcel ${parcelId}`, count),
  doses_completed: ({ count }) => setupPhrases.completedDoses(count),
  planned_doses_updated: ({ count }) => setupPhrases.updatedPlannedDoses(count),
  recorded_doses_unchanged: ({ count }) => setupPhrases.unchangedDoses(count),
  equipment_kept: (kept) => describeKeptFigures(kept),
  equipment_unread: () => setupPhrases.equipmentUnread,
  application_rate_lost: ({ beforeMmPerH, lacks }) =>
    setupPhrases.applicationRateLost(formatRate(beforeMmPerH), lacks),
  last_reading: ({ at }, context) =>
    devicePhrases.lastReading(at === null ? null : formatInstant(at, context)),
  same_equipment: ({ id, from }, context) =>
    setupPhrases.sameEquipment(id, describeStart(from, context)),
  equal_version_before: ({ id, from }, context) =>
    setupPhrases.equalVersionBefore(id, describeStart(from, context)),
  past_version: (period, context) => describeValidityPeriod(period, context),
  parcel_setup: ({ from, reached, own }, context) =>
    joinSentences([
      from === null
        ? null
        : setupPhrases.appliesTo(listNamesOrNull(reached), describeStart(from, context)),
      own.length === 0 ? null : setupPhrases.probesWithOwnEquipment(listNames(own), own.length),
    ]),

  schedules_keep_zone: (advisory) =>
    say`${textOf(describeZoneChange(advisory, DEFAULT_LANG))}${action('update_schedule(scheduleId, timezone) for one that is to follow')}`,
  duplicate_schedule: ({ id }) => schedulePhrases.duplicate(id),
  schedules_overlap: ({ id, at, otherAt }, context) =>
    schedulePhrases.overlaps(id, formatInstant(at, context), formatInstant(otherAt, context)),
  start_falls_away: ({ at, time, plannedTime }, context) =>
    schedulePhrases.startFallsAway(formatInstant(at, context), time, plannedTime),
  default_wetted_fraction: ({ system, fraction, ofSpacing, isSoilKnown }) =>
    ofSpacing === null
      ? setupPhrases.defaultFraction(formatShare(fraction), describeSystem(system))
      : setupPhrases.fractionOfSpacing(
          formatShare(ofSpacing),
          formatShare(fraction),
          describeSystem(system),
          isSoilKnown,
        ),
  parcel_volume: ({ volumeM3, areaM2, waterMm }) =>
    schedulePhrases.parcelVolume(
      formatAmount(volumeM3),
      areaM2 === null ? null : englishFormat.number(Math.round(areaM2)),
      formatAmountOrNull(waterMm),
    ),
  runoff: ({ probes, ...runoff }, context) =>
    schedulePhrases.runoff(listNames(probes), written(describeRunoff(runoff), context)),
  nothing_planned: (_) => schedulePhrases.nothingPlanned,
  waterings_planned: ({ nextAt, timezone, ...counts }, context) =>
    joinSentences([
      schedulePhrases.planned(
        counts.count,
        counts.probes,
        formatInstant(nextAt, { ...context, zone: timezone }),
      ),
      counts.withoutDose > 0 ? schedulePhrases.withoutDose(counts) : null,
    ]),
  planned_waterings_changed: describeScheduleChanges,
  planned_waterings_follow: ({ modules }) => schedulePhrases.plansFollow(modules),
  still_waters_today: ({ times }) => schedulePhrases.stillWatersToday(englishFormat.list(times)),
  removed_today: ({ times }) => schedulePhrases.removedToday(englishFormat.list(times)),

  silent_probes: ({ probes }) => seriesPhrases.silentProbes(listNames(probes)),
  silent_depths: ({ depths, weightPercent }) =>
    seriesPhrases.silentDepths(
      depths.includes(null)
        ? englishFormat.list(
            depths.map((depth) => (depth === null ? englishDoubts.unknownDepth : `${depth} cm`)),
          )
        : `${englishFormat.list(depths.map(Number))} cm`,
      weightPercent,
    ),
  different_depths: (_) => seriesPhrases.differentDepths,
  no_moisture_for_state: (_) => NO_SOIL_MOISTURE,
  no_moisture_for_drawing: (_) => annotationPhrases.noSoilMoisture,
  no_tension_for_drawing: (_) => annotationPhrases.noTension,
  no_moisture_for_review: (_) => reviewPhrases.noSoilMoisture,
  review_by_tension: (_) => reviewPhrases.byTension,

  allowed_depletion: ({ share, basis, crop }) =>
    describeAllowedDepletion(
      roundTo(100 * share, 1),
      basis,
      crop === null ? null : cropName(crop, DEFAULT_LANG),
    ),

  ...weatherSentences,
  ...soilSentences,

  suspect_readings: ({ doubts }, context) => describeSuspectReadings(doubts, context).join(' '),
  settings_without_effect: (_) => settingsPhrases.withoutEffect,
  ...cropSentences,
  thresholds_crossed: (_) => CROSSED_THRESHOLDS,
  content_part_removed: ({ part }) => annotationPhrases.contentPartRemoved(part),
};

const describeAdvisory = <K extends AdvisoryKind>(
  advisory: AdvisoryOf<K>,
  context: WordingContext,
): Said => SENTENCES[advisory.kind](advisory, context);

const METHOD_KINDS: ReadonlySet<AdvisoryKind> = new Set<AdvisoryKind>([
  'drying_rate',
  'demand_ratio',
  'deficit_depth',
  'reference_evapotranspiration',
]);

/** True of how a figure was computed, which is said on request; a doubt about it is always said. */
export const explainsMethod = ({ kind }: Advisory): boolean => METHOD_KINDS.has(kind);

export const describeAdvisories = (
  advisories: readonly Advisory[],
  context: WordingContext,
): Said[] => advisories.map((advisory) => describeAdvisory(advisory, context));
