import type { WireFields } from '../test-surfaces.ts';
import type { CompanySide } from './isolation-farms.ts';

const AMOUNT = { inputMode: 'duration', durationMin: 30 };
const AT = Date.UTC(2026, 5, 20);
const LAYERS = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];

const ofModule = ({ module }: CompanySide): WireFields => ({ moduleId: module });
const all = (): WireFields => ({});

/** A call of each operation that a company makes in its own books; `nth` keeps those of the ways apart. */
export const VALID_CALLS: Readonly<Record<string, (own: CompanySide, nth: number) => WireFields>> = {
  log_watering: ({ module }, nth) => ({ moduleId: module, startedAt: `2026-06-2${nth}T06:00`, ...AMOUNT }),
  correct_watering: ({ event, depthMm }) => ({
    ...{ eventId: event, startedAt: '2026-06-10T06:00', inputMode: 'depth_mm', inputDepthMm: depthMm },
  }),
  list_waterings: all,
  create_schedule: ({ module, word }) => ({
    ...{ targetModuleId: module, label: word, freq: 'daily', startTimes: ['04:00'], timezone: 'Europe/Paris' },
    ...{ startsOn: '2026-07-02', ...AMOUNT },
  }),
  update_schedule: ({ schedule, word }) => ({ scheduleId: schedule, label: word }),
  list_schedules: all,
  get_irrigation_setup: ofModule,
  set_module_installation: ({ module }, nth) => ({
    ...{ moduleId: module, system: 'drip', flowMmPerH: 3, effectiveFrom: `2026-04-0${nth + 1}T06:00` },
  }),
  set_parcel_installation: ({ parcel }, nth) => ({
    ...{ parcelId: parcel, system: 'drip', flowMmPerH: 3, effectiveFrom: `2026-04-0${nth + 1}T06:00` },
  }),
  correct_installation: ({ version, word }) => ({ versionId: version, notes: word }),
  generalize_installation: ({ module }) => ({ moduleId: module, dryRun: true }),
  recompute_doses: ofModule,
  set_module_placement: ({ module }) => ({ moduleId: module, emitterDistanceCm: 40 }),
  list_modules: all,
  get_module: ofModule,
  get_moisture_series: ofModule,
  get_agronomic_state: ofModule,
  get_module_health: ofModule,
  list_gateways: all,
  list_parcels: all,
  get_soil_profile: ({ parcel }) => ({ parcelId: parcel }),
  set_soil_profile: ({ parcel }) => ({ parcelId: parcel, layers: LAYERS }),
  list_soil_horizons: all,
  create_alert: ({ module, parcel, height }) => ({ moduleId: module, parcelId: parcel, threshold: height }),
  update_alert: ({ alert }, nth) => ({ alertId: alert, hysteresis: nth + 1 }),
  list_alerts: all,
  backtest_alert: ({ module, height }) => ({ moduleId: module, threshold: height }),
  list_annotations: ofModule,
  create_annotation: ({ module, word }) => ({ moduleId: module, type: 'text', p1: [AT, 30], text: word }),
  update_annotation: ({ line, height }) => ({ annotationId: line, p1: [AT, height] }),
  delete_annotation: ({ notes }, nth) => ({ annotationId: notes[nth] }),
  advise_watering: ofModule,
  review_waterings: ofModule,
  chart_moisture: ofModule,
  morning_brief: all,
  get_company: all,
  list_users: all,
  get_enums: all,
  ingest: ({ module, moisture, imei }, nth) => ({
    readings: [{ module, type: 'humidity', depth: 10, time: `2026-06-2${nth}T06:00`, value: moisture }],
    gateways: [{ imei: `${imei}2`, lastSeen: `2026-06-2${nth}T06:00` }],
  }),
};

/** What a company can try to reach the other by, for each argument that refers to rows. */
export const FOREIGN_IDS: Readonly<Record<string, (other: CompanySide) => unknown>> = {
  moduleId: ({ module }) => module,
  targetModuleId: ({ module }) => module,
  parcelId: ({ parcel }) => parcel,
  targetParcelId: ({ parcel }) => parcel,
  eventId: ({ event }) => event,
  scheduleId: ({ schedule }) => schedule,
  versionId: ({ version }) => version,
  annotationId: ({ line }) => line,
  alertId: ({ alert }) => alert,
};

/** References that are every company's alike: the catalog's. */
export const CATALOG_REFERENCES: ReadonlySet<string> = new Set(['soilHorizonId']);

/** An argument that stands in place of another. */
export const REPLACED_BY: Readonly<Record<string, string>> = { targetParcelId: 'targetModuleId' };
