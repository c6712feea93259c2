import { z } from 'zod/v3';
import { USDA_CLASSES } from '../../domain/soil/soil-catalog.ts';
import { field } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput } from '../shared-fields.ts';

export const soilProfileLayer = namedSchema(
  'SoilProfileLayer',
  z.strictObject({
    id: z.number().int(),
    parcel_id: z.number().int(),
    soil_horizon_id: z.number().int(),
    depth_top_cm: z.number().int(),
    depth_bottom_cm: z.number().int(),
    timestamp_start: instantOutput(),
    horizon_name: z.string(),
    usda_class: z.enum(USDA_CLASSES),
    theta_fc: z.number().describe('Water content at field capacity in m3/m3.'),
    theta_pwp: z.number().describe('Water content at wilting point in m3/m3.'),
  }),
);
export type SoilProfileLayerBody = z.output<typeof soilProfileLayer>;

export const soilHorizon = namedSchema(
  'SoilHorizonReference',
  z.strictObject({
    code: z.string(),
    label: z.string(),
    usda_class: z.enum(USDA_CLASSES),
    theta_sat: z.number(),
    theta_fc: z.number(),
    theta_pwp: z.number(),
    sand_pct: z.number(),
    silt_pct: z.number(),
    clay_pct: z.number(),
  }),
);
export type SoilHorizonBody = z.output<typeof soilHorizon>;

const MAX_LAYER_DEPTH_CM = 10_000;
const MAX_DEPTH_MESSAGE = `at most ${MAX_LAYER_DEPTH_CM}`;

const layer = z.strictObject({
  soilHorizonId: field(z.number().int().describe('Code of its texture class.'), {
    kind: 'texture',
  }),
  depthTopCm: z.number().int().min(0).describe('Top of the layer in cm.'),
  depthBottomCm: z
    .number()
    .int()
    .describe('Bottom of the layer in cm.')
    .refine((cm) => cm <= MAX_LAYER_DEPTH_CM, MAX_DEPTH_MESSAGE),
});
export type LayerEntry = z.output<typeof layer>;

export const soilProfileBody = {
  layers: field(z.array(layer).describe('soilHorizonId: texture ("clay loam") or code.'), {
    restDescription:
      'Codes from list_soil_horizons; depths in whole cm from the surface. At least one layer, or none with closeOthers true.',
    hint: 'Give layers as [{"soilHorizonId": 6, "depthTopCm": 0, "depthBottomCm": 40}]: whole cm, codes from list_soil_horizons.',
  }),
  closeOthers: z.boolean().describe('These are the whole profile.').optional(),
};

export const declaredSoil = z.strictObject({
  success: z.boolean(),
  rows: z.array(z.strictObject({ id: z.number().int(), timestamp_start: instantOutput() })),
});
