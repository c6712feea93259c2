import { z } from 'zod';
import { INPUT_MODES, IRRIGATION_SYSTEMS, WARNINGS } from '../domain/dose.ts';
import { endInstant, field, instant, instantOut } from './field.ts';

export const STATUSES = ['planned', 'done', 'skipped'] as const;
export type WateringStatus = (typeof STATUSES)[number];
export const SOURCES = ['manual', 'schedule', 'api', 'mcp'] as const;
export type WateringSource = (typeof SOURCES)[number];
export const SCOPES_OF_SETUP = ['module', 'parcel'] as const;

export const configSnapshot = z.strictObject({
  installationId: z.number().int().nullable(),
  scope: z.enum(SCOPES_OF_SETUP).nullable(),
  system: z.enum(IRRIGATION_SYSTEMS).nullable(),
  flowMmPerH: z.number().nullable(),
  fractionWetted: z.number().nullable(),
  fractionWettedIsDefault: z.boolean(),
  irrigatedAreaM2: z.number().nullable(),
  computedAt: instantOut(),
});

/** IrrigationEvent of the spec. */
export const watering = z.strictObject({
  id: z.number().int(),
  moduleId: z.number().int(),
  scheduleId: z.number().int().nullable(),
  isDetached: z.boolean(),
  startedAt: instantOut(),
  durationMin: z.number().int().nullable(),
  endedAt: instantOut().nullable(),
  inputMode: z.enum(INPUT_MODES),
  inputDepthMm: z.number().nullable(),
  inputVolumeM3: z.number().nullable(),
  waterMm: z.number().nullable(),
  waterMmWetted: z.number().nullable(),
  configSnapshot: configSnapshot.nullable(),
  status: z.enum(STATUSES),
  source: z.enum(SOURCES),
  verifiedAt: instantOut().nullable(),
  note: z.string().nullable(),
  createdAt: instantOut(),
});
export type WateringBody = z.output<typeof watering>;

export const irrigationWarning = z.enum(WARNINGS);

/** What a watering write answers. */
export const wateringAnswer = z.strictObject({ event: watering, warnings: z.array(irrigationWarning) });
export type WateringAnswer = z.output<typeof wateringAnswer>;

export const inputMode = () =>
  field(z.enum(INPUT_MODES).describe('Which amount was measured.'), {
    code: 'INVALID_INPUT_MODE',
    hint: 'Give duration, depth_mm or volume_m3, and the amount that goes with it, never a guess.',
  });

export const durationMin = () =>
  field(z.number().int().min(1).max(44_640).describe('Run time, whole minutes.'), {
    code: 'INVALID_DURATION',
    hint: 'Give whole minutes from 1 to 44640 (31 days).',
  });

export const inputDepthMm = () =>
  field(z.number().positive().max(1000).describe('mm over the whole area.'), {
    code: 'INVALID_DEPTH',
    hint: 'Give millimetres above 0, up to 1000.',
  });

export const inputVolumeM3 = () =>
  field(z.number().positive().max(1_000_000).describe('Cubic metres.'), {
    code: 'INVALID_VOLUME',
    hint: 'Give cubic metres above 0, up to 1000000.',
  });

export const status = (text: string) =>
  field(z.enum(STATUSES).describe(text), {
    code: 'INVALID_STATUS',
    hint: 'Give planned, done or skipped; done only for what has begun.',
  });

const note = () => z.string().max(2000).describe('Remark.');

const startedAt = () => instant('Start: date and hour, local ("today 6:00") or ISO 8601.', 'INVALID_STARTED_AT');
const endedAt = () => endInstant('End, instead of durationMin.', 'startedAt', 'INVALID_ENDED_AT');

/** Body of POST watering. */
export const wateringBody = {
  startedAt: startedAt(),
  inputMode: inputMode(),
  durationMin: durationMin().nullish(),
  endedAt: endedAt().nullish(),
  inputDepthMm: inputDepthMm().nullish(),
  inputVolumeM3: inputVolumeM3().nullish(),
  status: status('Default done once begun, else planned.').optional(),
  note: note().nullish(),
};

/** Body of PATCH watering: as at creation, and `endedAt`, which is not stored, cannot be emptied. */
export const wateringCorrectionBody = {
  ...wateringBody,
  endedAt: endedAt().optional(),
  status: status('done confirms, skipped takes back.').optional(),
};
