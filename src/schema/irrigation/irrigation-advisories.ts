import { z } from 'zod/v3';
import { IRRIGATION_SYSTEMS } from '../../domain/irrigation/dose.ts';
import { INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import {
  changed,
  clockText,
  clockTexts,
  count,
  fact,
  id,
  instantMs,
  names,
} from '../advisory-values.ts';
import { WATERING_STATUSES } from './watering.ts';

const keptFigure = z.number().optional();

/** About waterings, schedules and equipment. */
export const irrigationAdvisories = [
  /** `toConfirm`: how many of the planned ones have begun. Older services omit it. */
  fact('waterings_by_status', {
    counts: z.array(z.object({ status: z.enum(WATERING_STATUSES), count })),
    toConfirm: count.default(0),
  }),
  /** The need of a probe, and the watering planned for today that is enough if it runs. */
  fact('enough_if_it_runs', {
    neededMm: z.number(),
    neededMin: z.number().nullable(),
    at: instantMs,
    durationMin: z.number().nullable(),
  }),
  /** The water of a balance that nobody saw, and what it would lack without that. */
  fact('balance_assumes', { waterings: count, waterMm: z.number(), deficitMm: z.number() }),
  /** Past ones of automatic schedules that cannot be confirmed, because the store takes no writes. */
  fact('waterings_due', { count }),
  fact('waterings_ahead', { count, nextAt: instantMs, probe: z.string() }),

  /**
   * `others`: how many more overlap. `probes`: how many were watered in this call. `onEachProbe`:
   * whether something overlaps on each of them; older services omit it.
   */
  fact('overlapping_watering', {
    id,
    other: z.object({
      id,
      startedAt: instantMs,
      endedAt: instantMs.nullable(),
      status: z.enum(WATERING_STATUSES),
    }),
    probe: z.string(),
    others: count,
    probes: count,
    onEachProbe: z.boolean().default(true),
  }),
  /** `others`: on how many more probes. */
  fact('run_time_contradicts', {
    amount: z.object({ mode: z.enum(INPUT_MODES), value: z.number() }),
    durationMin: z.number(),
    waterMm: z.number(),
    runMm: z.number(),
    runM3: z.number().nullable(),
    probe: z.string(),
    others: count,
  }),
  fact('needs_confirmation', {}),
  /**
   * Other waterings of the same irrigation of a parcel. A field is null unless the correction made
   * it differ.
   */
  fact('other_probes_unchanged', {
    waterings: z.array(
      z.object({
        id,
        probe: z.string(),
        amount: z.object({ mode: z.enum(INPUT_MODES), value: z.number() }).nullable(),
        startedAt: instantMs.nullable(),
        durationMin: z.number().nullable(),
        status: z.enum(WATERING_STATUSES).nullable(),
        waterMm: z.number().nullable(),
      }),
    ),
    others: count,
  }),
  /** Each part is null where it did not change. */
  fact('watering_corrected', {
    start: changed(instantMs),
    amount: changed(z.object({ mode: z.enum(INPUT_MODES), value: z.number() })),
    durationMin: changed(count.nullable()),
    dose: changed(
      z.object({ waterMm: z.number().nullable(), waterMmWetted: z.number().nullable() }),
    ),
    /** By which the new dose is that of the wetted zone, if nobody entered another. */
    defaultFraction: z.number().nullable().optional(),
    isOtherEquipment: z.boolean(),
    status: changed(z.enum(WATERING_STATUSES)),
    isConfirmed: z.boolean(),
    /** The fields on which no rule depends, such as the note. */
    remarks: z.array(
      z.object({ field: z.string(), change: z.enum(['added', 'changed', 'removed']) }),
    ),
  }),

  /** Without the area, the volume of `count` waterings of the whole parcel gives no dose. */
  fact('parcel_area_unknown', { parcelId: id, parcel: z.string(), count }),
  fact('doses_completed', { count }),
  fact('planned_doses_updated', { count }),
  fact('recorded_doses_unchanged', { count }),
  /** Figures of the equipment before that a change of it did not mention. */
  fact('equipment_kept', {
    flowMmPerH: keptFigure,
    emitterFlowLph: keptFigure,
    emittersPerM2: keptFigure,
    emitterSpacingM: keptFigure,
    lineSpacingM: keptFigure,
    fractionWetted: keptFigure,
    irrigatedAreaM2: keptFigure,
  }),
  /** Figures that a change did not mention were not kept, because the service did not show them. */
  fact('equipment_unread', {}),
  /** `lacks`: the argument that would give the changed equipment a rate. */
  fact('application_rate_lost', {
    beforeMmPerH: z.number(),
    lacks: z.enum(['flowMmPerH', 'emittersPerM2']),
  }),
  /** The version before a new one, with the same equipment. */
  fact('same_equipment', { id, from: instantMs }),
  /** The version before a corrected one, with the equipment that this one had. */
  fact('equal_version_before', { id, from: instantMs }),
  fact('past_version', { from: instantMs.nullable(), to: instantMs }),
  /**
   * `from` is null if the version ended in the past. `reached`: probes that it applies to; `own`:
   * probes with a setup of their own.
   */
  fact('parcel_setup', { from: instantMs.nullable(), reached: names, own: names }),

  /** `ofSpacing`: what answers use in place of the default; null without a spacing. */
  fact('default_wetted_fraction', {
    system: z.enum(IRRIGATION_SYSTEMS),
    fraction: z.number(),
    ofSpacing: z.number().nullable(),
    isSoilKnown: z.boolean(),
  }),

  /** Of equipment that stands with a default beside the spacing of its drip lines. */
  fact('fractions_to_enter', {
    setups: z.array(z.object({ name: z.string(), fraction: z.number() })),
    others: count,
  }),

  /** Of annual crops that by the usual length of their season are ripe or over. */
  fact('ripe_crops', { parcels: z.array(z.string()), others: count }),

  fact('fraction_of_spacing_entered', { fraction: z.number(), isSoilKnown: z.boolean() }),

  /**
   * After a new time zone of the company. `starts` are in that zone; `count` includes the schedules
   * that are not listed.
   */
  fact('schedules_keep_zone', {
    schedules: z.array(
      z.object({ name: z.string(), starts: clockTexts, timezone: z.string().refine(isTimeZone) }),
    ),
    count,
  }),
  fact('duplicate_schedule', { id }),
  /** `id`: the other schedule, null for a start of its own. `at`: the first such start. */
  fact('schedules_overlap', { id: id.nullable(), at: instantMs, otherAt: instantMs }),
  /** Starts that a change of clocks puts at one instant; the first of them is planned. */
  fact('start_falls_away', { at: instantMs, time: clockText, plannedTime: clockText }),
  /** The volume of each start of a schedule on a parcel; null where an area is missing. */
  fact('parcel_volume', {
    volumeM3: z.number(),
    areaM2: z.number().nullable(),
    waterMm: z.number().nullable(),
  }),
  /** The runoff in each watering of a schedule on these probes. */
  fact('runoff', {
    rateMmPerH: z.number(),
    intakeMmPerH: z.number(),
    parts: count,
    minutesPerPart: z.number(),
    pauseMin: z.number(),
    probes: names,
  }),
  fact('nothing_planned', {}),
  /** `withoutEquipment`: those without dose that no equipment covers; older services omit it. */
  fact('waterings_planned', {
    count,
    probes: count,
    withoutDose: count,
    withoutEquipment: count.default(0),
    nextAt: instantMs,
    timezone: z.string().refine(isTimeZone),
  }),
  fact('planned_waterings_changed', {
    moved: count,
    from: clockTexts,
    to: clockTexts,
    updated: count,
    added: count,
    removed: count,
    keptManual: count,
  }),
  /** The change takes several transactions; `modules` probes are still to be changed. */
  fact('planned_waterings_follow', { modules: count }),
  fact('still_waters_today', { times: clockTexts }),
  fact('removed_today', { times: clockTexts }),
] as const;
