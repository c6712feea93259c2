import { z } from 'zod/v3';
import { USDA_CLASSES } from '../../domain/soil/soil-catalog.ts';
import { MAX_SHORT_LIST } from '../../domain/text/greatest-lengths.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { expected, limitText } from '../expected.ts';
import { field, withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput } from '../shared-fields.ts';

export const soilProfileLayer = namedSchema(
  'SoilProfileLayer',
  z.strictObject({
    id: withExample(z.number().int(), 2),
    parcel_id: withExample(z.number().int(), 1),
    soil_horizon_id: withExample(z.number().int(), 6),
    depth_top_cm: withExample(z.number().int(), 0),
    depth_bottom_cm: withExample(z.number().int(), 40),
    timestamp_start: withExample(instantOutput(), '2026-07-01T10:00:00.217Z'),
    horizon_name: withExample(z.string(), 'Loam'),
    usda_class: z.enum(USDA_CLASSES),
    theta_fc: withExample(z.number().describe('Water content at field capacity in m3/m3.'), 0.2796),
    theta_pwp: withExample(z.number().describe('Water content at wilting point in m3/m3.'), 0.137),
  }),
);
export type SoilProfileLayerBody = z.output<typeof soilProfileLayer>;

export const soilHorizon = namedSchema(
  'SoilHorizonReference',
  z.strictObject({
    code: withExample(z.string(), '1'),
    label: withExample(z.string(), 'Sand'),
    usda_class: z.enum(USDA_CLASSES),
    theta_sat: withExample(z.number(), 0.4617),
    theta_fc: withExample(z.number(), 0.1028),
    theta_pwp: withExample(z.number(), 0.0502),
    sand_pct: withExample(z.number(), 88),
    silt_pct: withExample(z.number(), 7),
    clay_pct: withExample(z.number(), 5),
  }),
);
export type SoilHorizonBody = z.output<typeof soilHorizon>;

const MAX_LAYER_DEPTH_CM = 10_000;

const layer = z.strictObject({
  soilHorizonId: field(z.number().int().describe('Texture (clay loam) or its code.'), {
    kind: 'texture',
    words: 'texture of a layer',
  }),
  depthTopCm: field(z.number().int().min(0).describe('Top: 0 cm, 1 ft.'), {
    unit: 'cm',
    restDescription: 'Top of the layer in cm.',
    words: 'top of a layer',
  }),
  depthBottomCm: field(
    z
      .number()
      .int()
      .describe('Bottom of the layer.')
      .refine(
        (cm) => cm <= MAX_LAYER_DEPTH_CM,
        expected(say`at most ${limitText(MAX_LAYER_DEPTH_CM, 'cm', 'max')}`),
      ),
    { unit: 'cm', restDescription: 'Bottom of the layer in cm.', words: 'bottom of a layer' },
  ),
});
export type LayerEntry = z.output<typeof layer>;

export const soilProfileBody = {
  layers: field(
    z
      .array(field(layer, { words: 'layer' }))
      .max(MAX_SHORT_LIST)
      .describe('Layers from the top.'),
    {
      words: 'list of layers',
      restDescription:
        'Codes from list_soil_horizons; depths in whole cm from the surface. At least one layer, or none with closeOthers true.',
      hint: say`Give layers as [{"soilHorizonId": 6, "depthTopCm": 0, "depthBottomCm": 40}]: whole cm, codes from ${operationName('list_soil_horizons')}.`,
    },
  ),
  closeOthers: field(z.boolean().describe('true: ends all others.'), {
    words: 'choice whether to end the other layers',
  }).optional(),
  overlaps: field(
    z
      .enum(['keep', 'cut'])
      .describe('cut: layers in force lose what the declared ones cover. keep: they stay whole.'),
    { isRestOnly: true, mayBeDropped: true },
  ).default('keep'),
};

export const declaredSoil = z.strictObject({
  success: z.boolean(),
  rows: z.array(z.strictObject({ id: z.number().int(), timestamp_start: instantOutput() })),
});
