import { z } from 'zod/v3';
import { nonEmpty } from '../../domain/items.ts';
import { SETTING_NAMES } from '../../domain/moisture/probe-settings.ts';
import { CROPS, DEPLETION_BASES } from '../../domain/soil/allowed-depletion.ts';
import { count, fact, instantMs, names } from '../advisory-values.ts';

const soilSlice = z.object({ topCm: z.number(), bottomCm: z.number() });
const soilSlices = z.array(soilSlice).readonly();
const soilLayers = z.array(
  z.object({
    soilHorizonId: z.number().int().min(1).max(12),
    depthTopCm: z.number(),
    depthBottomCm: z.number(),
  }),
);

/** About what the depths measure, their soil and roots. */
export const moistureAdvisories = [
  /** The probes of a parcel of which none has a reading of the last months. */
  fact('silent_probes', { probes: names }),
  fact('silent_depths', { depths: z.array(z.number().nullable()), weightPercent: z.number() }),
  fact('different_depths', {}),
  /** Single readings before it (ms) are no longer kept (acequia retain). */
  fact('hours_in_place_of_readings', { before: instantMs }),
  fact('no_moisture_for_state', {}),
  fact('no_moisture_for_review', {}),
  fact('review_by_tension', {}),

  /** `share`: 0 to 1. `crop`: the crop of the parcel, if the share depends on it. */
  fact('allowed_depletion', {
    share: z.number(),
    basis: z.enum(DEPLETION_BASES),
    crop: z.enum(nonEmpty(CROPS)).nullable(),
  }),
  fact('deficit_depth', { bottomCm: z.number() }),
  /** `since`: null for more than two weeks. */
  fact('depths_silent', {
    depths: z.array(z.object({ depthCm: z.number(), since: instantMs.nullable() })).readonly(),
  }),
  /** All depths rose in the hour that began then, by `points` or more. */
  fact('depths_jumped', { at: instantMs, points: z.number() }),
  fact('depths_exchanged', { topCm: z.number(), deepestCm: z.number() }),
  /** The sensors tell of the soil down to `measuredToCm`. */
  fact('deep_roots_unmeasured', { measuredToCm: z.number(), rootDepthCm: z.number() }),
  /**
   * The deficit may be off by so much, in mm of the wetted zone. `offered`: the field capacity by its
   * own wettings, in %.
   */
  fact('class_error', { errorMm: z.number(), offered: z.number().optional() }),
  fact('slices_without_value', { slices: soilSlices }),
  fact('slices_in_doubt', { slices: soilSlices }),
  fact('frozen_slices', { slices: soilSlices }),
  fact('slices_without_layer', { slices: soilSlices }),
  /** `residual`: in %, where an exponential fall towards it counts by half. */
  fact('drying_rate', {
    basis: z.enum(['newest', 'days', 'parts']),
    pointsPerDay: z.number(),
    count,
    residual: z.number().nullable(),
  }),

  fact('layers_closed', { layers: soilLayers }),
  fact('layers_as_before', {}),
  fact('layers_in_force', { layers: soilLayers }),
  fact('layers_overlapping', { layers: soilLayers }),

  fact('settings_without_effect', {}),
  /** What a probe that was moved keeps of its earlier place; lines in %. */
  fact('kept_after_move', {
    fieldCapacity: z.number().nullable(),
    wiltingPoint: z.number().nullable(),
    hasTensionLevels: z.boolean(),
    isCalibrated: z.boolean(),
    settings: z.array(z.enum(nonEmpty(SETTING_NAMES))).readonly(),
  }),
  fact('roots_below_sensors', { rootDepthCm: z.number(), deepestCm: z.number() }),
  fact('usual_roots', {
    crop: z.enum(nonEmpty(CROPS)),
    fromCm: z.number(),
    toCm: z.number(),
    rootDepthCm: z.number().nullable(),
  }),
] as const;
