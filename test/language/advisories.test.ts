import { describe, expect, it } from 'vitest';
import { sentences } from '../../src/domain/text/say.ts';
import { describeAdvisories } from '../../src/language/advisories.ts';
import { type Advisory, advisory } from '../../src/schema/advisory.ts';
import { FARM_NOW, HOUR } from '../farm.ts';
import { MEANS, UNDELIVERED } from './alerts/means-of-notice.ts';
import { renderText } from './render-text.ts';

const LEVELS = { alertKind: 'moisture' as const, threshold: '20', hysteresis: '5' };
const LAYERS = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 40 }];
const SLICES = [{ topCm: 10, bottomCm: 30 }];

/** One example of each kind. */
const EXAMPLES: { readonly [K in Advisory['kind']]: Omit<Extract<Advisory, { kind: K }>, 'kind'> } =
  {
    enough_if_it_runs: { neededMm: 17, neededMin: 315, at: FARM_NOW, durationMin: 360 },
    balance_assumes: { waterings: 2, waterMm: 24, deficitMm: 41 },
    only_probe_of_parcel: { parcel: 'North block', probe: 'North 1' },
    name_understood: { text: '"la vigne"', name: 'Vineyard' },
    skipped_local_time: { text: '"02:30"', clock: '03:30' },
    repeated_local_time: { text: '"02:30"', clock: '02:30' },
    undone_since: { changeId: 5, keptWaterings: 0, isScheduleKept: false, isOfStored: false },
    changed_since: {
      effects: {
        counts: { 'watering changed': 1 },
        rows: [
          {
            kind: 'watering',
            id: '12',
            before: { moduleId: 1, durationMin: 45 },
            after: { moduleId: 1, durationMin: 10 },
          },
        ],
      },
    },
    sensors_with_readings_kept: { sensors: [{ type: 'humidity', depth: 20, label: null }] },
    device_assigned: {
      device: 'A84041FFFF181F0D',
      depths: [10, 30],
      earlierReadings: 2,
    },
    device_readings_taken_back: {
      device: 'A84041FFFF181F0D',
      module: 'North 1',
      isAssigned: false,
      count: 5,
      waitingCount: 5,
      from: FARM_NOW - HOUR,
      to: FARM_NOW,
    },
    device_readings_stay: { module: 'North 1', from: FARM_NOW - HOUR, to: FARM_NOW },
    device_readings_left_out: { count: 2, withoutSensor: ['temperature at 30 cm'] },
    device_status: {
      device: 'A84041FFFF181F0D',
      lastSeenAt: FARM_NOW - HOUR,
      batteryPercent: 87,
      batteryV: null,
      rssi: -97,
      snr: 7.5,
    },
    unassigned_devices: {
      devices: [{ device: 'A84041FFFF181F0D', newest: [{ type: 'humidity', value: 24 }] }],
      others: 2,
    },
    doubtful_temperatures: {
      sensors: [{ probe: 'North 1', depth: 30, celsius: 76.3 }],
      others: 2,
    },
    unread_messages: {
      sender: 'A84041FFFF181F0D',
      reason: 'the message has no field with a value',
      isReadInPart: false,
      others: 1,
    },
    messages_read_in_part: { positions: [0, 2] },
    backup_notice: { problem: 'disk_full', copiedAt: FARM_NOW - HOUR, isServed: false },
    rows_withheld: { scopes: ['annotations:read', 'agronomy:read'] },
    begun_waterings_kept: {
      waterings: [{ id: 7, probe: 'North 1', startedAt: Date.UTC(2026, 6, 1, 4) }],
      count: 3,
      isScheduleKept: true,
    },
    similar_name: { tool: 'set_parcel', existing: 'North block' },
    total: { count: 12 },
    waterings_by_status: { counts: [{ status: 'planned', count: 2 }], toConfirm: 1 },
    waterings_ahead: { count: 2, nextAt: Date.UTC(2026, 6, 2, 4), probe: 'North 1' },
    older_drawings_omitted: { count: 3 },
    older_episodes_omitted: { omitted: 3, total: 9 },
    overlapping_watering: {
      id: 2,
      other: { id: 1, startedAt: FARM_NOW - HOUR, endedAt: FARM_NOW, status: 'done' },
      probe: 'North 1',
      others: 2,
      probes: 3,
      onEachProbe: true,
    },
    run_time_contradicts: {
      amount: { mode: 'volume_m3', value: 48 },
      durationMin: 120,
      waterMm: 3.429,
      runMm: 6.857,
      runM3: 96,
      probe: 'North 1',
      others: 1,
    },
    needs_confirmation: {},
    rain_counted_once: { id: 5, mm: 10, others: 0, isNewCounted: true, totalMm: 12 },
    rain_not_counted: { ids: [5], others: 0 },
    recent_rain: { mm: 12, isShown: false, isLost: false, effectiveMm: 9.6 },
    rain_around_waterings: { rows: [{ eventId: 1, at: 0, mm: 12 }] },
    rain_totals: { totals: [{ parcel: 'North block', mm: 12, days: 2 }], lastDays: 7 },
    rain_in_readings: { mm: 14, effectiveMm: 11.2, since: FARM_NOW - HOUR },
    rain_corrected: { mm: 9.5 },
    other_probes_unchanged: {
      waterings: [
        {
          id: 8,
          probe: 'North 2',
          amount: { mode: 'volume_m3', value: 48 },
          startedAt: FARM_NOW - HOUR,
          durationMin: 90,
          status: 'done',
          waterMm: 2,
        },
      ],
      others: 1,
    },
    watering_corrected: {
      start: { from: FARM_NOW - HOUR, to: FARM_NOW },
      amount: null,
      durationMin: null,
      isOtherEquipment: true,
      dose: {
        from: { waterMm: 12.5, waterMmWetted: null },
        to: { waterMm: 6, waterMmWetted: null },
      },
      status: null,
      isConfirmed: false,
      remarks: [{ field: 'operatorName', change: 'added' }],
    },
    doses_completed: { count: 2 },
    planned_doses_updated: { count: 2 },
    recorded_doses_unchanged: { count: 2 },
    equipment_kept: {
      emittersPerM2: 2,
      emitterSpacingM: 0.5,
      lineSpacingM: 1,
      fractionWetted: 0.4,
    },
    equipment_unread: {},
    application_rate_lost: { beforeMmPerH: 4, lacks: 'emittersPerM2' },
    past_version: { from: null, to: FARM_NOW - HOUR },
    parcel_area_unknown: { parcelId: 1, parcel: 'North block', count: 2 },
    parcel_setup: { from: 0, reached: ['North 1', 'North 2'], own: ['North 3'] },
    duplicate_schedule: { id: 4 },
    parcel_volume: { volumeM3: 30, areaM2: 12_000, waterMm: 2.5 },
    runoff: {
      rateMmPerH: 45,
      intakeMmPerH: 5,
      parts: 12,
      minutesPerPart: 7.5,
      pauseMin: 60,
      probes: ['North 1'],
    },
    nothing_planned: {},
    waterings_planned: {
      count: 90,
      probes: 2,
      withoutDose: 90,
      withoutEquipment: 90,
      nextAt: FARM_NOW + HOUR,
      timezone: 'Europe/Paris',
    },
    planned_waterings_changed: {
      moved: 2,
      from: ['05:00', '18:00'],
      to: ['05:30', '18:30'],
      updated: 1,
      added: 1,
      removed: 1,
      keptManual: 2,
    },
    planned_waterings_follow: { modules: 46 },
    still_waters_today: { times: ['18:00'] },
    removed_today: { times: ['18:00'] },
    suspect_readings: {
      doubts: [
        {
          reason: 'SENSOR_STUCK',
          depth: 30,
          value_vwc: 25.7,
          limit_vwc: null,
          since: '2026-06-25T10:00:00.000Z',
        },
      ],
    },
    silent_probes: { probes: ['Oak', 'Elm'] },
    silent_depths: { depths: [10, 30, null], weightPercent: 40 },
    different_depths: {},
    hours_in_place_of_readings: { before: FARM_NOW },
    no_moisture_for_state: {},
    no_sensor_for_alert: { alertKind: 'moisture' },
    no_moisture_for_backtest: {},
    no_moisture_for_drawing: {},
    no_tension_for_drawing: {},
    no_moisture_for_review: {},
    review_by_tension: {},
    allowed_depletion: { share: 0.65, basis: 'crop', crop: 'olive' },
    thresholds_crossed: {},
    settings_without_effect: {},
    kept_after_move: {
      fieldCapacity: 30,
      wiltingPoint: 12,
      hasTensionLevels: true,
      isCalibrated: true,
      settings: ['rootDepthCm'],
    },
    default_wetted_fraction: { system: 'drip', fraction: 0.35, ofSpacing: 0.16, isSoilKnown: true },
    ripe_crops: { parcels: ['Oak block'], others: 0 },
    fractions_to_enter: { setups: [{ name: 'Oak block', fraction: 0.16 }], others: 1 },
    fraction_of_spacing_entered: { fraction: 0.16, isSoilKnown: true },
    roots_below_sensors: { rootDepthCm: 500, deepestCm: 60 },
    roots_of_probes_differ: { count: 2 },
    roots_of_earlier_crop: { rootDepthsCm: [25, 25] },
    usual_roots: { crop: 'lettuce', fromCm: 30, toCm: 50, rootDepthCm: 300 },
    harvest_ahead: { day: '2026-09-01' },
    below_stress_point: { stressPoint: 20.56, hasLine: true },
    deficit_depth: { bottomCm: 60 },
    depths_silent: { depths: [{ depthCm: 10, since: FARM_NOW - HOUR }] },
    depths_jumped: { at: FARM_NOW - HOUR, points: 12 },
    depths_exchanged: { topCm: 10, deepestCm: 60 },
    deep_roots_unmeasured: { measuredToCm: 25, rootDepthCm: 100 },
    class_error: { errorMm: 45 },
    slices_without_value: { slices: SLICES },
    slices_in_doubt: { slices: SLICES },
    frozen_slices: { slices: SLICES },
    slices_without_layer: { slices: SLICES },
    drying_rate: { basis: 'days', pointsPerDay: 0.8, count: 9, residual: 12.3 },
    demand_ratio: {
      percent: 130,
      basis: 'forecast',
      comingMm: 5.2,
      comingDays: 7,
      lastMm: 4,
      lastDays: 14,
      method: 'penman_monteith',
      missing: [],
    },
    rain_kept_off: {},
    forecast_rain: { mm: 14, until: '2026-07-02', probability: 70, isCounted: false },
    needless_after_rain: {
      eventId: 12,
      at: FARM_NOW + HOUR,
      probes: ['North 1', 'North 2'],
      rainMm: 12,
      effectiveMm: 9.6,
      neededMm: 0.4,
      plannedMm: 8,
      since: FARM_NOW - HOUR,
    },
    reference_evapotranspiration: {
      mm: 5.2,
      days: 7,
      method: 'hargreaves',
      missing: ['wind', 'radiation'],
      pace: { percent: 118, basis: 'recent' },
    },
    layers_closed: { layers: LAYERS },
    layers_as_before: {},
    layers_in_force: { layers: LAYERS },
    layers_overlapping: { layers: LAYERS },
    means_of_notice: { ...MEANS, mail: 'stopped', sinceMin: 180, isServed: false },
    alert_state: {
      ...LEVELS,
      reminderTime: '08:00:00',
      state: {
        status: 'quiet',
        firing: false,
        since: null,
        value_vwc: 24.1,
        time: new Date(FARM_NOW).toISOString(),
      },
    },
    alert_never_resolves: { alertKind: 'moisture', resolvesAt: '101', soilMax: null },
    last_reading: { at: FARM_NOW - HOUR },
    same_equipment: { id: 3, from: FARM_NOW - HOUR },
    equal_version_before: { id: 3, from: FARM_NOW - HOUR },
    schedules_overlap: { id: 4, at: FARM_NOW + HOUR, otherAt: FARM_NOW },
    schedules_keep_zone: {
      schedules: [{ name: 'North 1', starts: ['05:00'], timezone: 'Europe/Paris' }],
      count: 1,
    },
    reminders_follow_zone: { alerts: [{ name: 'North 1', reminderTime: '07:30:00' }], count: 1 },
    waterings_due: { count: 2 },
    start_falls_away: { at: FARM_NOW, time: '03:30', plannedTime: '02:30' },
    alert_may_flap: { hysteresis: '0' },
    same_alert_exists: { threshold: '20', count: 1 },
    alert_firing: { ...LEVELS, since: FARM_NOW - HOUR, evaluatedAt: FARM_NOW, value: 18.4 },
    probes_with_firing_alert: { probes: ['North 1', 'North 2'], others: 2 },
    more_alerts_firing: { count: 1 },
    undelivered_mail: { ...UNDELIVERED, refused: 1, lastAnswer: '"550 no such user"' },
    line_in_doubt: {
      line: 'fieldCapacity',
      height: 45,
      expected: 28.1,
      basis: 'soil_profile',
    },
    line_moved: { threshold: '14' },
    line_unchanged: {},
    own_alert_disabled: {},
    older_alert_disabled: { height: 14 },
    own_alert_enabled: { height: 14 },
    older_alert_enabled: { height: 14 },
    newer_line_counts: { height: 14 },
    line_alert_moved: { from: '14', to: 15.5, isActive: true },
    content_part_removed: { part: 'text' },
  };
const notes = Object.entries(EXAMPLES).map(([kind, fields]) => advisory.parse({ kind, ...fields }));

const described = (each: Advisory): string =>
  renderText(sentences(describeAdvisories([each], { now: FARM_NOW, zone: 'Europe/Paris' })));

const example = (kind: Advisory['kind']): Advisory => notes.find((each) => each.kind === kind)!;

describe('an advisory', () => {
  it.each(notes)('is a sentence: $kind', (each) => {
    expect(described(each)).toMatch(/^["\p{Lu}\d].*[.?]$/u);
    expect(described(each)).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it.each<[Advisory['kind'], string]>([
    [
      'no_moisture_for_review',
      'It measures no soil moisture, so the effect of a watering cannot be seen.',
    ],
    [
      'review_by_tension',
      'By its tension: where a rise is named, it is a fall of tension by a fifth or more.',
    ],
  ])('without facts is one sentence: %s', (kind, sentence) =>
    expect(described(example(kind))).toBe(sentence),
  );

  it('lists and counts', () => {
    expect(described(example('silent_depths'))).toContain(
      'No reading at 10 cm, 30 cm and an unknown depth:',
    );
    expect(described(example('planned_waterings_changed'))).toContain(
      '2 future waterings moved from 05:00 and 18:00 to 05:30 and 18:30',
    );
  });

  it('has the singular for one point', () => {
    const pace = {
      kind: 'drying_rate',
      basis: 'days',
      pointsPerDay: 0.97,
      count: 9,
      residual: null,
    } as const;
    expect(described(pace)).toContain('It dries by 0.97 points a day');
    expect(described({ ...pace, pointsPerDay: 1.04 })).toContain('It dries by 1 point a day');
  });
});
